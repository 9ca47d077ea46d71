"""The part of a game's page about ratings: whether it counts, and how it has changed them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from capsule.games import rated
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import format_change

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.games.game import Game
    from capsule.ratings.model import Rating
    from engine import Side


class RatingState(Enum):
    """The page's answer to whether a game counts for ratings; `UNMENTIONED` if it says nothing."""

    UNMENTIONED = auto()
    CASUAL = auto()
    HINT_ASKED = auto()
    TAKEN_BACK = auto()
    SAME_BOT = auto()
    SURPLUS = auto()
    RATED = auto()
    RATED_UNLESS_TAKEN_BACK = auto()
    RATED_UNLESS_HELPED = auto()
    CHANGED = auto()
    PENDING = auto()
    TOO_SHORT = auto()


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A player's rating after a game and the change in it, both formatted for the page."""

    name: str
    rating: str
    change: str


@dataclass(frozen=True, slots=True)
class RatingSection:
    """The part of a game's page about ratings.

    `may_count` says that nothing so far keeps the game from counting. `changes` are in the order of
    sides, X first, without players who have been erased.
    """

    state: RatingState
    may_count: bool
    changes: Sequence[ShownChange]


def rating_section(connection: Connection, game: Game) -> RatingSection:
    """Return the section about a game's effect on ratings."""
    stored = game.stored
    changes: Mapping[Side, tuple[Rating, Rating]] = {}
    if stored.rating_number is not None:
        changes = rating_queries.changes_of_game(
            connection, stored.id, stored.rating_number, rated.holders_of(stored)
        )
    return RatingSection(
        state=_rating_state(game, has_changes=bool(changes)),
        may_count=rated.may_count(stored),
        changes=[
            ShownChange(stored.seat(side).name or "", after.short, format_change(before, after))
            for side, (before, after) in changes.items()
        ],
    )


def _rating_state(game: Game, *, has_changes: bool) -> RatingState:
    stored = game.stored
    if stored.is_solo or stored.was_aborted:
        return RatingState.UNMENTIONED
    if not stored.rated:
        return RatingState.CASUAL
    if stored.hints:
        return RatingState.HINT_ASKED
    if stored.takebacks:
        return RatingState.TAKEN_BACK
    if not rated.may_count(stored):
        return RatingState.SURPLUS if stored.surplus else RatingState.SAME_BOT
    return (
        _state_running(game) if stored.is_running else _state_ended(game, has_changes=has_changes)
    )


def _state_running(game: Game) -> RatingState:
    if not game.stored.is_playing or game.stored.tournament_id is not None:
        return RatingState.RATED
    if game.stored.bot_level is None:
        return RatingState.RATED_UNLESS_TAKEN_BACK
    return RatingState.RATED_UNLESS_HELPED


def _state_ended(game: Game, *, has_changes: bool) -> RatingState:
    if has_changes:
        return RatingState.CHANGED
    if game.stored.rating_number is not None:
        # Both players have been erased, and their rating changes with them.
        return RatingState.UNMENTIONED
    return RatingState.PENDING if rated.counts(game.stored) else RatingState.TOO_SHORT
