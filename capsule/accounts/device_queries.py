"""Reading and writing players' certificates and the codes that link another."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from capsule.accounts.model import LinkCode, Player, PlayerCertificate
from capsule.accounts.queries import PLAYER
from capsule.db.mapper import Mapper
from capsule.db.schema.players import certificates, device_codes, players

User = tuple[Player, PlayerCertificate]

_CERTIFICATE = Mapper(PlayerCertificate, certificates)
_LINK_CODE = Mapper(LinkCode, device_codes)
USER_COLUMNS = (*PLAYER.columns, *_CERTIFICATE.columns)
_USER = (
    sa.select(*USER_COLUMNS)
    .join_from(players, certificates, certificates.c.player_id == players.c.id)
    .where(certificates.c.fingerprint == sa.bindparam("fingerprint"))
)


def user_of(connection: sa.Connection, fingerprint: str) -> User | None:
    """Return the player who uses a certificate, and the certificate; None if nobody does."""
    row = connection.execute(_USER, {"fingerprint": fingerprint}).first()
    return None if row is None else read_user(row)


def read_user(row: Sequence[Any]) -> User | None:
    """Return the user in a row of the `USER_COLUMNS`, None if it has none."""
    if row[0] is None:
        return None
    return PLAYER.read(row), _CERTIFICATE.read(row[len(PLAYER.columns) :])


def certificates_of(connection: sa.Connection, player_id: int) -> Sequence[PlayerCertificate]:
    """Return a player's certificates in the order of their first use."""
    statement = _CERTIFICATE.select.where(certificates.c.player_id == player_id).order_by(
        certificates.c.first_used_at, certificates.c.fingerprint
    )
    return _CERTIFICATE.fetch_all(connection, statement)


def add_certificate(
    connection: sa.Connection,
    player_id: int,
    fingerprint: str,
    valid_until: datetime,
    now: datetime,
) -> None:
    """Give a player one more certificate; a `Conflict` if it has a player already."""
    added = PlayerCertificate(fingerprint, "", now, now, valid_until)
    values = {"player_id": player_id, **_CERTIFICATE.values(added)}
    connection.execute(sa.insert(certificates), values)


def change_certificate(connection: sa.Connection, fingerprint: str, **values: object) -> None:
    """Change what is stored of a certificate, such as its last use or its label, by column."""
    changed = sa.update(certificates).where(certificates.c.fingerprint == fingerprint)
    connection.execute(changed.values(values))


def drop_certificate(connection: sa.Connection, fingerprint: str) -> None:
    """Take a certificate from its player."""
    connection.execute(sa.delete(certificates).where(certificates.c.fingerprint == fingerprint))


def link_code_of(connection: sa.Connection, player_id: int) -> LinkCode | None:
    """Return the code that a player has made, or None."""
    statement = _LINK_CODE.select.where(device_codes.c.player_id == player_id)
    return _LINK_CODE.fetch_first(connection, statement)


def link_code_by_selector(connection: sa.Connection, selector: str) -> LinkCode | None:
    """Return the code with this selector, or None."""
    statement = _LINK_CODE.select.where(device_codes.c.selector == selector)
    return _LINK_CODE.fetch_first(connection, statement)


def add_link_code(connection: sa.Connection, code: LinkCode) -> None:
    """Store a new code of a player who has none."""
    connection.execute(sa.insert(device_codes), _LINK_CODE.values(code))


def use_up_try(connection: sa.Connection, selector: str) -> None:
    """Count one try at a code."""
    connection.execute(
        sa.update(device_codes)
        .where(device_codes.c.selector == selector)
        .values(tries_left=device_codes.c.tries_left - 1)
    )


def drop_link_code_of(connection: sa.Connection, player_id: int) -> None:
    """Delete a player's code."""
    connection.execute(sa.delete(device_codes).where(device_codes.c.player_id == player_id))


def drop_link_codes_before(connection: sa.Connection, moment: datetime) -> None:
    """Delete all codes that were made at that moment or earlier."""
    # Done whenever a code is made: the table never holds more than those of a few minutes, and
    # needs no index for this.
    connection.execute(sa.delete(device_codes).where(device_codes.c.made_at <= moment))


def players_without_certificates(connection: sa.Connection) -> Sequence[int]:
    """Return the numbers of players without a certificate, as whom nobody can sign in.

    Erased players, who have no name either, are not among them.
    """
    statement = (
        sa.select(players.c.id)
        .outerjoin_from(players, certificates)
        .where(certificates.c.player_id.is_(None), players.c.name != "")
        .order_by(players.c.id)
    )
    return connection.execute(statement).scalars().all()
