"""Reading and writing what feeds are made of: private addresses, and the moves of many games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select, update

from capsule.store.games import MOVE_COLUMNS, StoredMove
from capsule.store.players import PLAYER_COLUMNS, Player
from capsule.store.schema import games, moves, players, private_feeds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

_BY_ADDRESS = (
    select(*PLAYER_COLUMNS)
    .join(private_feeds, private_feeds.c.player_id == players.c.id)
    .where(private_feeds.c.address == bindparam("address"))
)


def player_by_feed(connection: Connection, address: str) -> Player | None:
    """Return the player whose private feed has this address, or None."""
    row: Sequence[Any] | None = connection.execute(_BY_ADDRESS, {"address": address}).first()
    return Player(*row) if row else None


def feed_of_player(connection: Connection, player_id: int) -> str | None:
    """Return the address of the player's private feed, None where there is no such player."""
    return connection.execute(
        select(private_feeds.c.address).where(private_feeds.c.player_id == player_id)
    ).scalar_one_or_none()


def add_feed(connection: Connection, player_id: int, address: str) -> None:
    """Give a new player's private feed its address."""
    connection.execute(insert(private_feeds).values(player_id=player_id, address=address))


def change_feed(connection: Connection, player_id: int, address: str) -> None:
    """Give a player's private feed another address; the old one is nobody's from now on."""
    connection.execute(
        update(private_feeds).where(private_feeds.c.player_id == player_id).values(address=address)
    )


def last_moves(
    connection: Connection, game_ids: Iterable[str], most: int
) -> Mapping[str, Sequence[StoredMove]]:
    """Return the last moves of each of the games, `most` at most of each, in order."""
    last = (
        select(moves.c.game_id, *MOVE_COLUMNS)
        .join(games, games.c.id == moves.c.game_id)
        .where(games.c.id.in_(tuple(game_ids)), moves.c.ply > games.c.ply - most)
        .order_by(moves.c.game_id, moves.c.ply)
    )
    found: dict[str, list[StoredMove]] = {}
    rows: Sequence[Sequence[Any]] = connection.execute(last).all()
    for game_id, *move in rows:
        found.setdefault(game_id, []).append(StoredMove(*move))
    return found
