"""A player's devices: their certificates, and the codes that link new ones."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

import sqlalchemy as sa

from capsule.accounts import identity, queries
from capsule.accounts.model import LinkCode, Player
from capsule.context import Transaction
from capsule.errors import OutdatedAction
from capsule.gemini.types import Certificate
from engine import Message, message, plural

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


ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The characters of codes, without 0, O, 1, I and L, which look alike."""

SELECTOR_LENGTH = 4

SECRET_LENGTH = 6
"""The length of a code's secret part: five tries guess it with a chance of one in 177 million."""

EXAMPLE = "K7QM-4T2XW9"
"""An example of a code."""


def selector_from(random_bytes: bytes) -> str:
    """Return a selector made of random bytes.

    >>> selector_from(b"eight by")
    'H76C'
    """
    return _spelled(int.from_bytes(random_bytes), SELECTOR_LENGTH)


def secret_part(secret: bytes, code: LinkCode) -> str:
    """Return the secret part of a code."""
    made_at = code.made_at.isoformat()
    return derived(secret, "device code", str(code.player_id), code.selector, made_at)


def derived(secret: bytes, *texts: str, length: int = SECRET_LENGTH) -> str:
    """Return letters and digits derived from texts, which nobody can guess without the secret.

    >>> derived(b"secret", "device code", "4")
    'A34TJY'
    """
    joined = "\n".join(texts).encode()
    return _spelled(int.from_bytes(hmac.digest(secret, joined, sha256)), length)


def read(typed: str) -> tuple[str, str] | None:
    """Return the selector and the secret part of a typed code, or None for another text.

    Case does not matter, nor does anything between the letters and digits.

    >>> read(" k7qm 4t2-xw9.")
    ('K7QM', '4T2XW9')
    >>> read("K7QM-4T2XWO") is None
    True
    """
    code = "".join(character for character in typed if character.isalnum()).upper()
    if len(code) != SELECTOR_LENGTH + SECRET_LENGTH or not set(code) <= set(ALPHABET):
        return None
    return code[:SELECTOR_LENGTH], code[SELECTOR_LENGTH:]


def _spelled(number: int, length: int) -> str:
    letters = []
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    return "".join(letters)


MAX_TRIES = 5
"""The number of tries to type a code; a mistake in the last try invalidates the code."""

MAX_CERTIFICATES = 20
"""The number of certificates that a player may have."""


def code_of(transaction: Transaction, player: Player) -> LinkCode | None:
    """Return the code that the player has made, if it can still be used."""
    code = queries.link_code_of(transaction.connection, player.id)
    return None if code is None or code.is_over(transaction.now) else code


def minutes_left(code: LinkCode | None, now: datetime) -> int:
    """Return the whole minutes for which a code can still be used."""
    return 0 if code is None else (code.valid_until - now) // timedelta(minutes=1)


def groups_of(secret: bytes, code: LinkCode | None) -> Sequence[str]:
    """Return a code in the groups in which it is read aloud, such as "K7QM", "4T2", "XW9"."""
    if code is None:
        return ()
    rest, half = secret_part(secret, code), SECRET_LENGTH // 2
    return code.selector, rest[:half], rest[half:]


def make_code(transaction: Transaction, player: Player) -> None:
    """Make a code that adds a certificate to the player, in place of the player's older code.

    Raises `OutdatedAction` if the player has `MAX_CERTIFICATES`.
    """
    connection = transaction.connection
    if len(queries.certificates_of(connection, player.id)) >= MAX_CERTIFICATES:
        raise OutdatedAction
    selector = _free_selector(transaction)
    queries.add_link_code(connection, LinkCode(selector, player.id, transaction.now, MAX_TRIES))


NO_CODE = message(
    "A code has ten letters and digits, as in {example}. It never has 0, 1, I, L or O",
    example=EXAMPLE,
)
"""Why a text that is not a code is refused."""


def link(
    transaction: Transaction, certificate: Certificate, selector: str, secret: str
) -> Message | None:
    """Add a certificate without a player to the player whose code has these parts.

    Return the reason if that is refused; a wrong code may have cost a try, so the transaction must
    be committed then, too.
    """
    connection = transaction.connection
    player = _owner_of_code(transaction, selector, secret)
    if not isinstance(player, Player):
        return player
    if queries.player_by_certificate(connection, certificate.fingerprint) is not None:
        return message("This certificate already belongs to a player")
    if len(queries.certificates_of(connection, player.id)) >= MAX_CERTIFICATES:
        return message(
            "{name} has {limit} certificates, which is the limit. Revoke one first",
            name=player.name,
            limit=MAX_CERTIFICATES,
        )
    queries.add_certificate(connection, player.id, certificate, transaction.now)
    queries.drop_link_code_of(connection, player.id)
    # The certificates may be numbered anew, so this voids links that have the old numbers.
    queries.count_action(connection, player.id)
    return None


def _owner_of_code(transaction: Transaction, selector: str, secret: str) -> Player | Message:
    """Return the player who made a code, or why it does not work; a wrong one costs a try."""
    connection, now, player = transaction.connection, transaction.now, None
    code = queries.link_code_by_selector(connection, selector)
    if code is not None:
        # The lock keeps other transactions from the code and the player's certificates. The code
        # may have changed before, so it is read again.
        player = queries.player_by_id(connection, code.player_id, to_change=True)
        code = queries.link_code_by_selector(connection, selector)
    if code is None:
        return message(
            "There is no such code: it may have been used or withdrawn, or its ten minutes are over"
        )
    if code.is_over(now):
        queries.drop_link_code_of(connection, code.player_id)
        return message("The ten minutes of this code are over. Make a new one")
    if not identity.are_equal(secret, secret_part(transaction.context.secret, code)):
        return _count_mistake(connection, code)
    if player is None or player.is_banned(now):
        queries.drop_link_code_of(connection, code.player_id)
        return message("The player who made this code is banned, and cannot add a certificate")
    return player


def _count_mistake(connection: sa.Connection, code: LinkCode) -> Message:
    """Use up a try of a mistyped code, and return the refusal."""
    left = code.tries_left - 1
    if left <= 0:
        queries.drop_link_code_of(connection, code.player_id)
        return message("That is not the code, and it was the last try. Make a new code")
    queries.use_up_try(connection, code.selector)
    return plural(
        "That is not the code. {count} try is left",
        "That is not the code. {count} tries are left",
        count=left,
    )


def _free_selector(transaction: Transaction) -> str:
    while True:
        selector = selector_from(transaction.context.random_bytes(8))
        if queries.link_code_by_selector(transaction.connection, selector) is None:
            return selector
