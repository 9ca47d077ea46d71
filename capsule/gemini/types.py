"""The types that the server and the pages exchange: requests, certificates and responses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


GEMTEXT = "text/gemini; charset=utf-8; lang=en"
"""The META of every gemtext page."""


@dataclass(frozen=True)
class Certificate:
    """A visitor's client certificate; TLS has proved that the visitor holds its private key.

    `fingerprint` is the SHA-256 of the public key (SubjectPublicKeyInfo, DER), as 64 hexadecimal
    digits. `common_name` is as written in the certificate, "" if it has none, and unfit for a page
    until it has been checked. The times are aware, in UTC.
    """

    fingerprint: str
    common_name: str
    not_before: datetime
    not_after: datetime


@dataclass(frozen=True)
class Request:
    """A well-formed request.

    `path` is percent-decoded, begins with a slash and has no dot segments. `query` is
    percent-decoded, too, and None if the URL has no question mark. The query may contain any
    character, even control characters; the path contains none of these. `address_key` is the same
    for requests that share an address, but does not tell it; None if there is no address.
    """

    path: str
    query: str | None = None
    certificate: Certificate | None = None
    address_key: str | None = None


@dataclass(frozen=True)
class Response:
    """A response: a status of the Gemini protocol, its META, and the body of a page, if any.

    `page` is the name of the page that answered, for whoever measures; "" if none did.
    """

    status: int
    meta: str
    body: str = ""
    page: str = field(default="", compare=False)


Application: TypeAlias = "Callable[[Request], Response]"
"""A function that answers requests: called on a thread, it may take its time and may raise."""
