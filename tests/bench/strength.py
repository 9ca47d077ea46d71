"""The masters of ultimate and extreme against a plain search, and against more of their own time.

The plain search knows only the rules. Each two games in a row begin with the same four random
moves, with the sides exchanged. Both bots have the same processor time for a move.

Whether a master plays the same if it thinks ten times as long is asked of positions from games that
begin with four random moves and continue as a short search would play, six to forty-five moves in,
each with more than one move. They change with the weights. Seconds are the processor's.
"""

from collections.abc import Iterator, Sequence
from random import Random

from capsule.cli.arena import results_of
from engine import VARIANTS, Position
from engine.bots.bot import Bot
from engine.bots.hosting.match import MatchGame, MatchTerms, opening, played
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.means import Timepiece

PLAIN = "engine.bots.mcts:SearchBot"
"""The search that plays any variant: it changes only with the rules."""

OPENINGS = 4
SECONDS = 0.1
"""Seconds for a move."""


def against_plain(variant: str, games: int, seconds: float, seed: int) -> str:
    """Return a line on how the master of a variant did."""
    terms = MatchTerms(
        variant,
        ("master", PLAIN),
        games,
        seconds=seconds,
        seed=seed,
        openings=OPENINGS,
        clock=Timepiece.PROCESSOR,
    )
    return (
        f"{variant:<9} master against the plain search {score(list(played(terms)))}"
        f"  ({seconds:g} s of the processor a move, seed {seed})"
    )


def score(games: Sequence[MatchGame]) -> str:
    """Return the score of a match's first bot in words."""
    results = results_of(games)
    low, high = results.interval()
    return (
        f"{results.score:6.1%}  [{low:.1%}, {high:.1%}]"
        f"  +{results.wins} ={results.draws} -{results.losses}"
    )


POSITIONS, JUDGING_SECONDS = 60, 2.0
"""The number of positions, and the seconds of the master in the capsule."""

LONGER = 10
"""The factor by which the second search thinks longer."""

_EARLIEST, _LATEST = 6, 45
_PLAYER = BoardsBot(nodes=300)
"""The player of the games that the positions are from; it has no luck."""


def positions(variant: str, number: int, seed: int) -> Iterator[Position]:
    """Yield as many positions of a variant; the same for the same seed."""
    rng = Random(f"{seed} {variant}")
    while number:
        moves = opening(variant, OPENINGS, rng)
        position = VARIANTS[variant].replay(moves)
        for _ in range(rng.randint(_EARLIEST, _LATEST) - len(moves)):
            if position.outcome is not None:
                break
            position = position.play(_PLAYER.choose(position, 60, rng).move)
        if position.outcome is None and len(list(position.legal_moves())) > 1:
            number -= 1
            yield position


def agreed(bot: Bot, position: Position, seconds: float, seed: int) -> bool:
    """Return whether a bot plays the same after `seconds` as when it thinks `LONGER`."""
    moves = {bot.choose(position, time, Random(seed)).move for time in (seconds, LONGER * seconds)}
    return len(moves) == 1


def judged(bot: Bot, variant: str, number: int, seconds: float, seed: int) -> str:
    """Return a line on how often a bot would play the same if it thought `LONGER`."""
    alike = sum(
        agreed(bot, position, seconds, seed) for position in positions(variant, number, seed)
    )
    return (
        f"{variant:<9} the same move after {seconds:g} s and after {LONGER * seconds:g} "
        f"s of the processor in {alike} of {number} positions (seed {seed})"
    )
