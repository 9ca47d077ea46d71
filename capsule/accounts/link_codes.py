"""One-time codes that link a certificate to a player: making, typing and reading them aloud.

A code is a selector, which is stored and identifies the player, and a secret part, which is
computed from the capsule's secret whenever it is needed. So a code can be shown again, but cannot
be learnt from the database.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The characters of codes: no two look alike, so 0, O, 1, I and L are missing."""

SELECTOR_LENGTH = 4

SECRET_LENGTH = 6
"""The secret part of a code is guessed in five tries once in 177 million times."""

EXAMPLE = "K7QM-4T2XW9"
"""An example of a code."""


def selector_from(random_bytes: bytes) -> str:
    """Return a selector made of random bytes.

    >>> selector_from(b"eight by")
    'H76C'
    """
    return _spelled(int.from_bytes(random_bytes), SELECTOR_LENGTH)


def secret_part(secret: bytes, player_id: int, selector: str, made_at: datetime) -> str:
    """Return the secret part of the code with this selector, which a player made at that time."""
    return derived(secret, "device code", str(player_id), selector, made_at.isoformat())


def derived(secret: bytes, *texts: str, length: int = SECRET_LENGTH) -> str:
    """Return the letters and digits that texts give with a secret, which alone tells them.

    >>> derived(b"secret", "device code", "4")
    'A34TJY'
    """
    joined = "\n".join(texts).encode()
    return _spelled(int.from_bytes(hmac.digest(secret, joined, sha256)), length)


def read(typed: str) -> tuple[str, str] | None:
    """Return the selector and the secret part of a typed code, None for what cannot be one.

    Case does not matter, nor does anything between the letters and digits.

    >>> read(" k7qm 4t2-xw9.")
    ('K7QM', '4T2XW9')
    >>> read("K7QM-4T2XWO") is None
    True
    """
    kept = "".join(character for character in typed if character.isalnum()).upper()
    if len(kept) != SELECTOR_LENGTH + SECRET_LENGTH or not set(kept) <= set(ALPHABET):
        return None
    return kept[:SELECTOR_LENGTH], kept[SELECTOR_LENGTH:]


def are_equal(typed: str, expected: str) -> bool:
    """Return whether two secret parts are equal, in a time that gives nothing away."""
    return hmac.compare_digest(typed.encode(), expected.encode())


def letter_by_letter(code: str) -> Sequence[str]:
    """Return the groups of a code as they are read aloud.

    >>> letter_by_letter("K7QM-4T2XW9")
    ['K 7 Q M', '4 T 2', 'X W 9']
    """
    selector, _, rest = code.partition("-")
    half = SECRET_LENGTH // 2
    return [" ".join(group) for group in (selector, rest[:half], rest[half:])]


def _spelled(number: int, length: int) -> str:
    letters = []
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    return "".join(letters)
