"""A game as the capsule knows it: how it stands, who may do what, and how it goes on or ends.

What happens in a transaction is given its connection; each use case opens its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.games import clock
from capsule.games.clock import Clock, ClockState
from capsule.games.status import CHALLENGED, PLAYING, RUNNING, WAITING
from engine import VARIANTS, Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from capsule.accounts.model import Player
    from capsule.games.clock import Vacation
    from capsule.games.queries import StoredGame, StoredMove
    from engine import Position, Variant


ABORT_BEFORE = 2
"""A game can be called off while fewer moves than this have been made."""

MOVES_TOLD = 6
"""The last moves that a game's page tells of."""


@dataclass(frozen=True)
class Game:
    """A game as it stands or stood: what is stored, and the position after `ply` of its moves.

    `recent` are the last moves up to there, the oldest first, and `before` is the position before
    the last of them. `now` is when it was looked at: what had ended by itself until then is ended.
    `vacations` are those of players whose clocks may run, by player, as far as they matter.
    """

    stored: StoredGame
    position: Position
    ply: int
    recent: Sequence[StoredMove]
    now: datetime
    vacations: Mapping[int, Sequence[Vacation]]
    before: Position | None = None

    @property
    def variant(self) -> Variant:
        """The rules it is played by."""
        return VARIANTS[self.stored.variant]

    @property
    def is_running(self) -> bool:
        """Whether it goes on: moves may come."""
        return self.stored.status in RUNNING

    @property
    def is_solo(self) -> bool:
        """Whether one player has both seats."""
        return (
            self.stored.x_player_id is not None
            and self.stored.x_player_id == self.stored.o_player_id
        )

    @property
    def bot_level(self) -> str | None:
        """The level of the bot that plays, if one does."""
        return self.stored.x_bot or self.stored.o_bot

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to move."""
        return self.is_running and self.stored.bot_to_move

    @property
    def open_side(self) -> Side | None:
        """The seat that anyone may still take, if there is one."""
        return self._empty_seat if self.stored.status == WAITING else None

    @property
    def kept_side(self) -> Side | None:
        """The seat that is kept for somebody who was challenged, if there is one."""
        return self._empty_seat if self.stored.status == CHALLENGED else None

    @property
    def _empty_seat(self) -> Side:
        return Side.X if self.stored.x_player_id is None and not self.stored.x_bot else Side.O

    @property
    def can_be_aborted(self) -> bool:
        """Whether it is young enough to be called off: of a tournament none is."""
        return self.is_running and may_be_called_off(self.stored)

    def seats_of(self, player: Player | None) -> tuple[Side, ...]:
        """Return the sides that the player has: none, one, or both in a solo game."""
        if player is None:
            return ()
        holders = ((Side.X, self.stored.x_player_id), (Side.O, self.stored.o_player_id))
        return tuple(side for side, holder in holders if holder == player.id)

    def side_acting_for(self, player: Player | None) -> Side | None:
        """Return the side for which the player acts: in a solo game the one to move."""
        seats = self.seats_of(player)
        if len(seats) == 2:
            return self.position.turn
        return seats[0] if seats else None

    def is_turn_of(self, player: Player | None) -> bool:
        """Tell whether the player is the one to move."""
        return self.is_running and self.position.turn in self.seats_of(player)

    @property
    def clock(self) -> Clock | None:
        """The clock of the side to move, where one runs."""
        return clock_of(self.stored, self.vacations)

    def vacation_of(self, side: Side) -> Vacation | None:
        """Return the vacation that a side's player is on."""
        holder = self.stored.x_player_id if side is Side.X else self.stored.o_player_id
        if holder is None:
            return None
        return clock.current_vacation(self.vacations.get(holder, ()), self.now)

    def may_claim(self, player: Player | None) -> bool:
        """Tell whether the opponent's time is up, so that the player may claim the game."""
        runs = self.clock
        return (
            runs is not None
            and not self.can_be_aborted
            and self.position.turn.other in self.seats_of(player)
            and runs.stand(self.now) is ClockState.CLAIMABLE
        )

    def may_answer_challenge(self, player: Player | None) -> bool:
        """Tell whether the player is the one whom this game waits for."""
        return (
            player is not None
            and self.stored.status == CHALLENGED
            and self.stored.challenged_player_id == player.id
        )

    def may_offer_draw(self, player: Player | None) -> bool:
        """Tell whether the player may offer a draw: once a turn, and not in a solo game."""
        side = self.side_acting_for(player)
        return (
            side is not None
            and self.stored.status == PLAYING
            and not self.is_solo
            and self.bot_level is None
            and self.stored.draw_offered_by is None
            and _offered_at_turn(self.stored, side) != self.stored.turn_counter
        )

    def ply_of_takeback(self, side: str | None) -> int | None:
        """Return how many moves stay when a side's last one is taken back; None if it has none."""
        last = next((move for move in reversed(self.recent) if move.side == side), None)
        return None if last is None else last.ply - 1

    def may_take_back(self, player: Player | None) -> bool:
        """Tell whether the player may take a move back, or ask for it: once a turn.

        In a tournament a move stays made.
        """
        side = self.side_acting_for(player)
        if side is None or self.stored.status != PLAYING or self.stored.tournament_id is not None:
            return False
        if self.is_solo:
            return self.ply > 0
        return self.ply_of_takeback(side.value) is not None and (
            self.bot_level is not None
            or (
                self.stored.takeback_asked_by is None
                and _offered_at_turn(self.stored, side) != self.stored.turn_counter
            )
        )

    def may_answer_takeback(self, player: Player | None) -> bool:
        """Tell whether the opponent's wish to take moves back waits for the player's answer."""
        side = self.side_acting_for(player)
        return (
            side is not None
            and self.stored.status == PLAYING
            and self.stored.takeback_asked_by == side.other.value
        )

    def may_answer_draw(self, player: Player | None) -> bool:
        """Tell whether the opponent's offer of a draw waits for the player's answer."""
        side = self.side_acting_for(player)
        return (
            side is not None
            and self.stored.status == PLAYING
            and self.stored.draw_offered_by == side.other.value
        )


def clock_of(game: StoredGame, vacations: Mapping[int, Sequence[Vacation]]) -> Clock | None:
    """Return the clock of the side to move in a stored game, where one runs."""
    # A bot is late only where the capsule is at fault: that costs nobody a game.
    if game.status != PLAYING or game.days_a_move is None or game.bot_to_move:
        return None
    mover = game.x_player_id if game.turn == "X" else game.o_player_id
    return Clock(game.moved_at, game.days_a_move, vacations.get(mover or 0, ()))


def may_be_called_off(game: StoredGame) -> bool:
    """Tell whether a game is young enough to be called off: of a tournament none is."""
    return game.ply < ABORT_BEFORE and game.tournament_id is None


def _offered_at_turn(game: StoredGame, side: Side) -> int | None:
    return game.x_offered_at_turn if side is Side.X else game.o_offered_at_turn
