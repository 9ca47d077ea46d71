"""Where a game can stand, and how it can end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from engine import Side

if TYPE_CHECKING:
    from engine import Outcome, Variant


class GameStatus(StrEnum):
    """Where a game stands; the values are those of the database and of records."""

    WAITING = "waiting"
    """A seat is open to anyone who has the game's address."""

    CHALLENGED = "challenged"
    """A seat is kept for one player, who has not answered yet."""

    PLAYING = "playing"
    FINISHED = "finished"
    """The rules decided it."""

    RESIGNED = "resigned"
    AGREED = "agreed"
    TIMED_OUT = "timed out"
    ABORTED = "aborted"
    """It was called off, or nobody took its seat: it has no result."""

    @property
    def is_running(self) -> bool:
        """Whether moves may still come."""
        return self in RUNNING

    @property
    def is_decided(self) -> bool:
        """Whether the game has ended with a result."""
        return self in DECIDED


RUNNING = (GameStatus.WAITING, GameStatus.CHALLENGED, GameStatus.PLAYING)
DECIDED = (GameStatus.FINISHED, GameStatus.RESIGNED, GameStatus.AGREED, GameStatus.TIMED_OUT)
OVER = (*DECIDED, GameStatus.ABORTED)


class EndReason(Enum):
    """Why a game ended; the value is the status in which it leaves the game."""

    RULES = GameStatus.FINISHED
    RESIGNATION = GameStatus.RESIGNED
    AGREEMENT = GameStatus.AGREED
    TIMEOUT = GameStatus.TIMED_OUT
    CALLED_OFF = GameStatus.ABORTED


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: why, who won, and the points of X and O.

    `winner` is None in a draw, `points` are None where the game was called off.
    """

    reason: EndReason
    winner: Side | None = None
    points: tuple[float, float] | None = None

    @classmethod
    def by_rules(cls, outcome: Outcome) -> Ending:
        """Return the ending that the rules of the variant decided."""
        return cls(EndReason.RULES, outcome.winner, outcome.points)

    @classmethod
    def resignation(cls, loser: Side) -> Ending:
        """Return the ending of a game that a side gave up."""
        return cls(EndReason.RESIGNATION, loser.other, _points_of_win(loser.other))

    @classmethod
    def timeout(cls, loser: Side) -> Ending:
        """Return the ending of a game in which a side ran out of time."""
        return cls(EndReason.TIMEOUT, loser.other, _points_of_win(loser.other))

    @classmethod
    def agreement(cls, variant: Variant) -> Ending:
        """Return the ending of a game whose players agreed on a draw, worth what the rules say."""
        return cls(EndReason.AGREEMENT, None, variant.draw_points)

    @classmethod
    def called_off(cls) -> Ending:
        """Return the ending of a game without a result."""
        return cls(EndReason.CALLED_OFF)


def _points_of_win(winner: Side) -> tuple[float, float]:
    return (1.0, 0.0) if winner is Side.X else (0.0, 1.0)
