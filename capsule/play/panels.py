"""The panels of a game's page: clock, offers, plans and ratings, each made for one visitor.

Templates only ask them questions; what a visitor may do, and what the page says, is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from capsule.games import conditional_moves, rated
from capsule.games.clock import ClockState
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import format_change
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.games.clock import Clock
    from capsule.games.model import Game
    from capsule.games.point_of_view import PointOfView
    from capsule.ratings.model import Rating
    from engine import Message


@dataclass(frozen=True, slots=True)
class ClockPanel:
    """The time for the move.

    `clock` is that of the side to move, None if none runs. `vacations` are the sides on vacation,
    each with the end of its vacation. `lapses_at` is when an open or kept seat lapses.
    """

    clock: Clock | None
    is_time_up: bool
    may_claim: bool
    vacations: Sequence[tuple[Side, datetime]]
    lapses_at: datetime | None


def clock_panel(game: Game, view: PointOfView | None) -> ClockPanel:
    """Return the panel of a game's clock."""
    clock = game.clock
    return ClockPanel(
        clock=clock,
        is_time_up=clock is not None and clock.state(game.now) is ClockState.CLAIMABLE,
        may_claim=view is not None and view.may_claim,
        vacations=[
            (side, vacation.ends)
            for side in Side
            if (vacation := game.vacation_of(side)) is not None
        ],
        lapses_at=game.stored.lapses_at,
    )


@dataclass(frozen=True, slots=True)
class OfferPanel:
    """The offers in a game, and those that the visitor may make or answer.

    `challenged` is the name of the player for whom a seat is kept. `taken_back` lists the moves
    that a takeback would remove: the takeback asked for, or else one by the visitor. Whether an
    offer is declined is what the visitor who made it is told. The keys let the visitor answer.
    """

    challenged: str | None
    may_answer_challenge: bool
    may_offer_draw: bool
    may_answer_draw: bool
    is_draw_declined: bool
    may_take_back: bool
    takes_back_at_once: bool
    may_answer_takeback: bool
    is_takeback_declined: bool
    taken_back: str
    draw_key: str
    takeback_key: str


def offer_panel(
    context: AppContext,
    game: Game,
    visitor: Visitor,
    view: PointOfView | None,
    challenged: str | None,
) -> OfferPanel:
    """Return the panel of a game's offers; `challenged` is as in `OfferPanel`."""
    turn = game.id, game.stored.turn_counter
    side_taken_back = game.stored.takeback_asked_by or (view.side_taken_back if view else None)
    return OfferPanel(
        challenged=challenged,
        may_answer_challenge=game.may_answer_challenge(visitor.player),
        may_offer_draw=view is not None and view.may_offer_draw,
        may_answer_draw=view is not None and view.may_answer_draw,
        is_draw_declined=view is not None and view.is_draw_declined,
        may_take_back=view is not None and view.may_take_back,
        takes_back_at_once=view is not None and view.takes_back_at_once,
        may_answer_takeback=view is not None and view.may_answer_takeback,
        is_takeback_declined=view is not None and view.is_takeback_declined,
        taken_back=_moves_taken_back(game, side_taken_back),
        draw_key=visitor.draw_key(context, *turn),
        takeback_key=visitor.takeback_key(context, *turn),
    )


def _moves_taken_back(game: Game, side: Side | None) -> str:
    ply = None if side is None else game.ply_of_takeback(side)
    if ply is None:
        return ""
    return ", ".join(move.move for move in game.recent if move.ply > ply)


@dataclass(frozen=True, slots=True)
class PlanPanel:
    """The visitor's conditional moves, in words, and whether the visitor may plan more."""

    may_plan: bool
    lines: Sequence[Message]


def plan_panel(connection: Connection, game: Game, view: PointOfView | None) -> PlanPanel:
    """Return the panel of a visitor's plans."""
    plan = conditional_moves.plan_of(connection, view)
    return PlanPanel(
        may_plan=view is not None and view.may_plan,
        lines=conditional_moves.describe(game.position, plan),
    )


class RatingState(Enum):
    """Whether a game counts for ratings, as its page says; `UNMENTIONED` if it says nothing."""

    UNMENTIONED = auto()
    CASUAL = auto()
    HINT_ASKED = auto()
    TAKEN_BACK = auto()
    SAME_BOT = auto()
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
class RatingPanel:
    """What a game's page says about ratings.

    `may_count` says that nothing so far keeps the game from counting. `changes` are in the order of
    sides, X first, without players who have been erased.
    """

    state: RatingState
    may_count: bool
    changes: Sequence[ShownChange]

    @property
    def is_casual(self) -> bool:
        """Whether the game's terms keep it from counting."""
        return self.state is RatingState.CASUAL

    @property
    def lost_to_hint(self) -> bool:
        """Whether a hint keeps the game from counting."""
        return self.state is RatingState.HINT_ASKED

    @property
    def lost_to_takeback(self) -> bool:
        """Whether a takeback keeps the game from counting."""
        return self.state is RatingState.TAKEN_BACK

    @property
    def is_same_bot(self) -> bool:
        """Whether the game does not count because the same bot plays both sides."""
        return self.state is RatingState.SAME_BOT

    @property
    def will_count(self) -> bool:
        """Whether the game will count, whatever the players do."""
        return self.state is RatingState.RATED

    @property
    def will_count_unless_taken_back(self) -> bool:
        """Whether the game will count unless a move is taken back."""
        return self.state is RatingState.RATED_UNLESS_TAKEN_BACK

    @property
    def will_count_unless_helped(self) -> bool:
        """Whether the game will count unless a hint is asked for or a move is taken back."""
        return self.state is RatingState.RATED_UNLESS_HELPED

    @property
    def is_pending(self) -> bool:
        """Whether the game counts but the new ratings are not stored yet."""
        return self.state is RatingState.PENDING

    @property
    def was_too_short(self) -> bool:
        """Whether the game did not count because it was over before its second move."""
        return self.state is RatingState.TOO_SHORT


def rating_panel(connection: Connection, game: Game) -> RatingPanel:
    """Return the panel of a game's effect on ratings."""
    stored = game.stored
    changes: Mapping[Side, tuple[Rating, Rating]] = {}
    if stored.rating_number is not None:
        changes = rating_queries.changes_of_game(
            connection, stored.id, stored.rating_number, rated.holders_of(stored)
        )
    return RatingPanel(
        state=_rating_state(game, has_changes=bool(changes)),
        may_count=rated.may_count(stored),
        changes=[
            ShownChange(stored.seat(side).name or "", after.short, format_change(before, after))
            for side, (before, after) in changes.items()
        ],
    )


def _rating_state(game: Game, *, has_changes: bool) -> RatingState:
    stored = game.stored
    if stored.is_solo or stored.was_called_off:
        return RatingState.UNMENTIONED
    if not stored.rated:
        return RatingState.CASUAL
    if stored.hints:
        return RatingState.HINT_ASKED
    if stored.takebacks:
        return RatingState.TAKEN_BACK
    if not rated.may_count(stored):
        return RatingState.SAME_BOT
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
