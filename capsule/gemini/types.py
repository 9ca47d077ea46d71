"""What the wire hands to the pages and gets back: a request, a certificate, a response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


GEMTEXT = "text/gemini; charset=utf-8; lang=en"
"""The META of every page."""


@dataclass(frozen=True)
class Certificate:
    """What a visitor's client certificate says; TLS has proved that they hold its private key.

    `fingerprint` is the SHA-256 of the public key (SubjectPublicKeyInfo, DER), 64 hexadecimal
    digits. `common_name` is as written in the certificate, "" where it has none: unfit for a page
    until it has been checked. The times are aware, in UTC.
    """

    fingerprint: str
    common_name: str
    not_before: datetime
    not_after: datetime


@dataclass(frozen=True)
class Request:
    """One request that is fit to be answered.

    `path` is percent-decoded, begins with a slash and has no dot segments; `query` is
    percent-decoded too, and None where the URL has no question mark. Both may hold any character,
    control characters too.
    """

    path: str
    query: str | None = None
    certificate: Certificate | None = None


@dataclass(frozen=True)
class Response:
    """A status of the Gemini protocol, its META, and the page where there is one."""

    status: int
    meta: str
    body: str = ""


Application: TypeAlias = "Callable[[Request], Response]"
"""What answers requests: called on a thread of its own, it may take its time and may raise."""
