"""Parsing a request line: from its raw bytes to a path and a query, or to a refusal.

The syntax is that of RFC 3986, with the non-ASCII characters that RFC 3987 adds. A URL that
browsers and servers might read in two ways is refused. A query is read more mildly than a path:
some browsers send a typed text without encoding all that a URL may not have, such as brackets or a
percent sign. These stand for themselves there.
"""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv6Address
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from capsule.gemini.types import Status

MAX_URL_BYTES = 1024
"""Bytes that the Gemini protocol allows a URL to have."""

MAX_LINE_BYTES = 4096
"""Bytes of a line that are read, so that the refusal of a URL can say how much is too much."""

DEFAULT_PORT = 1965
"""The port of a URL that names none."""


class RequestRefused(Exception):
    """A request that is refused: the reason as the META of the response, and its status."""

    def __init__(self, reason: str, status: Status = Status.BAD_REQUEST) -> None:
        super().__init__(reason, status)
        self.status = status
        self.reason = reason


class RequestTarget(NamedTuple):
    """The target of a request, percent-decoded; `query` is None if there is no question mark."""

    path: str
    query: str | None


@dataclass(frozen=True)
class Authority:
    """The host and port for which the capsule answers; made by `authority_of`.

    `host` is in the form that `_canonical_host` returns.
    """

    host: str
    port: int


def authority_of(hostname: str, port: int) -> Authority:
    """Return the authority of `hostname` and `port`; raises `ValueError` if it is no host name.

    >>> authority_of("Café.example.", 1965)
    Authority(host='xn--caf-dma.example', port=1965)
    >>> authority_of("::1", 1965)
    Authority(host='[::1]', port=1965)
    """
    bare_ipv6 = ":" in hostname and not hostname.startswith("[")
    return Authority(_canonical_host(f"[{hostname}]" if bare_ipv6 else hostname), port)


_NEVER_RAW = re.compile(r"[\x00-\x20\x7f-\x9f\ufeff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*")
_CHARACTER = r"[A-Za-z0-9\-._~!$&'()*+,;=:@/\u00a0-\U0010ffff]|%[0-9A-Fa-f]{2}"
_PATH = re.compile(rf"(?:/(?:{_CHARACTER})*)?")
_HOST_AND_PORT = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]*))?")
_REGISTERED_NAME = re.compile(r"[a-z0-9\-._~!$&'()*+,;=]+")
_FUTURE_LITERAL = re.compile(r"v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+")


def parse_url(line: bytes, here: Authority) -> RequestTarget:
    """Return the target of a request line, without its CRLF, to the authority `here`.

    Raises `RequestRefused`: with status 59 if it is not a proper URL, 53 if it belongs to another
    server, and 51 if no page can have its path.

    >>> parse_url(b"gemini://localhost/play/?100%%20[sure]", Authority("localhost", 1965))
    RequestTarget(path='/play/', query='100% [sure]')
    """
    if len(line) > MAX_URL_BYTES:
        raise RequestRefused(
            f"The address, with the text that you typed, may have {MAX_URL_BYTES} bytes. "
            f"It has {_excess_of(len(line))} too many"
        )
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise RequestRefused("The address is not valid UTF-8") from None
    if _NEVER_RAW.search(text):
        raise RequestRefused(
            "The address contains a space, a control character or a byte order mark"
        )
    scheme, colon, rest = text.partition(":")
    if not colon or not _SCHEME.fullmatch(scheme):
        raise RequestRefused("Ask with an absolute address, like gemini://host/path")
    if scheme.lower() != "gemini":
        raise RequestRefused(
            "Only gemini:// addresses are answered here", Status.PROXY_REQUEST_REFUSED
        )
    if not rest.startswith("//"):
        raise RequestRefused("Name the host after gemini://")
    if "#" in rest:
        raise RequestRefused("A request has no fragment. Leave out # and everything after it")
    hierarchy, question, query = rest[2:].partition("?")
    authority, slash, path = hierarchy.partition("/")
    path = slash + path
    if not _PATH.fullmatch(path):
        raise RequestRefused("The path contains characters that must be percent-encoded")
    segments = [_decoded(segment) for segment in path.split("/")] if "%" in path else None
    decoded_query = _decoded(query) if question else None
    _check_authority(authority, here)
    segments = segments or path.split("/")
    if any(_is_unfit(segment) for segment in segments):
        raise RequestRefused("There is no such page", Status.NOT_FOUND)
    return RequestTarget("/".join(segments) or "/", decoded_query)


def _excess_of(size: int) -> str:
    """Return by how many bytes a line of this size is too long, in words."""
    if size > MAX_LINE_BYTES:
        return f"more than {MAX_LINE_BYTES - MAX_URL_BYTES}"
    return str(size - MAX_URL_BYTES)


def _decoded(text: str) -> str:
    if "%" not in text:
        return text
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        raise RequestRefused("The percent-encoded bytes are not valid UTF-8") from None


def _is_unfit(segment: str) -> bool:
    return segment in {".", ".."} or "/" in segment or _CONTROL.search(segment) is not None


def _check_authority(authority: str, here: Authority) -> None:
    if "@" in authority:
        raise RequestRefused("Addresses have no user name here. Leave out @")
    match = _HOST_AND_PORT.fullmatch(authority)
    if match is None:
        raise RequestRefused("The host or the port is malformed")
    host, digits = match.groups()
    port = int(digits) if digits else DEFAULT_PORT
    if port > 65535:
        raise RequestRefused("There are no ports above 65535")
    if host != here.host:
        try:
            host = _canonical_host(host)
        except ValueError:
            raise RequestRefused("The host is malformed") from None
    if host != here.host or port != here.port:
        raise RequestRefused(
            "This capsule answers for its own host and port only", Status.PROXY_REQUEST_REFUSED
        )


def _canonical_host(text: str) -> str:
    """Return the canonical spelling of a host: lower case, IDNA's ASCII form, no final dot.

    Raises `ValueError`, possibly a `UnicodeError`, if it cannot be a host.
    """
    if text.startswith("["):
        literal, bracket, rest = text[1:].lower().partition("]")
        if not bracket or rest:
            raise ValueError("not a host in brackets")
        if _FUTURE_LITERAL.fullmatch(literal):
            return f"[{literal}]"
        if "%" in literal:
            raise AddressValueError("a zone means nothing on another machine")
        return f"[{IPv6Address(literal).compressed}]"
    host = unquote_to_bytes(text).decode()
    if not host.isascii():
        host = host.encode("idna").decode()
    host = host.lower().removesuffix(".")
    if not _REGISTERED_NAME.fullmatch(host) or "" in host.split("."):
        raise ValueError("not a host name")
    return host
