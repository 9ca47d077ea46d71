"""The share of positions where the master plays the same if it thinks ten times as long.

The positions are from games of ultimate or of extreme that begin with four random moves and
continue as a short search would play, six to forty-five moves in, each with more than one move.
They change with the weights. Seconds are the processor's.
"""

from collections.abc import Iterator
from random import Random

from engine import VARIANTS, Position
from engine.bots.bot import Bot
from engine.bots.hosting.match import opening
from engine.bots.local_boards.bot import BoardsBot

POSITIONS, SECONDS = 60, 2.0
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
        moves = opening(variant, 4, rng)
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
