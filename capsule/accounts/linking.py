"""Adding a certificate to a player: a code, shown on a known device, is typed on a new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import device_queries, link_codes, player_queries
from capsule.accounts.model import CODE_LIFETIME, LinkCode, Player
from capsule.errors import OutdatedAction, Refused
from engine.game import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from sqlalchemy import Connection

    from capsule.context import AppContext, Transaction
    from capsule.gemini.types import Certificate
    from engine import Message


MAX_TRIES = 5
"""The number of tries to type a code; a mistake in the last one ends it."""

MAX_CERTIFICATES = 20
"""The number of certificates that a player may have."""


class CodeRefused(Refused):
    """A code that does not add the certificate; `message` says why."""


@dataclass(frozen=True)
class ShownCode:
    """A code that can be used, as its player is shown it."""

    text: str
    until: datetime
    left: timedelta
    tries_left: int

    @property
    def minutes_left(self) -> int:
        """The whole minutes that are left."""
        return int(self.left.total_seconds()) // 60

    @property
    def was_mistyped(self) -> bool:
        """Whether somebody has mistyped it."""
        return self.tries_left < MAX_TRIES

    @property
    def letter_by_letter(self) -> Sequence[str]:
        """The code as it is read aloud."""
        return link_codes.letter_by_letter(self.text)


def code_of(transaction: Transaction, player: Player) -> ShownCode | None:
    """Return the code that the player has made, if it can still be used."""
    code = device_queries.link_code_of(transaction.connection, player.id)
    context, now = transaction.context, transaction.now
    if code is None or code.is_over(now):
        return None
    secret = link_codes.secret_part(context.secret, player.id, code.selector, code.made_at)
    return ShownCode(
        text=f"{code.selector}-{secret}",
        until=code.valid_until,
        left=code.valid_until - now,
        tries_left=code.tries_left,
    )


def make_code(transaction: Transaction, player: Player) -> None:
    """Make a code that adds a certificate to the player; their older one ends.

    Raises `OutdatedAction` if the player has `MAX_CERTIFICATES`.
    """
    connection, now = transaction.connection, transaction.now
    if len(device_queries.certificates_of(connection, player.id)) >= MAX_CERTIFICATES:
        raise OutdatedAction
    device_queries.drop_link_codes_before(connection, now - CODE_LIFETIME)
    device_queries.drop_link_code_of(connection, player.id)
    selector = _free_selector(transaction.context, connection)
    device_queries.add_link_code(connection, LinkCode(selector, player.id, now, MAX_TRIES))


def withdraw_code(transaction: Transaction, player: Player) -> None:
    """End the player's code."""
    device_queries.drop_link_code_of(transaction.connection, player.id)


def link(context: AppContext, certificate: Certificate, typed: str) -> None:
    """Add a certificate that is nobody's to the player whose code was typed.

    Raises `CodeRefused`; a wrong code may have cost a try.
    """
    parts = link_codes.read(typed)
    if parts is None:
        raise CodeRefused(
            message(
                "A code has ten letters and digits, as in {example}. It never has 0, 1, I, L or O",
                example=link_codes.EXAMPLE,
            )
        )
    with context.database.writing() as connection:
        # Raised only once the transaction has ended: an exception in it would undo the count of
        # tries.
        reason = _link(context, connection, certificate, *parts)
    if reason is not None:
        raise CodeRefused(reason)


def _link(
    context: AppContext,
    connection: Connection,
    certificate: Certificate,
    selector: str,
    secret: str,
) -> Message | None:
    """Add the certificate to the player of a code; return why not, None if it is done."""
    player = _owner_of_code(context, connection, selector, secret)
    if not isinstance(player, Player):
        return player
    if player_queries.player_by_certificate(connection, certificate.fingerprint) is not None:
        return message("This certificate already belongs to a player")
    if len(device_queries.certificates_of(connection, player.id)) >= MAX_CERTIFICATES:
        return message(
            "{name} has {limit} certificates, which is the limit. Revoke one first",
            name=player.name,
            limit=MAX_CERTIFICATES,
        )
    device_queries.add_certificate(
        connection, player.id, certificate.fingerprint, certificate.not_after, context.clock()
    )
    device_queries.drop_link_code_of(connection, player.id)
    # The numbers of the certificates may have changed, so links with the old ones are outdated.
    player_queries.count_action(connection, player.id)
    return None


def _owner_of_code(
    context: AppContext, connection: Connection, selector: str, secret: str
) -> Player | Message:
    """Return the player who made a code, or why it does not work; a wrong one costs a try."""
    now = context.clock()
    code = device_queries.link_code_by_selector(connection, selector)
    if code is not None:
        # Nobody else uses or ends the code, or changes the certificates, until this is done.
        player_queries.lock_player(connection, code.player_id)
        code = device_queries.link_code_by_selector(connection, selector)
    if code is None:
        return message(
            "There is no such code: it may have been used or withdrawn, or its ten minutes are over"
        )
    if code.is_over(now):
        device_queries.drop_link_code_of(connection, code.player_id)
        return message("The ten minutes of this code are over. Make a new one")
    expected = link_codes.secret_part(context.secret, code.player_id, code.selector, code.made_at)
    if not link_codes.are_equal(secret, expected):
        return _count_mistake(connection, code)
    player = player_queries.player_by_id(connection, code.player_id)
    if player is None or player.is_banned(now):
        device_queries.drop_link_code_of(connection, code.player_id)
        return message("The player who made this code is banned, and cannot add a certificate")
    return player


def _count_mistake(connection: Connection, code: LinkCode) -> Message:
    """Use up a try of a mistyped code, and return what to say about it."""
    left = code.tries_left - 1
    if left <= 0:
        device_queries.drop_link_code_of(connection, code.player_id)
        return message("That is not the code, and it was the last try. Make a new code")
    device_queries.use_up_try(connection, code.selector)
    return plural(
        "That is not the code. {count} try is left",
        "That is not the code. {count} tries are left",
        count=left,
    )


def _free_selector(context: AppContext, connection: Connection) -> str:
    while True:
        selector = link_codes.selector_from(context.random_bytes(8))
        if device_queries.link_code_by_selector(connection, selector) is None:
            return selector
