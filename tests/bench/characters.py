"""The bots as opponents: a novice to beat, a master of tinc, variety.

Games of tinc that reach 60 turns count as draws. Everything printed follows from the seed alone,
except what a master makes of its seconds.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from capsule.cli.arena_report import BEGINNING, MatchResults
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


def novice(variant: str, games: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield how the novice of a variant did against each of the simple players."""
    opponents = {"at random": who_plays_at_random(), "takes a win": who_takes_a_win(variant)}
    for name, opponent in opponents.items():
        score = played(variant, level(variant, "novice").bot, opponent, games, f"{seed} {name}")
        yield {"variant": variant, "against": name, "seed": seed, **_row(score)}


def novice_line(row: dict[str, Any]) -> str:
    """Return the line of a match of the novice."""
    lowest, highest = NOVICE_IS_FOR[row["against"]]
    return (
        f"{row['variant']:<9} novice against who {row['against']:<12} {row['score']:6.1%}"
        f"  +{row['won']} ={row['drawn']} -{row['lost']}"
        f"  (to be {lowest:.0%} to {highest:.0%}; seed {row['seed']})"
    )


def careless(games: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield how the master of tinc did, on either side, against each careless builder."""
    master = level("tinc", "master").bot
    for name, builder in CARELESS_BUILDERS.items():
        for side in (Side.O, Side.X):
            score = total(
                of_one_game("tinc", master, builder, side, f"{seed} {name} {number}")
                for number in range(games)
            )
            yield {"against": name, "side": side.value, "seed": seed, **_row(score)}


def careless_line(row: dict[str, Any]) -> str:
    """Return the line of games against a careless builder."""
    return (
        f"tinc      master as {row['side']} against who {row['against']:<38}"
        f" wins {row['won'] / row['games']:6.1%} within {MAX_MOVES} turns, loses {row['lost']}"
        f" of {row['games']} (seed {row['seed']})"
    )


def _row(results: MatchResults) -> dict[str, Any]:
    return {
        "games": results.games,
        "won": results.wins,
        "drawn": results.draws,
        "lost": results.losses,
        "score": round(results.score, 4),
    }


def beginnings(variant: str, games: int, seed: int, seconds: float) -> dict[str, Any]:
    """Return in how many ways games of the master against itself began."""
    master = level(variant, "master")
    found = set()
    for number in range(games):
        rng, position, moves = Random(f"{seed} {number}"), VARIANTS[variant].start, list[str]()
        while len(moves) < BEGINNING and position.outcome is None:
            moves.append(master.bot.choose(position, seconds * master.seconds, rng).move)
            position = position.play(moves[-1])
        found.add(tuple(moves))
    return {"variant": variant, "games": games, "seed": seed, "beginnings": len(found)}


def beginnings_line(row: dict[str, Any]) -> str:
    """Return the line of the beginnings of a variant."""
    return (
        f"{row['variant']:<9} {row['beginnings']} of {row['games']} games of the master against"
        f" itself began differently (seed {row['seed']})"
    )


def measured(
    variants: Sequence[str], games: int, seed: int, scale: float, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Return all of this for some variants, and say each line; `scale` is times what masters think.

    Every match, and every master against itself, is of `games` games.
    """
    rows = []
    for row, line in _measured(variants, games, seed, scale):
        rows.append(row)
        say(line)
    return rows


def _measured(
    variants: Sequence[str], games: int, seed: int, scale: float
) -> Iterator[tuple[dict[str, Any], str]]:
    for variant in variants:
        for row in novice(variant, games, seed):
            yield row, novice_line(row)
    for row in careless(games, seed) if "tinc" in variants else ():
        yield row, careless_line(row)
    for variant in variants:
        row = beginnings(variant, games, seed, scale)
        yield row, beginnings_line(row)
