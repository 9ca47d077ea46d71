"""A player's devices: certificates, the codes that add one, labels, and the end of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from capsule.accounts import device_queries, link_codes, model, player_queries
from capsule.accounts.actions import consume_action
from capsule.accounts.model import Player
from capsule.errors import OutdatedAction, Refused
from capsule.ui.user_text import clean_line
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import StoredCertificate, StoredCode
    from capsule.context import AppContext
    from capsule.gemini.types import Certificate
    from engine import Message


CODE_LIFE = timedelta(minutes=10)
"""How long a code can be used."""

MAX_TRIES = 5
"""How often somebody may be wrong about a code before it ends."""

MAX_CERTIFICATES = 20
"""Certificates that one player may have."""

MAX_LABEL_LENGTH = 40

EXPIRY_NOTICE = timedelta(days=30)
"""How long before its end a certificate's player is told of it."""

EXPIRY_URGENT = timedelta(days=7)
"""How long before its end that becomes urgent."""


class CodeRefused(Refused):
    """A code that does not add the certificate; `message` says why."""


@dataclass(frozen=True)
class Code:
    """A code that can be used: how it is written, until when, and how many tries it has left."""

    written: str
    until: datetime
    left: timedelta
    tries_left: int

    @property
    def minutes_left(self) -> int:
        """How many minutes are left, those begun not counted."""
        return int(self.left.total_seconds()) // 60

    @property
    def letter_by_letter(self) -> str:
        """The code the way it is read aloud."""
        return link_codes.letter_by_letter(self.written)


@dataclass(frozen=True)
class Expiry:
    """The end of a certificate that is near or past: how many whole days are left until then."""

    until: datetime
    days: int
    is_urgent: bool
    is_over: bool


def user_of(context: AppContext, certificate: Certificate) -> Player | None:
    """Return the player who uses a certificate, None where it is new here, and note the use.

    That is written down once a day, or when a renewed certificate is valid for longer.
    """
    with context.database.reading() as connection:
        user = device_queries.user_of(connection, certificate.fingerprint)
    if user is None:
        return None
    player, known = user
    now = context.clock()
    is_noted = known.last_used_at is not None and known.last_used_at.date() >= now.date()
    if not is_noted or known.valid_until is None or known.valid_until < certificate.not_after:
        with context.database.writing() as connection:
            device_queries.note_use(connection, certificate.fingerprint, certificate.not_after, now)
    return player


def certificates_of(context: AppContext, player: Player) -> Sequence[StoredCertificate]:
    """Return the player's certificates, the first used first: its place is a certificate's number.

    A number holds until the player acts, as do the keys of the actions with it.
    """
    with context.database.reading() as connection:
        return device_queries.certificates_of(connection, player.id)


def expiry_of(valid_until: datetime | None, now: datetime) -> Expiry | None:
    """Return the end of a certificate where it is near or past, else None."""
    if valid_until is None or valid_until - now > EXPIRY_NOTICE:
        return None
    left = valid_until - now
    return Expiry(valid_until, max(left.days, 0), left <= EXPIRY_URGENT, valid_until < now)


def code_of(context: AppContext, player: Player) -> Code | None:
    """Return the code that the player has made, None where there is none that could be used."""
    with context.database.reading() as connection:
        code = device_queries.code_of(connection, player.id)
    now = context.clock()
    if code is None or _is_over(code, now):
        return None
    until = code.made_at + CODE_LIFE
    secret = link_codes.secret_part(context.secret, player.id, code.selector, code.made_at)
    return Code(f"{code.selector}-{secret}", until, until - now, code.tries_left)


def make_code(context: AppContext, player: Player) -> None:
    """Make a code that adds a certificate to the player; one that was there ends.

    Raises `OutdatedAction` where the player has acted meanwhile or has all certificates that
    anybody may have.
    """
    now = context.clock()
    with context.database.writing() as connection:
        consume_action(connection, player)
        if len(device_queries.certificates_of(connection, player.id)) >= MAX_CERTIFICATES:
            raise OutdatedAction
        device_queries.drop_codes_before(connection, now - CODE_LIFE)
        device_queries.drop_code_of(connection, player.id)
        selector = _free_selector(context, connection)
        device_queries.add_code(connection, model.StoredCode(selector, player.id, now, MAX_TRIES))


def withdraw_code(context: AppContext, player: Player) -> None:
    """End the code that the player has made; `OutdatedAction` where they have acted meanwhile."""
    with context.database.writing() as connection:
        consume_action(connection, player)
        device_queries.drop_code_of(connection, player.id)


