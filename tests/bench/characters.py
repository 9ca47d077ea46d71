"""The bots as opponents: a novice to beat, a master of tinc, variety.

Games of tinc that reach 60 turns count as draws. Everything printed follows from the seed alone,
except what a master makes of its seconds.
"""

from collections.abc import Iterator, Sequence
from random import Random

from capsule.cli.arena import BEGINNING, MatchResults
from engine import VARIANTS, Side
from engine.bots import Bot, level
from tests.support.engine.careless_builders import CARELESS_BUILDERS
from tests.support.engine.matches import MAX_MOVES, Player, result, total
from tests.support.engine.simple_players import who_plays_at_random, who_takes_a_win

SECONDS = 1.0
"""The seconds for a move here; no bot uses them up."""

NOVICE_IS_FOR = {"at random": (0.5, 0.65), "takes a win": (0.0, 0.35)}
"""Between which scores the novice is to be, against either of the simple players."""


def played(variant: str, one: Bot, other: Bot, games: int, seed: str) -> MatchResults:
    """Return how `one` did from the start of the game, with X in every second game.

    Unlike a match it has no random openings, since both players begin in many ways.
    """
    return total(
        of_one_game(variant, one, other, tuple(Side)[number % 2], f"{seed} {number}")
        for number in range(games)
    )


def of_one_game(variant: str, one: Bot, other: Bot, side: Side, seed: str) -> MatchResults:
    """Return the result of one game in which `one` had `side`."""
    players = Player(one, SECONDS), Player(other, SECONDS)
    return result(variant, *players, side=side, random=Random(seed))


def novice(variant: str, games: int, seed: int) -> Iterator[str]:
    """Yield a line on how the novice of a variant did against each of the simple players."""
    opponents = {"at random": who_plays_at_random(), "takes a win": who_takes_a_win(variant)}
    for name, opponent in opponents.items():
        score = played(variant, level(variant, "novice").bot, opponent, games, f"{seed} {name}")
        lowest, highest = NOVICE_IS_FOR[name]
        yield (
            f"{variant:<9} novice against who {name:<12} {score.score:6.1%}"
            f"  +{score.wins} ={score.draws} -{score.losses}"
            f"  (to be {lowest:.0%} to {highest:.0%}; seed {seed})"
        )


def careless(games: int, seed: int) -> Iterator[str]:
    """Yield a line on how the master of tinc did, on either side, against each careless builder."""
    master = level("tinc", "master").bot
    for name, builder in CARELESS_BUILDERS.items():
        for side in (Side.O, Side.X):
            score = total(
                of_one_game("tinc", master, builder, side, f"{seed} {name} {number}")
                for number in range(games)
            )
            yield (
                f"tinc      master as {side} against who {name:<38} wins {score.wins / games:6.1%}"
                f" within {MAX_MOVES} turns, loses {score.losses} of {games} (seed {seed})"
            )


def beginnings(variant: str, games: int, seed: int, seconds: float) -> int:
    """Return in how many ways games of the master against itself began."""
    master = level(variant, "master")
    found = set()
    for number in range(games):
        rng, position, moves = Random(f"{seed} {number}"), VARIANTS[variant].start, list[str]()
        while len(moves) < BEGINNING and position.outcome is None:
            moves.append(master.bot.choose(position, seconds * master.seconds, rng).move)
            position = position.play(moves[-1])
        found.add(tuple(moves))
    return len(found)


def measured(variants: Sequence[str], games: int, seed: int, scale: float) -> Iterator[str]:
    """Yield the lines of all of this for some variants; `scale` is times what masters think.

    Every match, and every master against itself, is of `games` games.
    """
    for variant in variants:
        yield from novice(variant, games, seed)
    yield from careless(games, seed) if "tinc" in variants else ()
    for variant in variants:
        yield (
            f"{variant:<9} {beginnings(variant, games, seed, scale)} of {games} games of the master"
            f" against itself began differently (seed {seed})"
        )
