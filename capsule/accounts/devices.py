"""A player's certificates, one for each device: signing in with them, labels, expiry, revocation.

`capsule.accounts.linking` adds certificates.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import activity, activity_queries, device_queries
from capsule.db.faults import DatabaseFault
from capsule.errors import OutdatedAction
from capsule.ui.user_text import clean_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from capsule.accounts.model import Player, PlayerCertificate
    from capsule.context import AppContext, Transaction
    from capsule.gemini.types import Certificate


MAX_LABEL_LENGTH = 40

EXPIRY_NOTICE = timedelta(days=30)
"""The time before a certificate's end from which its player sees a notice."""

EXPIRY_URGENT = timedelta(days=7)
"""The time before a certificate's end from which the notice is urgent."""


@dataclass(frozen=True)
class Expiry:
    """The expiry of a certificate, near or past; `days` are the whole days left."""

    until: datetime
    days: int
    is_urgent: bool
    is_over: bool


def sign_in(transaction: Transaction, certificate: Certificate) -> Player | None:
    """Return the player who uses a certificate, None if it is unknown, and have its use recorded.

    The use is stored once a day, and when the certificate has been renewed. So is the day on which
    the player is here, if others may see it. That is done after the transaction, and nobody waits
    for it: if the database is busy, the next use is stored instead.
    """
    user = device_queries.user_of(transaction.connection, certificate.fingerprint)
    if user is None:
        return None
    player, known = user
    now = transaction.now
    is_recorded = known.last_used_at is not None and known.last_used_at.date() >= now.date()
    is_renewed = known.valid_until is None or known.valid_until < certificate.not_after
    if is_renewed or activity.is_to_be_noted(player, now) or not is_recorded:
        context = transaction.context
        transaction.after_commit(partial(_record_use, context, player, certificate, now))
    return player


def _record_use(
    context: AppContext, player: Player, certificate: Certificate, now: datetime
) -> None:
    with suppress(DatabaseFault), context.database.writing(patience=0) as connection:
        # The player first, as where players are erased with their certificates.
        if activity.is_to_be_noted(player, now):
            activity_queries.save_day(connection, player.id, now.date())
        device_queries.record_use(connection, certificate.fingerprint, certificate.not_after, now)


def certificates_of(transaction: Transaction, player: Player) -> Sequence[PlayerCertificate]:
    """Return the player's certificates, numbered from 1 in the order of their first use.

    The numbers change only by actions of the player, which also outdate the keys on pages.
    """
    return device_queries.certificates_of(transaction.connection, player.id)


def expiry_of(valid_until: datetime | None, now: datetime) -> Expiry | None:
    """Return the expiry of a certificate if it is near or past, else None."""
    if valid_until is None or valid_until - now > EXPIRY_NOTICE:
        return None
    left = valid_until - now
    return Expiry(
        until=valid_until,
        days=max(left.days, 0),
        is_urgent=left <= EXPIRY_URGENT,
        is_over=valid_until < now,
    )


def label(transaction: Transaction, player: Player, number: int, text: str) -> None:
    """Label the player's certificate with this number.

    Raises `TextRefused` if the text is unfit, and `OutdatedAction` if there is no such certificate.
    """
    known = _certificate(transaction, player, number)
    line = clean_line(text, MAX_LABEL_LENGTH)
    device_queries.label_certificate(transaction.connection, known.fingerprint, line)


def revoke(transaction: Transaction, player: Player, number: int) -> PlayerCertificate:
    """Revoke the player's certificate with this number, and return it.

    Raises `OutdatedAction` if it is the only one, or if there is none.
    """
    known = _certificate(transaction, player, number)
    if len(certificates_of(transaction, player)) == 1:
        raise OutdatedAction
    device_queries.drop_certificate(transaction.connection, known.fingerprint)
    return known


def _certificate(transaction: Transaction, player: Player, number: int) -> PlayerCertificate:
    known = certificates_of(transaction, player)
    if not 1 <= number <= len(known):
        raise OutdatedAction
    return known[number - 1]
