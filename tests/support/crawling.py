"""A crawler: all that can be reached from `/` by links, with samples of what has no end."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from capsule.app import compiled_routes
from capsule.gemini.types import Certificate, Response
from capsule.languages.model import ENGLISH, LANGUAGES, Language
from capsule.ui.routes import Route, page_name
from tests.support.client import Client
from tests.support.gemtext_rules import lines_of

ORIGIN = "gemini://localhost"


@dataclass(frozen=True)
class Sample:
    """Numbers of addresses of one kind that a crawl reads, of however many are found."""

    pages: int = 40
    boards: int = 8
    queries: int = 8
    actions: int = 6


LARGE, SMALL = Sample(), Sample(12, 3, 3, 3)

MAX_DEPTH = 3
"""Moves of a board to which links are followed."""

_BOARD = re.compile("/(?:board|try)/(?P<variant>[^/]+)/(?P<line>[^?]*)")
_POSITION = re.compile("(?P<game>/play/[a-z2-7]{10})/[0-9]+")

_TIME = re.compile("[?]at-[0-9]+$")
"""A query that makes a page's address new to browsers, which a crawl reads once."""


@dataclass(frozen=True)
class Visit:
    """An address, what was answered there, and where its link stood."""

    address: str
    answer: Response
    linked_from: str
    route: Route | None

    @property
    def is_gemtext(self) -> bool:
        """Whether the answer is a page of gemtext."""
        return self.answer.status == 20 and self.answer.meta.startswith("text/gemini")


@dataclass
class Crawl:
    """A crawl as one visitor: what was read so far, what was found, and what waits to be read.

    Links that act are followed when all else has been read, since pages change by them. `may_ask`
    says whether this crawler may ask for an address. It stays in one language.
    """

    client: Client
    who: Certificate | None = None
    may_ask: Callable[[str], bool] = lambda _: True
    sample: Sample = LARGE
    language: Language = ENGLISH
    visits: list[Visit] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _read: Counter[str] = field(default_factory=Counter)
    _waiting: deque[tuple[str, str]] = field(default_factory=deque)
    _positions: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    _sampled: set[str] = field(default_factory=set)
    _actions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._routes = compiled_routes()

    def run(self, beginning: str = "/") -> "Crawl":
        """Crawl from an address, and return this with all visits."""
        for visit in self.visiting(beginning):
            self.visits.append(visit)
        return self

    def visiting(self, beginning: str = "/") -> Iterator[Visit]:
        """Crawl from an address, and yield each visit as it is made."""
        self._want(beginning, "the beginning")
        while self._waiting or self._positions or self._actions:
            while self._waiting:
                yield self._visit(*self._waiting.popleft())
            if self._positions:
                for found in self._positions.values():
                    self._waiting.extend((each, found[each]) for each in _first_middle_last(found))
                self._sampled.update(self._positions)
                self._positions.clear()
            else:
                actions, self._actions = self._actions, {}
                yield from (self._visit(*each) for each in actions.items())

    def pages(self) -> Iterator[Visit]:
        """Yield the visits that brought a page of gemtext."""
        return (visit for visit in self.visits if visit.is_gemtext)

    def _visit(self, address: str, linked_from: str) -> Visit:
        """Request an address, and queue the addresses that it leads to."""
        answer = self.client.ask(address, self.who)
        visit = Visit(address, answer, linked_from, self._route(address))
        for found in targets(visit):
            self._want(found, address)
        return visit

    def _want(self, address: str, linked_from: str) -> None:
        """Queue an address to be read now or later, or leave it out."""
        if not (self.may_ask(address) and self._is_in_language(address)):
            return
        address = _TIME.sub("", address)
        if address in self._seen:
            return
        self._seen.add(address)
        route = self._route(address)
        bare = self.bare(address)
        position = _POSITION.fullmatch(bare)
        if position:
            if position["game"] not in self._sampled:
                self._positions[position["game"]][address] = linked_from
        elif self._is_one_too_many(bare, route):
            return
        elif route is not None and route.is_action:
            self._actions[address] = linked_from
        else:
            self._waiting.append((address, linked_from))

    def _is_one_too_many(self, address: str, route: Route | None) -> bool:
        board = _BOARD.match(address)
        if board and board["line"].count(",") >= MAX_DEPTH:
            return True
        kind = kind_of(address, route)
        self._read[kind] += 1
        if route is not None and route.is_action:
            limit = self.sample.actions
        elif "?" in address:
            limit = self.sample.queries
        else:
            limit = self.sample.boards if board and board["line"] else self.sample.pages
        return self._read[kind] > limit

    def _route(self, address: str) -> Route | None:
        path, _, query = self.bare(address).partition("?")
        found = self._routes.find(path, unquote(query))
        return found[0] if found else None

    def bare(self, address: str) -> str:
        """Return the address of a page in English, to which it leads in the crawl's language."""
        prefix, signs_in = self.language.prefix, f"/play/?{self.language.key}/"
        if self.who is not None and address.startswith(signs_in):
            return f"/play/{address.removeprefix(signs_in)}"
        return address.removeprefix(prefix) if address.startswith(f"{prefix}/") else address

    def _is_in_language(self, address: str) -> bool:
        """Return whether an address is in the crawl's language, or says none."""
        prefixes = [each.prefix for each in LANGUAGES.values() if each is not ENGLISH]
        found = next((each for each in prefixes if address.startswith(f"{each}/")), "")
        return found == self.language.prefix or address.startswith(("/play/", "/feed/"))


def targets(visit: Visit) -> Iterable[str]:
    """Return the capsule's own addresses that a page leads to, or a redirect."""
    if visit.answer.status == 30:
        return [visit.answer.meta]
    if not visit.is_gemtext:
        return []
    links = (line.text.split()[1] for line in lines_of(visit.answer.body) if line.kind == "link")
    own = (target.removeprefix(ORIGIN) for target in links)
    return [target for target in own if target.startswith("/")]


def kind_of(address: str, route: Route | None) -> str:
    """Return what addresses have in common that differ in a game, a player, a number or a query.

    Actions are of one kind for each verb, boards for each number of moves, and what belongs to a
    variant is of one kind for each.
    """
    path, mark, _ = address.partition("?")
    found = route.pattern.fullmatch(path) if route else None
    if route is None or found is None:
        return f"{path}{mark}"
    groups = found.groupdict()
    words = [groups[name] for name in ("variant", "verb", "way", "choice") if groups.get(name)]
    board = _BOARD.match(path)
    if board and board["line"]:
        words.append(f"after {board['line'].count(',') + 1}")
    return " ".join([page_name(route.page), *words]) + mark


def _first_middle_last(addresses: Iterable[str]) -> Iterable[str]:
    ordered = sorted(addresses, key=lambda address: int(address.rpartition("/")[2]))
    return {ordered[0], ordered[len(ordered) // 2], ordered[-1]}
