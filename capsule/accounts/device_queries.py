"""Reading and writing players' certificates and the codes that add one."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from capsule.accounts.model import Player, StoredCertificate, StoredCode
from capsule.accounts.player_queries import PLAYER_COLUMNS
from capsule.db.schema.players import certificates, device_codes, players

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection


_CERTIFICATE_COLUMNS = tuple(certificates.c[field.name] for field in fields(StoredCertificate))
_CODE_COLUMNS = tuple(device_codes.c[field.name] for field in fields(StoredCode))

_USER = (
    select(*PLAYER_COLUMNS, *_CERTIFICATE_COLUMNS)
    .join(certificates, certificates.c.player_id == players.c.id)
    .where(certificates.c.fingerprint == bindparam("fingerprint"))
)


def user_of(connection: Connection, fingerprint: str) -> tuple[Player, StoredCertificate] | None:
    """Return the player who uses a certificate, and the certificate; None where it is nobody's."""
    row: Sequence[Any] | None = connection.execute(_USER, {"fingerprint": fingerprint}).first()
    if row is None:
        return None
    count = len(PLAYER_COLUMNS)
    return Player(*row[:count]), StoredCertificate(*row[count:])


def hold_player(connection: Connection, player_id: int) -> None:
    """Keep others from a player's certificates and code until the transaction ends."""
    # With `key_share` nobody waits who stores a game, a move or a message of the player's: they
    # hold the game, which whoever holds the player may want next.
    held = select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True)
    connection.execute(held)


def certificates_of(connection: Connection, player_id: int) -> Sequence[StoredCertificate]:
    """Return a player's certificates, the first used first."""
    found = connection.execute(
        select(*_CERTIFICATE_COLUMNS)
        .where(certificates.c.player_id == player_id)
        .order_by(certificates.c.first_used_at, certificates.c.fingerprint)
    )
    return [StoredCertificate(*row) for row in found]


def add_certificate(
    connection: Connection, player_id: int, fingerprint: str, valid_until: datetime, now: datetime
) -> None:
    """Give a player one more certificate; IntegrityError where it is somebody's already."""
    connection.execute(
        insert(certificates).values(
            fingerprint=fingerprint,
            player_id=player_id,
            first_used_at=now,
            last_used_at=now,
            valid_until=valid_until,
        )
    )


def note_use(
    connection: Connection, fingerprint: str, valid_until: datetime, now: datetime
) -> None:
    """Note that a certificate is used, and until when it says that it is valid."""
    _change(connection, fingerprint, last_used_at=now, valid_until=valid_until)


def label_certificate(connection: Connection, fingerprint: str, label: str) -> None:
    """Give a certificate another label."""
    _change(connection, fingerprint, label=label)


def drop_certificate(connection: Connection, fingerprint: str) -> None:
    """Make a certificate nobody's."""
    connection.execute(delete(certificates).where(certificates.c.fingerprint == fingerprint))


def code_of(connection: Connection, player_id: int) -> StoredCode | None:
    """Return the code that a player has made, None where there is none."""
    row = connection.execute(
        select(*_CODE_COLUMNS).where(device_codes.c.player_id == player_id)
    ).first()
    return StoredCode(*row) if row else None


def code_by_selector(connection: Connection, selector: str) -> StoredCode | None:
    """Return the code of a selector, None where there is none."""
    row = connection.execute(
        select(*_CODE_COLUMNS).where(device_codes.c.selector == selector)
    ).first()
    return StoredCode(*row) if row else None


def add_code(connection: Connection, code: StoredCode) -> None:
    """Keep a new code of a player who has none."""
    connection.execute(
        insert(device_codes).values(
            selector=code.selector,
            player_id=code.player_id,
            made_at=code.made_at,
            tries_left=code.tries_left,
        )
    )


def take_try(connection: Connection, selector: str) -> None:
    """Count a try at a code."""
    connection.execute(
        update(device_codes)
        .where(device_codes.c.selector == selector)
        .values(tries_left=device_codes.c.tries_left - 1)
    )


def drop_code_of(connection: Connection, player_id: int) -> None:
    """Forget the code of a player."""
    connection.execute(delete(device_codes).where(device_codes.c.player_id == player_id))


def drop_codes_before(connection: Connection, moment: datetime) -> None:
    """Forget all codes that were made at that moment or earlier."""
    # Done whenever a code is made, so that the table holds those of a few minutes, and needs no
    # index for it.
    connection.execute(delete(device_codes).where(device_codes.c.made_at <= moment))


def details_of(connection: Connection, player_id: int) -> dict[str, Any]:
    """Return what is kept of a player's certificates and code, fit for JSON."""
    code = code_of(connection, player_id)
    return {
        "certificates": [
            {
                "sha256_of_public_key": each.fingerprint,
                "label": each.label,
                "first_used": each.first_used_at.isoformat(),
                "last_used": each.last_used_at and each.last_used_at.isoformat(),
                "valid_until": each.valid_until and each.valid_until.isoformat(),
            }
            for each in certificates_of(connection, player_id)
        ],
        "code_for_another_device": code
        and {
            "begins": code.selector,
            "made": code.made_at.isoformat(),
            "tries_left": code.tries_left,
        },
    }


def _change(connection: Connection, fingerprint: str, **values: datetime | str) -> None:
    connection.execute(
        update(certificates).where(certificates.c.fingerprint == fingerprint).values(**values)
    )
