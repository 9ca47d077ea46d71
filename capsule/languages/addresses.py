"""The languages of addresses: `/pt/` before those of public pages, and `lang=pt` below `/play/`.

Both are taken off before routes are looked up, and are part of each address that a page leads to.
The term stands in the query, or behind the key of an action, whose query may be typed text. Below
`/play/` a player's own choice comes first; the term carries the language of a new visitor until
their first action stores it. Files for machines exist once, in English.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote

from capsule.gemini.types import Request
from capsule.languages import model
from capsule.languages.model import (
    DEFAULT,
    ENGLISH,
    Language,
    PageLanguage,
    offered_language,
    page_language,
)
from engine import message

AREA = "/play/"
"""The beginning of addresses that need a certificate, and the address that asks for it."""

LANGUAGES_PAGE = "/languages"
"""The page that leads to the home page in every language, each by its own name."""

WITH_ALL_LANGUAGES = {"/", "/help/", LANGUAGES_PAGE}
"""The pages that end with links to every other language."""

_GAME = "/play/[a-z2-7]{10}"
_IS_MACHINE = re.compile(r".*\.(?:txt|json|csv)|/health|/feed/[a-z2-7]{32}(?:\.xml)?")
_IS_GAME = re.compile(_GAME)
_IS_VISITORS_PAGE = re.compile(
    f"{_GAME}(?:/(?:0|[1-9][0-9]*|history|words|live|analysis|comments|notes|messages|more"
    r"|share(?:\.gmi)?|feed(?:\.xml)?))?"
)
_PREFIX = re.compile(r"/([a-z]{2})(/.*)?", re.DOTALL)
_NAMED = re.compile(r"([a-z]{2})(?:/(.*))?", re.DOTALL)
# Hardly anything that is typed where no key is looks like a list of terms that ends with this one.
_TERMS = re.compile(r"(?:([A-Za-z0-9_=&,+.~-]+)&)?lang=([a-z]{2})")
_GOAL = re.compile(r"[A-Za-z0-9_=&,+.~/?-]{0,900}")

_IN_PATH = re.compile(";lang=([a-z]{2})(?=/)")
_KEY = re.compile("(?<=/)[a-z2-7]{26}(?=/)")

# What looks like a key is in no address that one signs in for.
_LIKE_KEY = re.compile("[a-z2-7]{26}")


def in_language(request: Request) -> Request | str:
    """Return a request without the language in its address, for the page in that language.

    A text that is returned is an address to redirect to. An unknown prefix is not taken off, so
    that no route fits.

    >>> from capsule.gemini.types import Request
    >>> in_language(Request("/play/new/tinc", "side=o&lang=en")).query
    'side=o'
    """
    path = request.path
    if path.startswith(AREA):
        return _of_reader(request)
    match = _PREFIX.fullmatch(path) if path[3:4] in {"", "/"} else None
    language = model.OFFERED.get(match[1]) if match else None
    if match is None or language is None or language is ENGLISH:
        return request
    return f"{language.prefix}/" if match[2] is None else _below(language, match[2], request)


def _below(language: Language, rest: str, request: Request) -> Request | str:
    """Return a request with a prefix without it, `rest` being the path behind the prefix."""
    if _IS_VISITORS_PAGE.fullmatch(rest.removesuffix("/")):
        # It is the same for everybody: its reader's own seat is at the address without a prefix.
        return request._replace(path=rest, certificate=None, language=language.key)
    if rest.startswith(AREA):
        return _way_to_sign_in(language, rest.removeprefix(AREA), request.query)
    if _IS_MACHINE.fullmatch(rest):
        return request._replace(language=language.key)
    return request._replace(path=rest, language=language.key)


def _of_reader(request: Request) -> Request:
    """Return a request below `/play/` without its language, after which its player's may come."""
    path, query = request.path, request.query
    if _IS_MACHINE.fullmatch(path):
        return request._replace(language=DEFAULT, is_readers_own=False)
    key, rest = request.language, query
    if in_path := _IN_PATH.search(path):
        path, key = path.replace(in_path[0], ""), in_path[1]
    if query is not None:
        if path == AREA and (named := _NAMED.fullmatch(query)):
            key, rest = named.groups()
        elif path != AREA and not _KEY.search(path) and (terms := _TERMS.fullmatch(query)):
            rest, key = terms.groups()
    if key not in model.OFFERED:
        key, rest = request.language, query
    return request._replace(path=path, query=rest or None, language=key, is_readers_own=True)


