"""The types that the server and the pages exchange: requests, certificates and responses."""

import re
import unicodedata
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from types import MappingProxyType
from typing import NamedTuple, NoReturn, TypeAlias

from capsule.errors import NotFound


class Status(IntEnum):
    """The status of a response; its first digit says what kind of response it is."""

    INPUT = 10
    SENSITIVE_INPUT = 11
    SUCCESS = 20
    REDIRECT = 30
    PERMANENT_REDIRECT = 31
    TEMPORARY_FAILURE = 40
    SERVER_UNAVAILABLE = 41
    CGI_ERROR = 42
    PROXY_ERROR = 43
    SLOW_DOWN = 44
    PERMANENT_FAILURE = 50
    NOT_FOUND = 51
    GONE = 52
    PROXY_REQUEST_REFUSED = 53
    BAD_REQUEST = 59
    CERTIFICATE_REQUIRED = 60
    CERTIFICATE_NOT_AUTHORISED = 61
    CERTIFICATE_NOT_VALID = 62


GEMTEXT = "text/gemini; charset=utf-8; lang={tag}"
"""The META of gemtext in a language."""


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


Page: TypeAlias = "Callable[..., Answer]"
"""A function that answers requests, given the context, the request and its pattern's groups."""


class Route(NamedTuple):
    """A compiled route, whose page is one of the `cacheable` and of the `narrowable` ones or not.

    `queries` matches the queries that the page reads; None for a page that reads none. The page
    is measured by its `name`.
    """

    pattern: re.Pattern[str]
    page: Page
    is_cacheable: bool = False
    queries: re.Pattern[str] | None = None
    is_narrowable: bool = False
    name: str = ""

    @property
    def is_action(self) -> bool:
        """Whether its addresses have the key of an action."""
        return "key" in self.pattern.groupindex


def _nothing(context: object, request: "Request") -> NoReturn:  # noqa: ARG001 - those of a page
    raise NotFound


NO_ROUTE = Route(re.compile(r"(?!)"), _nothing)
"""The route of what has none: its page finds nothing."""

NO_ARGUMENTS: Mapping[str, str | None] = MappingProxyType({})


class Request(NamedTuple):
    """A well-formed request, and what the layers that it has passed know of it.

    `path` is percent-decoded, begins with a slash and has no dot segments. `query` is
    percent-decoded, too, and None if the URL has no question mark. The query may contain any
    character, even control characters; the path contains none of these. `address_key` is the same
    for requests that share an address, but does not reveal it; None if there is no address. Where a
    page may be a narrow one, `is_narrow` says so in the place of the query. `language` is the key
    of the language that the address asks for, in the place of a prefix or a term; for a page that
    `is_readers_own`, the player's choice comes first.

    On the reactor's thread a request is answered that may not block, else `WouldBlock` is raised.
    Its path has the `arguments` for the page of its `route`, in whose place `resume` is called
    after a `Wait`.
    """

    path: str
    query: str | None = None
    certificate: Certificate | None = None
    address_key: str | None = None
    is_narrow: bool = False
    language: str = "en"
    is_readers_own: bool = False
    may_block: bool = False
    route: Route = NO_ROUTE
    arguments: Mapping[str, str | None] = NO_ARGUMENTS
    resume: "Callable[[], Response] | None" = None

    @property
    def typed(self) -> str | None:
        """The query as something typed to be understood: a move, a name, a number or a word.

        Full-width letters, digits and signs are what they mean (NFKC). Text that people write for
        others to read is the `query`, which stays as it was typed.

        >>> Request("/play/k3x9m2pqrt/move", "ｅ５＋Ａ１").typed
        'e5+A1'
        """
        return None if self.query is None else unicodedata.normalize("NFKC", self.query)


@dataclass(frozen=True)
class Response:
    """A response: a status of the Gemini protocol, its META, and the body of a page, if any.

    `page` is the name of the page that answered, for the metrics; "" if none did. `cache_policy`
    says how long the response may be reused for the same request, None for never. `reason`
    is the sentence that says why something was refused, "" if nothing was. `ignores_query` says
    that it is the same for all queries. `preface` is gemtext for the visitor to read above the page
    to which a redirect leads: that page is then shown in its place.
    """

    status: Status
    meta: str
    body: str = ""
    page: str = field(default="", compare=False)
    cache_policy: "CachePolicy | None" = field(default=None, compare=False)
    reason: str = field(default="", compare=False)
    ignores_query: bool = field(default=False, compare=False)
    preface: str = ""


