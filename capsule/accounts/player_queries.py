"""Reading and writing players, their settings and the addresses of their private feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, update

from capsule.accounts import names
from capsule.accounts.model import Player, Sanctions, Settings
from capsule.db.mapper import Mapper
from capsule.db.schema.players import (
    certificates,
    players,
    private_feeds,
)
from capsule.ui.languages import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection


SANCTIONS = Mapper(
    Sanctions,
    players,
    notices=players.c.warning,
    muted_until=players.c.silenced_until,
    ban_reason=players.c.banned_for,
)
_SETTINGS = Mapper(Settings, players)
PLAYER = Mapper(Player, players, settings=_SETTINGS, sanctions=SANCTIONS)

# Statements that many pages need are made once: making one costs more than running it.
_PLAYER = PLAYER.select
_BY_CERTIFICATE = _PLAYER.join(certificates, certificates.c.player_id == players.c.id).where(
    certificates.c.fingerprint == bindparam("fingerprint")
)
_BY_LIKENESS = _PLAYER.where(players.c.likeness == bindparam("likeness"))
_BY_LOOK = _PLAYER.where(players.c.look == bindparam("look")).order_by(players.c.look_number)
_BY_ID = _PLAYER.where(players.c.id == bindparam("player_id"))
_BY_FEED = _PLAYER.join(private_feeds, private_feeds.c.player_id == players.c.id).where(
    private_feeds.c.address == bindparam("address")
)
_NAMES = select(players.c.id, players.c.name).where(
    players.c.id.in_(bindparam("player_ids", expanding=True))
)


def player_by_certificate(connection: Connection, fingerprint: str) -> Player | None:
    """Return the player who uses the certificate with this fingerprint, or None."""
    return PLAYER.fetch_first(connection, _BY_CERTIFICATE, {"fingerprint": fingerprint})


def player_by_id(
    connection: Connection, player_id: int, *, to_change: bool = False
) -> Player | None:
    """Return the player with this number, or None.

    With `to_change`, nobody else changes them or holds them so until the transaction ends.
    """
    # With `key_share`, as in `lock_player`.
    statement = _BY_ID.with_for_update(key_share=True) if to_change else _BY_ID
    return PLAYER.fetch_first(connection, statement, {"player_id": player_id})


def player_by_likeness(connection: Connection, likeness: str) -> Player | None:
    """Return the player whose name has this likeness, or None."""
    return PLAYER.fetch_first(connection, _BY_LIKENESS, {"likeness": likeness})


def player_by_name(connection: Connection, name: str) -> Player | None:
    """Return the player with this name, in upper or lower case, or None."""
    player = player_by_likeness(connection, names.likeness(name))
    return player if player is not None and player.name.lower() == name.lower() else None


def players_looking_like(connection: Connection, name: str) -> Sequence[Player]:
    """Return the players whose names look like this one, one with this very name first."""
    found = PLAYER.fetch_all(connection, _BY_LOOK, {"look": names.look(name)})
    return sorted(found, key=lambda each: each.name.lower() != name.lower())


def player_by_feed(connection: Connection, address: str) -> Player | None:
    """Return the player whose private feed has this address, or None."""
    return PLAYER.fetch_first(connection, _BY_FEED, {"address": address})


def names_of(connection: Connection, player_ids: Iterable[int]) -> Mapping[int, str]:
    """Return players' names by their numbers."""
    rows = connection.execute(_NAMES, {"player_ids": tuple(player_ids)})
    return {row.id: row.name for row in rows}


def players_by_ids(connection: Connection, player_ids: Iterable[int]) -> Mapping[int, Player]:
    """Return players by their numbers."""
    found = PLAYER.fetch_all(connection, _PLAYER.where(players.c.id.in_(player_ids)))
    return {player.id: player for player in found}


def lock_player(connection: Connection, player_id: int) -> None:
    """Keep others from changing a player, their certificates or code until the transaction ends."""
    # With `key_share`, storing a game, a move or a message of the player's need not wait for this:
    # that transaction holds the game, which the holder of the player may want next.
    held = select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True)
    connection.execute(held)


def add_player(connection: Connection, name: str, now: datetime, language: str = DEFAULT) -> Player:
    """Store a new player; a `Conflict` if somebody's name is like this one."""
    today = now.date()
    player_id: int = connection.execute(
        insert(players).returning(players.c.id),
        {
            **_name_columns(name),
            "actions": 0,
            "created_at": now,
            "language": language,
            "active_on": today,
            "activity_shown_from": today,
        },
    ).scalar_one()
    settings = Settings(language=language)
    return Player(player_id, name, 0, now, settings, active_on=today, activity_shown_from=today)


def rename_player(connection: Connection, player_id: int, name: str) -> None:
    """Give a player another name; a `Conflict` if somebody's is like it."""
    connection.execute(
        update(players)
        .where(players.c.id == player_id)
        .values(look_number=0, **_name_columns(name))
    )


def respell_name(connection: Connection, player_id: int, name: str) -> None:
    """Write a player's name in another way that has the same likeness."""
    connection.execute(update(players).where(players.c.id == player_id).values(name=name))


def count_action(connection: Connection, player_id: int) -> None:
    """Raise the player's count of actions by one."""
    connection.execute(
        update(players).where(players.c.id == player_id).values(actions=players.c.actions + 1)
    )


def save_settings(connection: Connection, player_id: int, settings: Settings) -> None:
    """Store a player's settings."""
    values = _SETTINGS.values(settings)
    connection.execute(update(players).where(players.c.id == player_id).values(values))


def save_program_since(connection: Connection, player_id: int, since: datetime | None) -> None:
    """Store since when a player is a program, None for a person."""
    connection.execute(update(players).where(players.c.id == player_id).values(program_since=since))


def feed_address_of(connection: Connection, player_id: int) -> str | None:
    """Return the address of the player's private feed, None if there is no such player."""
    return connection.execute(
        select(private_feeds.c.address).where(private_feeds.c.player_id == player_id)
    ).scalar_one_or_none()


def add_feed_address(connection: Connection, player_id: int, address: str) -> None:
    """Give a new player's private feed its address."""
    connection.execute(insert(private_feeds), {"player_id": player_id, "address": address})


def change_feed_address(connection: Connection, player_id: int, address: str) -> None:
    """Give a player's private feed another address; the old one leads nowhere from then on."""
    connection.execute(
        update(private_feeds).where(private_feeds.c.player_id == player_id).values(address=address)
    )


def erase_name(connection: Connection, player_id: int) -> None:
    """Erase a player's name."""
    # No name has a space in it, so nobody's can be like this one.
    nameless = {"name": "", "likeness": f"former {player_id}", "look": None, "look_number": 0}
    connection.execute(update(players).where(players.c.id == player_id).values(**nameless))


def _name_columns(name: str) -> Mapping[str, str]:
    return {"name": name, "likeness": names.likeness(name), "look": names.look(name)}
