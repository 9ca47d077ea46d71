"""A game as the capsule knows it: how it stands, who may do what, and how it goes on or ends.

What happens in a transaction is given its connection; each use case opens its own.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from capsule.replays import Replayed
from capsule.store import games as stored
from engine import VARIANTS, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from capsule.site import Site
    from capsule.store.games import StoredGame, StoredMove
    from capsule.store.players import Player
    from engine import Position, Variant

WAITING, PLAYING, FINISHED = "waiting", "playing", "finished"
RESIGNED, AGREED, ABORTED = "resigned", "agreed", "aborted"
RUNNING = (WAITING, PLAYING)
ENDED = (FINISHED, RESIGNED, AGREED)

ABORT_BEFORE = 2
"""A game can be called off while fewer moves than this have been made."""

MOVES_TOLD = 6
"""The last moves that a game's page tells of."""


class OutdatedAction(Exception):
    """The action does not fit the game as it stands, so nothing was changed."""


@dataclass(frozen=True)
class Game:
    """A game as it stands or stood: what is stored, and the position after `ply` of its moves.

    `recent` are the last moves up to there, the oldest first.
    """

    stored: StoredGame
    position: Position
    ply: int
    recent: Sequence[StoredMove]

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
        if self.stored.status != WAITING:
            return None
        return Side.X if self.stored.x_player_id is None else Side.O

    @property
    def can_be_aborted(self) -> bool:
        """Whether it is young enough to be called off."""
        return self.is_running and self.stored.ply < ABORT_BEFORE

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

    def may_answer_draw(self, player: Player | None) -> bool:
        """Tell whether the opponent's offer of a draw waits for the player's answer."""
        side = self.side_acting_for(player)
        return (
            side is not None
            and self.stored.status == PLAYING
            and self.stored.draw_offered_by == side.other.value
        )


def game_at(site: Site, connection: Connection, game: StoredGame, ply: int) -> Game:
    """Return a stored game after the first `ply` of its moves."""

    def replay() -> Replayed:
        moves = stored.moves_of(connection, game.id, up_to=ply)
        position = VARIANTS[game.variant].replay(each.move for each in moves)
        return Replayed(position, moves[-MOVES_TOLD:])

    is_now = ply == game.ply
    replayed = site.replays.get(game.id, game.turn_counter, replay) if is_now else replay()
    return Game(game, replayed.position, ply, replayed.recent)


def expect(site: Site, connection: Connection, game_id: str, turn_counter: int) -> Game:
    """Return a game that goes on, for an action from a page made at that turn.

    Nobody else changes it until the transaction ends. Raises `OutdatedAction`.
    """
    game = stored.game_by_id(connection, game_id, to_change=True)
    if game is None or game.turn_counter != turn_counter or game.status not in RUNNING:
        raise OutdatedAction
    return game_at(site, connection, game, game.ply)


@contextmanager
def one_move() -> Iterator[None]:
    """Raise `OutdatedAction` where another device or process has just made this move."""
    try:
        yield
    except IntegrityError as error:
        raise OutdatedAction from error


def make_move(site: Site, connection: Connection, game: Game, move: str) -> Replayed:
    """Store a legal move of a game and return where it leads, for the cache of replays."""
    now = site.clock()
    position = game.position.play(move)
    made = stored.StoredMove(game.ply + 1, game.position.turn.value, move, now)
    stored.add_move(connection, game.stored.id, made)
    ending = {}
    if position.outcome is not None:
        winner = position.outcome.winner
        ending = ending_of(FINISHED, winner, position.outcome.points) | {"ended_at": now}
    next_bot = game.stored.x_bot if position.turn is Side.X else game.stored.o_bot
    stored.change_game(
        connection,
        game.stored.id,
        ply=game.ply + 1,
        turn=position.turn.value,
        turn_counter=game.stored.turn_counter + 1,
        draw_offered_by=None,
        moved_at=now,
        bot_to_move=position.outcome is None and next_bot is not None,
        **ending,
    )
    return Replayed(position, (*game.recent, made)[-MOVES_TOLD:])


def ending_of(
    status: str, winner: Side | None, points: tuple[float, float]
) -> dict[str, str | float | None]:
    """Return the columns of a game that ended so: what it was worth to whom."""
    return {
        "status": status,
        "analysis_due": True,
        "winner": winner and winner.value,
        "x_points": points[0],
        "o_points": points[1],
    }


def end(
    site: Site, connection: Connection, game: Game, values: dict[str, str | float | None]
) -> None:
    """End a game with these values of its columns."""
    now = site.clock()
    stored.change_game(
        connection,
        game.stored.id,
        draw_offered_by=None,
        bot_to_move=False,
        ended_at=now,
        moved_at=now,
        **values,
    )


def _offered_at_turn(game: StoredGame, side: Side) -> int | None:
    return game.x_offered_at_turn if side is Side.X else game.o_offered_at_turn