@dataclass(frozen=True, slots=True)
class PlayerGames:
    """All games of a player, and the seats reserved for them, as a tag of a response."""

    player_id: int


@dataclass(frozen=True, slots=True)
class Account:
    """A player's account, as only that player's responses depend on it: settings, keys, devices."""

    player_id: int


CacheTag: TypeAlias = str | PlayerGames | Account
"""A tag of responses, which depend on it; a string is the id of a game."""


@dataclass(frozen=True)
class CachePolicy:
    """The time until which a response may be reused, unless its tags change.

    It depends on these tags alone, apart from what seldom changes; if they are None, any change
    ends it.
    """

    until: datetime
    tags: frozenset[CacheTag] | None = None


@dataclass(frozen=True)
class Wait:
    """A response that has to wait for something slow, such as a bot's thoughts.

    `finish` waits, and returns the response. `fallback` is the response for a visitor who waits
    already, or while too many do. `owner` is the one who waits: a player, for instance.
    """

    owner: Hashable
    finish: Callable[[], Response]
    fallback: Response


@dataclass(frozen=True)
class Live:
    """A response that stays open and grows as its subject changes, until that comes to an end.

    `text` is sent to its reader now, at this `version` of the subject. `more` returns the text that
    follows at another version, "" if there is no news for this reader, and `is_over` says that none
    will follow. `meta` is that of the response. Readers of one `audience` are sent the same text;
    None is a reader with an own text. `owner` is the reader: a player, for instance, None
    for nobody in particular. `fallback` is the response for a reader who may have no more of them,
    and `on_full` that for all while the server has no room for more.

    `on_expiry` returns the last text if it has been open for as long as it may be, and
    `on_shutdown` if the server stops.
    """

    subject: str
    version: Hashable
    text: str
    more: "Callable[[], Live]"
    on_expiry: Callable[[], str]
    on_shutdown: Callable[[], str]
    fallback: Response
    on_full: Response
    audience: Hashable | None = None
    owner: Hashable | None = None
    is_over: bool = False
    page: str = ""
    meta: str = GEMTEXT.format(tag="en")


Answer: TypeAlias = Response | Wait | Live


Handler: TypeAlias = Callable[[Request], Answer]
"""A function that answers requests, or raises `WouldBlock` for one that may not block."""

Layer: TypeAlias = Callable[[Handler, Request], Answer]
"""A function that answers requests, given the handler inside it."""


@dataclass(frozen=True)
class Application:
    """The part of a capsule that answers requests.

    `handle` is called on the reactor's thread first and, if it raises `WouldBlock`, once more on
    another one, with a request that may block; there alone for a path that always `blocks`.
    `health` returns what the application knows of its state, for a balancer, and waits for
    nobody. `versions` returns the versions of subjects of live responses, of those that are known:
    it is called on a separate thread, every second while there are such responses.
    """

    handle: Handler
    health: Callable[[], Response]
    versions: Callable[[Collection[str]], Mapping[str, Hashable]]
    blocks: Callable[[str], bool] = lambda _: False


MAX_META_BYTES = 1024
"""Bytes that the Gemini protocol allows a META to have."""


class EncodedResponse(NamedTuple):
    """A response as bytes on the wire."""

    status: Status
    content: bytes
    page: str = ""


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def encode(response: Response) -> EncodedResponse:
    r"""Return the bytes of a response, whose header is one line, for any META.

    Raises `ValueError` if the Gemini protocol has no such status.

    >>> encode(Response(Status.SUCCESS, "text/gemini", "# Hello")).content
    b'20 text/gemini\r\n# Hello'
    """
    status = Status(response.status)
    meta = _CONTROL.sub(" ", response.meta).encode(errors="replace")
    if len(meta) > MAX_META_BYTES:
        meta = meta[:MAX_META_BYTES].decode(errors="ignore").encode()
    body = response.body.encode(errors="replace") if status // 10 == 2 else b""
    content = b"%d %b\r\n%b" % (status, meta, body)
    return EncodedResponse(status, content, response.page)


INTERNAL_ERROR = encode(Response(Status.CGI_ERROR, "Something went wrong here. It has been noted"))
