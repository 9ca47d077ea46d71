"""Actions in a game that came too late: the game's page says so, and shows what was typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts.action_keys import last_counts
from capsule.accounts.identity import GAME_SUBJECTS
from capsule.accounts.pages.outdated import Undone, always, page_below
from capsule.errors import NotFound
from capsule.games import conditional_moves, moves, reading
from capsule.games.status import GameStatus
from capsule.ui import responses
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.game import Game
    from capsule.games.model import Seat
    from capsule.gemini.types import Response
    from engine import Side


@dataclass(frozen=True, slots=True)
class LateAction:
    """An action that came too late, in a game as it is now.

    `count` is the turn counter at which its key was the visitor's own, None if it was not lately.
    """

    player: Player | None
    game: Game
    count: int | None

    @property
    def side(self) -> Side | None:
        """The player's side, None without a seat."""
        return None if self.player is None else self.game.stored.side_of(self.player.id)

    @property
    def seat(self) -> Seat | None:
        """The player's seat, if they have one."""
        return None if self.side is None else self.game.stored.seat(self.side)

    @property
    def has_joined(self) -> bool:
        """Whether the player has a seat."""
        return self.side is not None

    @property
    def has_resigned(self) -> bool:
        """Whether the player has resigned the game."""
        stored = self.game.stored
        is_own = stored.is_solo or stored.winner is not self.side
        return stored.status is GameStatus.RESIGNED and is_own

    @property
    def has_claimed(self) -> bool:
        """Whether the player has won the game on time."""
        stored = self.game.stored
        return stored.status is GameStatus.TIMED_OUT and stored.winner is self.side

    @property
    def has_offered_draw(self) -> bool:
        """Whether the player has offered a draw on that turn, or has agreed to one."""
        at_turn = None if self.seat is None else self.seat.draw_offered_at_turn
        return self.is_agreed or (at_turn is not None and at_turn == self.count)

    @property
    def has_asked_takeback(self) -> bool:
        """Whether the player has asked for a takeback on that turn, or has had one."""
        at_turn = None if self.seat is None else self.seat.takeback_asked_at_turn
        return self.is_taken_back or (at_turn is not None and at_turn == self.count)

    @property
    def has_accepted(self) -> bool:
        """Whether what the player was offered has come about."""
        has_rematch = not self.game.is_running and self.game.stored.next_id is not None
        return self.is_agreed or self.is_taken_back or has_rematch

    @property
    def is_agreed(self) -> bool:
        """Whether the game has ended in a draw by agreement."""
        return self.game.stored.status is GameStatus.AGREED

    @property
    def is_taken_back(self) -> bool:
        """Whether moves were taken back on that turn, and none has been made since."""
        stored, last = self.game.stored, self.game.last_move
        takebacks = last.takebacks if last is not None else 0
        return (
            self.count == stored.turn_counter - 1
            and stored.is_running
            and stored.takebacks > 0
            and stored.turn_counter - stored.ply > takebacks
        )


_IS_DONE: Mapping[str, Callable[[LateAction], bool]] = {
    "join": lambda action: action.has_joined,
    "resign": lambda action: action.has_resigned,
    "abort": lambda action: action.game.stored.was_aborted,
    "claim": lambda action: action.has_claimed,
    "draw": lambda action: action.has_offered_draw,
    "takeback": lambda action: action.has_asked_takeback,
    "rematch": lambda action: action.game.stored.next_id is not None,
    "accept": lambda action: action.has_accepted,
    # An offer that is no more needs no answer.
    "decline": lambda action: not action.game.stored.has_offer_to(action.side),
}
"""Whether the game is as an action would have left it, by the last segment of the URL."""

_NO_MOVE = message("That link was of an earlier position: nothing was played.")
_YOUR_MOVE_WAS = message("Your move was:")
NOT_PLAYED, GAME_OVER, NOT_YOUR_TURN = (
    Undone(reason, _NO_MOVE, _YOUR_MOVE_WAS)
    for reason in (
        message("Nothing was played: that page showed an earlier position."),
        message("Nothing was played: the game is over."),
        message("Nothing was played: it is not your turn."),
    )
)
NOT_PLANNED = Undone(
    message("Nothing was planned: that page showed an earlier position."),
    message("That link was of an earlier position: nothing was planned."),
)
PLAN_PLAYED = always(message("Your plan has been played already."))
NOT_JOINED = always(message("You have not joined this game: the seat is no longer open."))
NOT_DONE = always(message("That link was of an earlier position: nothing was done."))


def late_move(
    context: AppContext, visitor: Visitor, game_id: str, key: str, typed: str
) -> Response:
    """Return the page of a game, which says that a move was not played, and why.

    It does not if this very link has played that move, as the player's last: a bot may have
    answered since.
    """
    action = _late_action(context, visitor, game_id, key)
    game, count = action.game, action.count
    if count is not None and moves.is_last_move(context, visitor.player, game, count, typed):
        return responses.redirect(f"/play/{game_id}")
    undone = NOT_PLAYED
    if not game.is_running:
        undone = GAME_OVER
    elif count == game.stored.turn_counter:
        undone = NOT_YOUR_TURN
    return page_below(f"/play/{game_id}", undone, typed, is_own=count is not None)


def late_plan(
    context: AppContext, visitor: Visitor, game_id: str, key: str, typed: str | None
) -> Response:
    """Return the page of a game, which says that a move was not planned, or has been played."""
    action = _late_action(context, visitor, game_id, key)
    game, side, count = action.game, action.side, action.count
    was_played = (
        typed
        and side is not None
        and count is not None
        and conditional_moves.was_played(context, game, side, count, typed)
    )
    undone = PLAN_PLAYED if was_played else NOT_PLANNED
    return page_below(f"/play/{game_id}", undone, typed, is_own=count is not None)


def late_action(
    context: AppContext, visitor: Visitor, game_id: str, key: str, verb: str
) -> Response:
    """Return the page of a game, which says that nothing was done.

    It does not if the game is as the action would have left it.
    """
    action = _late_action(context, visitor, game_id, key)
    if verb in _IS_DONE and _IS_DONE[verb](action):
        return responses.redirect(f"/play/{game_id}")
    undone = NOT_PLAYED if verb == "move" else NOT_DONE
    if verb == "join" and action.game.stored.open_side is None:
        undone = NOT_JOINED
    return page_below(f"/play/{game_id}", undone)


def _late_action(context: AppContext, visitor: Visitor, game_id: str, key: str) -> LateAction:
    game = reading.find_game(context, game_id)
    if game is None:
        raise NotFound
    counts = last_counts(game.stored.turn_counter)
    found = (
        visitor.count_of(context, subject.format(game_id), key, counts) for subject in GAME_SUBJECTS
    )
    count = next((count for count in found if count is not None), None)
    return LateAction(visitor.player, game, count)