def _way_to_sign_in(language: Language, page: str, query: str | None) -> str:
    goal = page if query is None else f"{page}?{query}"
    return f"{AREA}?{language.key}/{goal if _GOAL.fullmatch(goal) else ''}"


def language_for(request: Request) -> PageLanguage:
    """Return the way to answer a request that has been read by `in_language`."""
    own = request.is_readers_own
    return PageLanguage(
        offered_language(request.language), is_carried=own, page="" if own else request.path
    )


def address_in(address: str, page: PageLanguage | None = None) -> str:
    """Return the address to which a page leads for a page of ours, so that its reader stays in it.

    By default, that is the page being made. On a public page, addresses that need a certificate
    lead to where visitors sign in. Below `/play/`, a language that is not yet a player's setting is
    added as a term.

    >>> from capsule.languages.model import PORTUGUESE, PageLanguage
    >>> [
    ...     address_in(address, PageLanguage(PORTUGUESE))
    ...     for address in ("/feed.xml", "/play/?new/", "/robots.txt", "gemini://example.org/")
    ... ]
    ['/pt/feed.xml', '/play/?pt/new/', '/robots.txt', 'gemini://example.org/']
    >>> address_in("/play/new/tinc?side=o", PageLanguage(PORTUGUESE, is_carried=True))
    '/play/new/tinc?side=o&lang=pt'
    """
    page = page or page_language()
    language = page.language
    if language is ENGLISH or not address.startswith("/"):
        return address
    path, _, query = address.partition("?")
    is_below = path.startswith(AREA)
    if _IS_MACHINE.fullmatch(path) or (is_below and page.is_chosen):
        return address
    if not is_below or (not page.is_carried and _IS_VISITORS_PAGE.fullmatch(path)):
        return f"{language.prefix}{address}"
    if not page.is_carried and not _LIKE_KEY.search(path):
        return f"{AREA}?{language.key}/{address.removeprefix(AREA).removeprefix('?')}"
    # Some browsers show a certificate to public pages, too, which may lead to a first action.
    return _carried(language, path, query)


def _carried(language: Language, path: str, query: str) -> str:
    """Return an address below `/play/` with the term of a language."""
    if path == AREA:
        return f"{AREA}?{language.key}/{query}"
    if key := _KEY.search(path):
        # What is typed at a prompt takes the place of the query.
        text = f"?{query}" if query else ""
        return f"{path[: key.end()]};lang={language.key}{path[key.end() :]}{text}"
    terms = f"{query}&" if query else ""
    return f"{path}?{terms}lang={language.key}"


def links_to_languages(page_language: PageLanguage) -> Iterator[tuple[str, str]]:
    """Yield the addresses of the page that is asked for in other languages, with their labels."""
    path, language = page_language.page, page_language.language
    if path == LANGUAGES_PAGE:
        for each in model.OFFERED.values():
            yield f"{each.prefix}/", each.name
    elif path in WITH_ALL_LANGUAGES:
        for other in model.OFFERED.values():
            if other is not language:
                # In some browsers, a label that their font lacks puts a warning above the page.
                name = other.english_name if language is ENGLISH else other.name
                yield f"{other.prefix}{path}", name
    elif not path or language is ENGLISH or path.endswith(".gmi"):
        return
    elif _IS_GAME.fullmatch(path):
        yield path, _SEAT.render(language.translations)
    else:
        yield quote(path, safe="/,+=~"), ENGLISH.name


# Translators: the first link of a game's page in your language.
_SEAT = message("Your own seat, or this game in English")
