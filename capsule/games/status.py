"""A game's status, and the ways in which it can end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine import Side

if TYPE_CHECKING:
    from engine import Outcome, Variant


class GameStatus(StrEnum):
    """A game's status; the values are those in the database and in records."""

    WAITING = "waiting"
    """A seat is open to anyone who has the game's address."""

    CHALLENGED = "challenged"
    """A seat is kept for one player, who has not answered yet."""

    PLAYING = "playing"
    FINISHED = "finished"
    """Decided by the rules of the variant, or drawn by the terms of its cup."""

    RESIGNED = "resigned"
    AGREED = "agreed"
    TIMED_OUT = "timed out"
    ABORTED = "aborted"
    """It ended before its second move, or nobody took its seat: it has no result."""


RUNNING = (GameStatus.WAITING, GameStatus.CHALLENGED, GameStatus.PLAYING)
DECIDED = (GameStatus.FINISHED, GameStatus.RESIGNED, GameStatus.AGREED, GameStatus.TIMED_OUT)
OVER = (*DECIDED, GameStatus.ABORTED)


class EndReason(StrEnum):
    """Why a game ended without a result; the values are those in the database and in JSON."""

    DECLINED = "declined"
    """The challenged player declined."""

    WITHDRAWN = "withdrawn"
    """Its player withdrew the challenge or the open seat."""

    EXPIRED = "expired"
    """Nobody took the seat in time."""

    ABORTED = "aborted"
    """A player aborted it before its second move."""

    OUT_OF_TIME = "out of time"
    """The side to move ran out of time before the second move."""

    BANNED = "banned"
    ERASED = "erased"
    """A player was banned, or erased the account, before the second move."""

    CANCELLED = "cancelled"
    """The operator cancelled the cup to which it belonged."""

    NO_VOTES = "no votes"
    """Nobody voted for the next move of everyone's game."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game: the status it then has, the winner, and the points of X and O.

    `winner` is None in a draw and in an aborted game, which has no `points` either, but a `reason`.
    `ended_by` is the side that brought the latter about, None if neither did.
    """

    status: GameStatus
    winner: Side | None = None
    points: tuple[float, float] | None = None
    reason: EndReason | None = None
    ended_by: Side | None = None

    @classmethod
    def by_rules(cls, outcome: Outcome) -> Ending:
        """Return the ending of a game decided by the rules of its variant."""
        return cls(GameStatus.FINISHED, outcome.winner, outcome.points)

    @classmethod
    def resignation(cls, loser: Side) -> Ending:
        """Return the ending of a game that a side resigned."""
        return cls(GameStatus.RESIGNED, loser.other, _points_of_win(loser.other))

    @classmethod
    def timeout(cls, loser: Side) -> Ending:
        """Return the ending of a game in which a side ran out of time."""
        return cls(GameStatus.TIMED_OUT, loser.other, _points_of_win(loser.other))

    @classmethod
    def agreement(cls, variant: Variant) -> Ending:
        """Return the ending of a game drawn by agreement, with the variant's points for a draw."""
        return cls(GameStatus.AGREED, None, variant.draw_points)

    @classmethod
    def by_terms(cls, variant: Variant) -> Ending:
        """Return the ending of a game that the terms of its cup make a draw."""
        return cls(GameStatus.FINISHED, None, variant.draw_points)

    @classmethod
    def aborted(cls, reason: EndReason, ended_by: Side | None = None) -> Ending:
        """Return the ending of a game without a result, for a reason, by a side or by neither."""
        return cls(GameStatus.ABORTED, reason=reason, ended_by=ended_by)


def _points_of_win(winner: Side) -> tuple[float, float]:
    return (1.0, 0.0) if winner is Side.X else (0.0, 1.0)
