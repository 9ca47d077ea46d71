"""One statement that reads which of a player's games wait for that player.

Each page of a game asks for this, to show its reader the way to the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Integer, and_, bindparam, exists, or_, select

from capsule.db.schema.absences import is_present
from capsule.db.schema.games import games, vacations
from capsule.games.row_queries import GAME, game_from
from capsule.games.status import RUNNING, GameStatus
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection

    from capsule.games.model import StoredGame


@dataclass(frozen=True, slots=True)
class WaitingGames:
    """The games that wait for a player, and whether a vacation may affect their clocks."""

    games: Sequence[StoredGame]
    was_anybody_away: bool


_PLAYER = bindparam("player_id", type_=Integer)


def _waits_for(side: Side, seat: ColumnElement[int | None]) -> ColumnElement[bool]:
    """Return the condition that a game waits for the player, who has the seat of this side."""
    other = side.other.value
    return and_(
        seat == _PLAYER,
        or_(
            games.c.turn == side.value,
            games.c.draw_offered_by == other,
            games.c.takeback_asked_by == other,
        ),
    )


_SEATS = {Side.X: games.c.x_player_id, Side.O: games.c.o_player_id}
_IS_CHALLENGE = and_(
    games.c.challenged_player_id == _PLAYER, games.c.status == GameStatus.CHALLENGED
)
_IS_RUNNING = games.c.status.in_(RUNNING)
_WAITS = or_(
    *(and_(_waits_for(side, seat), _IS_RUNNING) for side, seat in _SEATS.items()), _IS_CHALLENGE
)
_WAS_ANYBODY_AWAY = exists(
    select(vacations.c.id).where(
        vacations.c.player_id.in_(tuple(_SEATS.values())),
        vacations.c.ends_at > games.c.moved_at,
    )
)
_GAMES = GAME.add_columns(_WAS_ANYBODY_AWAY.label("was_anybody_away")).where(
    _WAITS,
    is_present(games.c.variant),
    # A player who plays alone has both seats.
    games.c.x_player_id.is_distinct_from(games.c.o_player_id),
)


def waiting_games_of(connection: Connection, player_id: int) -> WaitingGames:
    """Return the games that wait for a player, in no order.

    They are those in which the player is to move, or to answer an offer or a challenge, apart from
    those that the player plays alone.
    """
    rows = connection.execute(_GAMES, {"player_id": player_id}).all()
    return WaitingGames([game_from(row) for row in rows], any(row.was_anybody_away for row in rows))
