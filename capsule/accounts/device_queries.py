"""Reading and writing players' certificates and the codes that link another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from capsule.accounts.model import LinkCode, PlayerCertificate
from capsule.accounts.player_queries import PLAYER_COLUMNS, player_from
from capsule.db.schema.players import certificates, device_codes, players

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select

    from capsule.accounts.model import Player
    from capsule.db.schema.base import AnyRow


_CERTIFICATE_COLUMNS = (
    certificates.c.fingerprint,
    certificates.c.label,
    certificates.c.first_used_at,
    certificates.c.last_used_at,
    certificates.c.valid_until,
)
_USER = (
    select(*PLAYER_COLUMNS, *_CERTIFICATE_COLUMNS)
    .join(certificates, certificates.c.player_id == players.c.id)
    .where(certificates.c.fingerprint == bindparam("fingerprint"))
)
_LINK_CODE = select(
    device_codes.c.selector,
    device_codes.c.player_id,
    device_codes.c.made_at,
    device_codes.c.tries_left,
)


def user_of(connection: Connection, fingerprint: str) -> tuple[Player, PlayerCertificate] | None:
    """Return the player who uses a certificate, and the certificate; None if nobody does."""
    row = connection.execute(_USER, {"fingerprint": fingerprint}).first()
    return None if row is None else (player_from(row), _certificate(row))


def certificates_of(connection: Connection, player_id: int) -> Sequence[PlayerCertificate]:
    """Return a player's certificates in the order of their first use."""
    statement = (
        select(*_CERTIFICATE_COLUMNS)
        .where(certificates.c.player_id == player_id)
        .order_by(certificates.c.first_used_at, certificates.c.fingerprint)
    )
    return [_certificate(row) for row in connection.execute(statement)]


def add_certificate(
    connection: Connection, player_id: int, fingerprint: str, valid_until: datetime, now: datetime
) -> None:
    """Give a player one more certificate; a `Conflict` if it is somebody's already."""
    connection.execute(
        insert(certificates),
        {
            "fingerprint": fingerprint,
            "player_id": player_id,
            "first_used_at": now,
            "last_used_at": now,
            "valid_until": valid_until,
        },
    )


def record_use(
    connection: Connection, fingerprint: str, valid_until: datetime, now: datetime
) -> None:
    """Store when a certificate was used, and until when it said that it is valid."""
    connection.execute(
        update(certificates)
        .where(certificates.c.fingerprint == fingerprint)
        .values(last_used_at=now, valid_until=valid_until)
    )


def label_certificate(connection: Connection, fingerprint: str, label: str) -> None:
    """Give a certificate another label."""
    connection.execute(
        update(certificates).where(certificates.c.fingerprint == fingerprint).values(label=label)
    )


def drop_certificate(connection: Connection, fingerprint: str) -> None:
    """Take a certificate from its player."""
    connection.execute(delete(certificates).where(certificates.c.fingerprint == fingerprint))


def link_code_of(connection: Connection, player_id: int) -> LinkCode | None:
    """Return the code that a player has made, or None."""
    return _code(connection, _LINK_CODE.where(device_codes.c.player_id == player_id))


def link_code_by_selector(connection: Connection, selector: str) -> LinkCode | None:
    """Return the code with this selector, or None."""
    return _code(connection, _LINK_CODE.where(device_codes.c.selector == selector))


def add_link_code(connection: Connection, code: LinkCode) -> None:
    """Store a new code of a player who has none."""
    connection.execute(
        insert(device_codes).values(
            selector=code.selector,
            player_id=code.player_id,
            made_at=code.made_at,
            tries_left=code.tries_left,
        )
    )


def use_up_try(connection: Connection, selector: str) -> None:
    """Count one try at a code."""
    connection.execute(
        update(device_codes)
        .where(device_codes.c.selector == selector)
        .values(tries_left=device_codes.c.tries_left - 1)
    )


def drop_link_code_of(connection: Connection, player_id: int) -> None:
    """Delete a player's code."""
    connection.execute(delete(device_codes).where(device_codes.c.player_id == player_id))


def drop_link_codes_before(connection: Connection, moment: datetime) -> None:
    """Delete all codes that were made at that moment or earlier."""
    # Done whenever a code is made: the table never holds more than those of a few minutes, and
    # needs no index for this.
    connection.execute(delete(device_codes).where(device_codes.c.made_at <= moment))


def _certificate(row: AnyRow) -> PlayerCertificate:
    return PlayerCertificate(
        fingerprint=row.fingerprint,
        label=row.label,
        first_used_at=row.first_used_at,
        last_used_at=row.last_used_at,
        valid_until=row.valid_until,
    )


def _code(connection: Connection, statement: Select[Any]) -> LinkCode | None:
    row = connection.execute(statement).first()
    if row is None:
        return None
    return LinkCode(
        selector=row.selector,
        player_id=row.player_id,
        made_at=row.made_at,
        tries_left=row.tries_left,
    )


def players_without_certificates(connection: Connection) -> Sequence[int]:
    """Return the numbers of players without a certificate, as whom nobody can sign in.

    Erased players, who have no name either, are not among them.
    """
    statement = (
        select(players.c.id)
        .outerjoin_from(players, certificates)
        .where(certificates.c.player_id.is_(None), players.c.name != "")
        .order_by(players.c.id)
    )
    return connection.execute(statement).scalars().all()
