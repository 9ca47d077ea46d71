"""E-mail addresses as people type them: which can be used, and how they are written then."""

from __future__ import annotations

import hmac
import re
from hashlib import sha256

from email_validator import EmailNotValidError, validate_email

from capsule.errors import Refused
from capsule.ui.user_text import INVISIBLE, UNPRINTABLE
from engine.game import message

MAX_BYTES, MAX_LOCAL_BYTES = 254, 64
"""Bytes of an address, and of its part before the @, by RFC 5321."""


class AddressRefused(Refused):
    """A text that is no address to which mail could be sent; `message` says why."""


def clean_address(typed: str) -> str:
    r"""Return an address in the one form in which it is stored; raises `AddressRefused`.

    Domains of other scripts are written in ASCII. Nobody is asked whether the address exists.

    >>> clean_address(" Alice@Example.ORG ")
    'Alice@example.org'
    >>> clean_address("zoe@b\u00fccher.example")
    'zoe@xn--bcher-kva.example'
    """
    text = typed.strip()
    if UNPRINTABLE.search(text) or INVISIBLE.search(text) or re.search(r"\s", text):
        raise AddressRefused(message("An e-mail address has no spaces or line breaks"))
    if text.startswith('"'):
        raise AddressRefused(message("An address in quotation marks cannot be used here"))
    useless = message(
        "That is not an e-mail address that can be used. One looks like {example}",
        example="alice@example.org",
    )
    too_long = message(
        "That address is too long: at most {count} bytes fit, and {local} before the @",
        count=MAX_BYTES,
        local=MAX_LOCAL_BYTES,
    )
    if len(text.encode()) > MAX_BYTES:
        raise AddressRefused(too_long)
    # In a header that would begin an encoded word (RFC 2047), which stands for another text.
    if "=?" in text:
        raise AddressRefused(useless)
    try:
        found = validate_email(text, check_deliverability=False)
    except EmailNotValidError as error:
        raise AddressRefused(useless) from error
    address = found.ascii_email or found.normalized
    if len(address.rpartition("@")[0].encode()) > MAX_LOCAL_BYTES:
        raise AddressRefused(too_long)
    return address


def is_same_address(one: str, other: str) -> bool:
    """Return whether two addresses are the same, in upper or lower case."""
    return one.casefold() == other.casefold()


def address_key(secret: bytes, address: str) -> str:
    """Return a keyed hash of an address, the same in upper and lower case: 64 hexadecimal digits.

    It lets mail to an address be counted and stopped without keeping the address.
    """
    return hmac.digest(secret, b"mail address\n" + address.casefold().encode(), sha256).hex()
