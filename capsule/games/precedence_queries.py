"""The order of listed open seats: everybody's first seats come before second ones."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from sqlalchemy import or_, select, update

from capsule.db.schema.games import games
from capsule.games.status import GameStatus

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

    from capsule.games.model import StoredGame


def next_precedence(connection: Connection, game: StoredGame) -> int:
    """Return the place of a new open seat among those of its player: 0, −1 and so on."""
    taken = {row.precedence for row in connection.execute(_seats_offered_with(game))}
    return next(-number for number in count() if -number not in taken)


def move_last_seat_up(connection: Connection, before: StoredGame) -> None:
    """Give the place of a seat that is listed no more to the last one of its player."""
    # A seat that somebody is just taking is left out: nobody waits for a place in a list.
    statement = _seats_offered_with(before).with_for_update(skip_locked=True)
    rows = [row for row in connection.execute(statement) if row.precedence is not None]
    last = min(rows, key=lambda row: row.precedence, default=None)
    if last is not None and last.precedence < before.precedence:
        moved = update(games).where(games.c.id == last.id)
        connection.execute(moved.values(precedence=before.precedence))


def _seats_offered_with(game: StoredGame) -> Select[str, int | None]:
    """Return the statement of the listed open seats of the player who offers one in a game."""
    player_id = game.x.player_id or game.o.player_id
    return select(games.c.id, games.c.precedence).where(
        or_(games.c.x_player_id == player_id, games.c.o_player_id == player_id),
        games.c.status == GameStatus.WAITING,
        games.c.listed,
    )
