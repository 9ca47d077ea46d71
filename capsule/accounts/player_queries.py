"""Reading and writing players."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from capsule.accounts.model import Player
from capsule.accounts.names import likeness as likeness_of
from capsule.db.schema.players import certificates, device_codes, players, private_feeds
from capsule.ui.preferences import DEFAULT_PREFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row, Select


PLAYER_COLUMNS = tuple(players.c[field.name] for field in fields(Player))
"""What a `Player` is made of."""

# Statements of every page are made once: making one costs more than running it.
_BY_CERTIFICATE = (
    select(*PLAYER_COLUMNS)
    .join(certificates, certificates.c.player_id == players.c.id)
    .where(certificates.c.fingerprint == bindparam("fingerprint"))
)
_BY_LIKENESS = select(*PLAYER_COLUMNS).where(players.c.likeness == bindparam("likeness"))
_BY_ID = select(*PLAYER_COLUMNS).where(players.c.id == bindparam("player_id"))


def player_by_certificate(connection: Connection, fingerprint: str) -> Player | None:
    """Return the player who uses the certificate with this fingerprint, or None."""
    return _one(connection, _BY_CERTIFICATE, fingerprint=fingerprint)


def player_by_id(connection: Connection, player_id: int, *, to_stay: bool = False) -> Player | None:
    """Return the player, or None; `to_stay`, nothing changes them until the transaction ends."""
    statement = _BY_ID.with_for_update(read=True) if to_stay else _BY_ID
    return _one(connection, statement, player_id=player_id)


def player_by_likeness(connection: Connection, likeness: str) -> Player | None:
    """Return the player whose name has this likeness, or None."""
    return _one(connection, _BY_LIKENESS, likeness=likeness)


def player_by_name(connection: Connection, name: str) -> Player | None:
    """Return the player of a name, in whichever case; None where it is nobody's."""
    player = player_by_likeness(connection, likeness_of(name))
    return player if player is not None and player.name.lower() == name.lower() else None


def names_of(connection: Connection, player_ids: Iterable[int]) -> Mapping[int, str]:
    """Return the names of players."""
    statement = select(players.c.id, players.c.name).where(players.c.id.in_(player_ids))
    return {row.id: row.name for row in connection.execute(statement)}


def add_player(connection: Connection, name: str, likeness: str, now: datetime) -> Player:
    """Store a new player; sqlalchemy's IntegrityError where the likeness is somebody's."""
    player_id: int = connection.execute(
        insert(players)
        .values(name=name, likeness=likeness, actions=0, created_at=now)
        .returning(players.c.id)
    ).scalar_one()
    return Player(player_id, name, 0, now)


def rename_player(connection: Connection, player_id: int, name: str, likeness: str) -> None:
    """Give a player another name; IntegrityError where its likeness is somebody else's."""
    connection.execute(
        update(players).where(players.c.id == player_id).values(name=name, likeness=likeness)
    )


def count_action(connection: Connection, player_id: int) -> None:
    """Raise the player's count of actions by one."""
    connection.execute(
        update(players).where(players.c.id == player_id).values(actions=players.c.actions + 1)
    )


def count_action_after(connection: Connection, player_id: int, actions: int) -> bool:
    """Raise the player's count of actions where it is `actions`, and tell whether it was.

    Others wait with theirs until the transaction ends, and find another count then.
    """
    statement = update(players).where(players.c.id == player_id, players.c.actions == actions)
    return connection.execute(statement.values(actions=actions + 1)).rowcount == 1


def details_of(connection: Connection, player_id: int) -> dict[str, Any]:
    """Return what is kept of a player besides name, certificates and games, fit for JSON."""
    return {"private_feed": feed_of_player(connection, player_id)}


def erase_player(connection: Connection, player_id: int) -> None:
    """Erase all that is kept of a player but the games, which become a former player's."""
    for table in (certificates, device_codes, private_feeds):
        connection.execute(delete(table).where(table.c.player_id == player_id))
    # Nobody's name has a space, so that nobody can be like a former player.
    rename_player(connection, player_id, "", f"former {player_id}")
    change_settings(connection, player_id, DEFAULT_SETTINGS)


def player_from(row: Row[*tuple[Any, ...]], prefix: str = "") -> Player:
    """Return the player that a row with `PLAYER_COLUMNS` holds, each name behind a `prefix`."""
    return Player(**{field.name: getattr(row, prefix + field.name) for field in fields(Player)})


def _one(
    connection: Connection,
    statement: Select[Any],
    **parameters: int | str,
) -> Player | None:
    row: Sequence[Any] | None = connection.execute(statement, parameters).first()
    return Player(*row) if row else None


DEFAULT_SETTINGS: Mapping[str, bool | str] = {**asdict(DEFAULT_PREFERENCES), "takes_messages": True}
"""The columns of a player that are theirs to choose, as they are before that."""


def change_settings(
    connection: Connection, player_id: int, values: Mapping[str, bool | str]
) -> None:
    """Keep a player's choices: values of columns."""
    connection.execute(update(players).where(players.c.id == player_id).values(**values))


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
