"""Action keys, each of which lets a link act once, and for the reader of its page alone."""

from __future__ import annotations

import base64
import hmac
from hashlib import sha256

KEY_BYTES = 16

REMEMBERED = 20
"""The number of last values of a counter at which a key is known to have been somebody's."""

NONE_YET = 0
"""The count of a key for the first text of its author; later ones have that of the text before."""


def action_key(secret: bytes, identity: str, subject: str, count: int) -> str:
    """Return the key of an action: 26 characters of lower-case base32.

    `identity` says who may act, `subject` on what (a game, new games, the account). `count` is the
    subject's counter, which every action raises: so a key fits once, and for one reader only.

    >>> action_key(b"secret", "player 1", "game k3x9m2pqrt", 4)
    'aksscfo5xl3vnocfkntc4c2kqa'
    """
    text = f"{identity}\n{subject}\n{count}".encode()
    digest = hmac.digest(secret, text, sha256)[:KEY_BYTES]
    return base64.b32encode(digest).decode().rstrip("=").lower()


def last_counts(newest: int) -> range:
    """Return the last values of a counter that rises by one, the newest first.

    >>> list(last_counts(2)), len(last_counts(300))
    ([2, 1, 0], 20)
    """
    return range(newest, max(newest - REMEMBERED, -1), -1)


def fits(key: str, expected: str) -> bool:
    """Return whether a key from a URL is the expected one, in a time that gives nothing away."""
    return hmac.compare_digest(key.encode(), expected.encode())