def link(context: AppContext, certificate: Certificate, typed: str) -> None:
    """Add a certificate that is nobody's to the player whose code was typed.

    Raises `CodeRefused`; a wrong code may have cost a try.
    """
    parts = link_codes.read(typed)
    if parts is None:
        raise CodeRefused(
            message(
                "A code has ten letters and digits, as in {example}, and none of them is 0, 1, "
                "I, L or O",
                example=link_codes.EXAMPLE,
            )
        )
    try:
        with context.database.writing() as connection:
            # Not raised in here: that would give the try back.
            reason = _link(context, connection, certificate, *parts)
    except IntegrityError:
        reason = message("This certificate is a player's already")
    if reason is not None:
        raise CodeRefused(reason)


def label(context: AppContext, player: Player, number: int, typed: str) -> None:
    """Give the player's certificate of a number the label that they typed.

    Raises `TextRefused`, or `OutdatedAction` where the player has acted meanwhile or there is no
    such certificate.
    """
    text = clean_line(typed, MAX_LABEL_LENGTH)
    with context.database.writing() as connection:
        known = _to_change(connection, player, number)
        device_queries.label_certificate(connection, known[number - 1].fingerprint, text)


def revoke(context: AppContext, player: Player, number: int) -> None:
    """Make the player's certificate of a number nobody's.

    Raises `OutdatedAction` where it is their last one, the player has acted meanwhile, or there is
    no such certificate.
    """
    with context.database.writing() as connection:
        known = _to_change(connection, player, number)
        if len(known) == 1:
            raise OutdatedAction
        device_queries.drop_certificate(connection, known[number - 1].fingerprint)


def _link(
    context: AppContext,
    connection: Connection,
    certificate: Certificate,
    selector: str,
    secret: str,
) -> Message | None:
    """Add the certificate to the player of the code; return why not, None where it is done."""
    player = _maker(context, connection, selector, secret)
    if not isinstance(player, Player):
        return player
    if len(device_queries.certificates_of(connection, player.id)) >= MAX_CERTIFICATES:
        return message(
            "{name} has {most} certificates already, and nobody may have more: revoke one first",
            name=player.name,
            most=MAX_CERTIFICATES,
        )
    device_queries.add_certificate(
        connection, player.id, certificate.fingerprint, certificate.not_after, context.clock()
    )
    device_queries.drop_code_of(connection, player.id)
    # The numbers of the certificates may have changed, so pages with the old ones are outdated.
    player_queries.count_action(connection, player.id)
    return None


def _maker(
    context: AppContext, connection: Connection, selector: str, secret: str
) -> Player | Message:
    """Return the player who made a code, or why it does not work; a wrong one costs a try."""
    now = context.clock()
    code = device_queries.code_by_selector(connection, selector)
    if code is not None:
        # Whatever else is done with the code or the certificates waits for this, or this for it.
        device_queries.hold_player(connection, code.player_id)
        code = device_queries.code_by_selector(connection, selector)
    if code is None:
        return message(
            "There is no such code: it may have been used or withdrawn, or its ten minutes are over"
        )
    if _is_over(code, now):
        device_queries.drop_code_of(connection, code.player_id)
        return message("The ten minutes of this code are over: make a new one")
    expected = link_codes.secret_part(context.secret, code.player_id, code.selector, code.made_at)
    if not link_codes.are_equal(secret, expected):
        return _wrong(connection, code)
    player = player_queries.player_by_id(connection, code.player_id)
    if player is None or player.is_banned(now):
        device_queries.drop_code_of(connection, code.player_id)
        return message("Whoever made this code is shut out and cannot add a certificate")
    return player


def _wrong(connection: Connection, code: StoredCode) -> Message:
    left = code.tries_left - 1
    if left <= 0:
        device_queries.drop_code_of(connection, code.player_id)
        return message("That is not the code, and it was the last try: make a new code")
    device_queries.take_try(connection, code.selector)
    if left == 1:
        return message("That is not the code, and one try is left")
    return message("That is not the code, and {count} tries are left", count=left)


def _is_over(code: StoredCode, now: datetime) -> bool:
    return now >= code.made_at + CODE_LIFE or code.tries_left <= 0


def _free_selector(context: AppContext, connection: Connection) -> str:
    while True:
        selector = link_codes.selector_from(context.random_bytes(8))
        if device_queries.code_by_selector(connection, selector) is None:
            return selector


def _to_change(connection: Connection, player: Player, number: int) -> Sequence[StoredCertificate]:
    """Return the player's certificates, which are one's own until the transaction ends."""
    consume_action(connection, player)
    known = device_queries.certificates_of(connection, player.id)
    if not 1 <= number <= len(known):
        raise OutdatedAction
    return known
