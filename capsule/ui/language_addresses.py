"""The languages of addresses: `/pt/` before those of public pages, and `lang=pt` below `/play/`.

Both are taken off before routes are looked up, and put back into the links of a finished page. The
term stands in the query, or behind the key of an action, whose query may be a text that is typed.
Below `/play/` a player's own choice comes first; the term says what somebody new has come with,
until their first action stores it. Files for machines exist once, in English.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from capsule.gemini.status import Status
from capsule.ui import languages
from capsule.ui.languages import DEFAULT, ENGLISH, speaking
from capsule.ui.render import translate
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capsule.gemini.types import Live, Request, Response
    from capsule.ui.languages import Language, Speech

AREA = "/play/"
"""The beginning of addresses that belong to their reader, and the address that asks who that is."""

WITH_ALL_LANGUAGES = {"/", "/help/"}
"""The pages that lead to themselves in every language."""

_REDIRECTS = (Status.REDIRECT, Status.PERMANENT_REDIRECT)

_END = r"(?![^\s?])"
_MACHINE = rf"[^\s?]*\.(?:txt|json|csv){_END}|/health{_END}|/feed/[a-z2-7]{{32}}(?:\.xml)?{_END}"
_GAME = "/play/[a-z2-7]{10}"
_VISITORS_PAGE = (
    f"{_GAME}(?:/(?:0|[1-9][0-9]*|history|words|live|analysis|comments|notes|messages|more"
    r"|share(?:\.gmi)?|feed(?:\.xml)?))?"
)
_IS_MACHINE = re.compile(_MACHINE)
_IS_GAME = re.compile(_GAME)
_IS_VISITORS_PAGE = re.compile(_VISITORS_PAGE)
_PREFIX = re.compile(r"/([a-z]{2})(/.*)?", re.DOTALL)
_NAMED = re.compile(r"([a-z]{2})(?:/(.*))?", re.DOTALL)
# Hardly anything that is typed where no key is looks like a list of terms that ends with this one.
_TERMS = re.compile(r"(?:([A-Za-z0-9_=&,+.~-]+)&)?lang=([a-z]{2})")
_GOAL = re.compile(r"[A-Za-z0-9_=&,+.~/?-]{0,900}")

_NAMED_IN_TEXT = re.compile(
    "(?<![A-Za-z0-9/.?])/(?=(?:board|cups|daily|games|help|players|puzzles|rules)/)"
)
_IN_PATH = re.compile(";lang=([a-z]{2})(?=/)")
_KEY = re.compile("(?<=/)[a-z2-7]{26}(?=/)")

# A line break is found much faster than the beginning of a line.
_LINK = "\n=> "
_PUBLIC = re.compile(rf"{_LINK}(?!{_MACHINE})/(?!play/)")
_OF_VISITORS = re.compile(rf"{_LINK}(?={_VISITORS_PAGE}{_END})/")
# An address with the key of an action is none that one signs in for.
_OF_READERS = re.compile(rf"{_LINK}(?!{_MACHINE}){AREA}(?![^\s?]*[a-z2-7]{{26}})\??")
_OF_ACTIONS = re.compile(
    rf"{_LINK}(?!{_MACHINE})({AREA}[^\s?]*/[a-z2-7]{{26}}/[^\s?]*)(?:\?(\S*))?"
)
_BELOW = re.compile(rf"{_LINK}(?!{_MACHINE})({AREA}[^\s?]*)(?:\?(\S*))?")


def in_language(request: Request) -> Request | str:
    """Return a request without the language in its address, for the page in that language.

    A text is an address to which it leads. What has no prefix keeps it here, so that nothing is
    found there.

    >>> from capsule.gemini.types import Request
    >>> in_language(Request("/play/new/tinc", "side=o&lang=en")).query
    'side=o'
    """
    path = request.path
    if path.startswith(AREA):
        return _of_reader(request)
    match = _PREFIX.fullmatch(path) if path[3:4] in {"", "/"} else None
    language = languages.OFFERED.get(match[1]) if match else None
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
    if key not in languages.OFFERED:
        key, rest = request.language, query
    return request._replace(path=path, query=rest or None, language=key, is_readers_own=True)


def _way_to_sign_in(language: Language, page: str, query: str | None) -> str:
    goal = page if query is None else f"{page}?{query}"
    return f"{AREA}?{language.key}/{goal if _GOAL.fullmatch(goal) else ''}"


def is_prefixed(request: Request) -> bool:
    """Return whether a request is for a public page in another language than English."""
    return request.language != DEFAULT and not request.is_readers_own


def address_in(speech: Speech, path: str) -> str:
    """Return the address of a page, for links on a public page, or to a player who has chosen.

    >>> from capsule.ui.languages import PORTUGUESE, Speech
    >>> [
    ...     address_in(Speech(PORTUGUESE), path)
    ...     for path in ("/feed.xml", "/play/?new/", "/robots.txt")
    ... ]
    ['/pt/feed.xml', '/play/?pt/new/', '/robots.txt']
    """
    if speech.language is ENGLISH:
        return path
    links = _own_links if speech.is_chosen else _public_links
    return links(speech.language, f"{_LINK}{path}").removeprefix(_LINK)


def with_links_in(answer: Response, request: Request, speech: Speech) -> Response:
    """Return a response whose links, or the redirect that it is, stay in its language.

    On a public page, those that need an identity lead to where one signs in. Below `/play/`, a
    language that nobody has chosen yet goes on as a term.
    """
    change, complete = _change_of_links(request, speech), _with_languages(request)
    if answer.status in _REDIRECTS:
        meta = change(f"{_LINK}{answer.meta}").removeprefix(_LINK)
        return replace(answer, meta=meta, preface=_changed(change, answer.preface))
    if answer.status != Status.SUCCESS:
        return replace(answer, meta=_with_addresses_in(speech.language, answer.meta))
    if not answer.body or not answer.meta.startswith("text/gemini"):
        return answer
    return replace(answer, body=complete(_changed(change, answer.body)))


def _with_addresses_in(language: Language, sentence: str) -> str:
    """Return the sentence of a prompt or an error with the addresses that it names in a language.

    >>> from capsule.ui.languages import PORTUGUESE
    >>> _with_addresses_in(PORTUGUESE, "Não há essa partida (todas: /games/)")
    'Não há essa partida (todas: /pt/games/)'
    """
    return _NAMED_IN_TEXT.sub(f"{language.prefix}/", sentence) if language.prefix else sentence


def live_in(live: Live, request: Request, speech: Speech) -> Live:
    """Return a live response that goes on in the language in which it has begun, links and all."""
    change = partial(_changed, _change_of_links(request, speech))

    def later(text: Callable[[], str]) -> str:
        with speaking(speech):
            return change(text())

    def more(live: Live) -> Live:
        with speaking(speech):
            following = live.more()
        return with_texts(following, str)

    def with_texts(live: Live, complete: Callable[[str], str]) -> Live:
        return replace(
            live,
            text=complete(change(live.text)),
            more=partial(more, live),
            when_late=partial(later, live.when_late),
            when_stopped=partial(later, live.when_stopped),
        )

    return with_texts(live, _with_languages(request))


def _changed(change: Callable[[str], str], body: str) -> str:
    return change(f"\n{body}")[1:]


def _change_of_links(request: Request, speech: Speech) -> Callable[[str], str]:
    if speech.language is ENGLISH:
        return str
    if is_prefixed(request):
        return partial(_public_links, speech.language)
    return partial(_own_links if speech.is_chosen else _carried_links, speech.language)


def _public_links(language: Language, text: str) -> str:
    prefixed = f"{_LINK}{language.prefix}/"
    text = _OF_VISITORS.sub(prefixed, _PUBLIC.sub(prefixed, text))
    text = _OF_READERS.sub(f"{_LINK}{AREA}?{language.key}/", text)
    # Some browsers show a certificate to public pages, too, which may lead to a first action.
    return _OF_ACTIONS.sub(partial(_carried, language), text)


def _own_links(language: Language, text: str) -> str:
    return _PUBLIC.sub(f"{_LINK}{language.prefix}/", text)


def _carried_links(language: Language, text: str) -> str:
    return _BELOW.sub(partial(_carried, language), _own_links(language, text))


def _carried(language: Language, link: re.Match[str]) -> str:
    """Return a link below `/play/` with the term of a language."""
    path, query = link.groups()
    if path == AREA:
        return f"{_LINK}{AREA}?{language.key}/{query or ''}"
    if key := _KEY.search(path):
        # What is typed at a prompt takes the place of the query.
        text = f"?{query}" if query else ""
        return f"{_LINK}{path[: key.end()]};lang={language.key}{path[key.end() :]}{text}"
    terms = f"{query}&" if query else ""
    return f"{_LINK}{path}?{terms}lang={language.key}"


def _with_languages(request: Request) -> Callable[[str], str]:
    """Return how the page of a request is completed with links to itself in other languages."""
    links = "".join(f"=> {link}\n" for link in _links_to_languages(request))
    if not links:
        return str

    def below_title(body: str) -> str:
        title, line_break, rest = body.partition("\n")
        return f"{title}{line_break}{links}{rest}" if title.startswith("# ") else f"{links}{body}"

    return below_title


def _links_to_languages(request: Request) -> Iterator[str]:
    path = request.path
    if request.is_readers_own or not path.startswith("/") or path.endswith(".gmi"):
        return
    if path in WITH_ALL_LANGUAGES:
        for language in languages.OFFERED.values():
            if language.key != request.language:
                yield f"{language.prefix}{path} {language.name}"
    elif _IS_GAME.fullmatch(path) and is_prefixed(request):
        yield f"{path} {translate(_SEAT)}"
    elif is_prefixed(request):
        yield f"{quote(path, safe='/,+=~')} {ENGLISH.name}"


# Translators: the first link of a game's page in your language.
_SEAT = message("Your own seat, or this game in English")
