"""Routes: the addresses of a feature's pages, and the lookup of the page for an address.

A route is a pattern of paths, the page that answers them and, if that reads queries, a pattern of
these; the path's named groups are the page's arguments. A page is never shown any other query: such
a query changes nothing, and nobody makes the capsule do anything twice by it. Each module of pages
ends with its `ROUTES`, which its feature declares.

>>> def rules_of(variant): ...
>>> table = compile_routes([(f"/rules/{VARIANT}", rules_of, "narrow")], ["tinc", "ultimate"])
>>> route, arguments = table.find("/rules/tinc", "narrow")
>>> arguments, reads(route, "narrow"), reads(route, "wide")
({'variant': 'tinc'}, True, False)
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import TypeAlias, TypeVar

from capsule.gemini.types import Page, Route

P = TypeVar("P", bound=Page)

Routes: TypeAlias = Sequence[tuple[str, Page] | tuple[str, Page, str]]
"""The patterns of paths are tried in order, each against the whole path; the first match decides.

Of routes with the same pattern, which must be neighbours, it is the first one that reads the query,
else the last one.
"""


class RouteTable:
    """Compiled routes, of which the first that matches a path is found by one expression."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = routes
        at_path = [list(found) for _, found in groupby(routes, lambda route: route.pattern)]
        # Each alternative ends with an empty group, whose number says which one has matched.
        self._pattern = re.compile("|".join(f"{_unnamed(each[0].pattern)}()" for each in at_path))
        self._by_last_group: dict[int | None, tuple[Sequence[Route], int]] = {}
        end = 0
        for found in at_path:
            start, end = end, end + found[0].pattern.groups + 1
            self._by_last_group[end] = (found, start)

    def __iter__(self) -> Iterator[Route]:
        return iter(self._routes)

    def find(
        self, path: str, query: str | None = None
    ) -> tuple[Route, Mapping[str, str | None]] | None:
        """Return an address's route and the values of its named groups; None if there is none."""
        match = self._pattern.fullmatch(path)
        if match is None:
            return None
        routes, start = self._by_last_group[match.lastindex]
        route = routes[-1]
        if len(routes) > 1:
            route = next((each for each in routes if reads(each, query)), route)
        return route, {name: match[start + n] for name, n in route.pattern.groupindex.items()}

    def is_narrowable(self, path: str) -> bool:
        """Return whether the page at a path may be a narrow one."""
        found = self.find(path)
        return found is not None and found[0].is_narrowable


def reads(route: Route, query: str | None) -> bool:
    """Return whether the page of a route reads a query; it never reads an empty one."""
    return bool(query and route.queries and route.queries.fullmatch(query))


def _unnamed(pattern: re.Pattern[str]) -> str:
    return re.sub(r"\(\?P<\w+>", "(", pattern.pattern)


_CACHEABLE: set[Page] = set()


def cacheable(page: P) -> P:
    """Declare that a page takes a millisecond or two on any database, and waits for nobody.

    It reads a few rows; all that it may write is, once a day, when its visitor's certificate was
    used. It is answered on the reactor's thread, which saves handing it over to another one, and
    may be reused until something changes.
    """
    _CACHEABLE.add(page)
    return page


_NARROWABLE: set[Page] = set()


def narrowable(page: P) -> P:
    """Declare that a page reads `?narrow`, before any other query that its route may name."""
    _NARROWABLE.add(page)
    return page


ANY = "(?s:.+)"
"""The pattern of queries for a page to which anything may be typed."""

CELL = "[a-z]{1,4}[0-9]{1,6}"
"""The pattern of queries that name the cell of a wide board to look at."""

VARIANT = "{variant}"
"""A placeholder for the variants' keys.

`compile_routes` fills it in when the application is built, since variants can be registered until
then.
"""

GAME = "(?P<game_id>[a-z2-7]{10})"
TOURNAMENT = "(?P<tournament_id>[a-z2-7]{10})"
PLAYER = "(?P<name>[A-Za-z0-9_-]+)"
KEY = "(?P<key>[^/]+)"
NUMBER = "(?P<number>[1-9][0-9]?)"
FEED = r"feed(?P<form>\.xml)?"


def one_of(group: str, words: Iterable[str]) -> str:
    """Return a pattern that matches one of the words, as a group of that name.

    >>> one_of("verb", ["mute", "block"])
    '(?P<verb>mute|block)'
    """
    return f"(?P<{group}>{'|'.join(words)})"


def compile_routes(routes: Routes, variants: Iterable[str]) -> RouteTable:
    """Return the routes with their patterns compiled, and the keys of the `variants` filled in."""
    variant = one_of("variant", map(re.escape, variants))
    return RouteTable(
        [
            Route(
                re.compile(path.replace(VARIANT, variant)),
                page,
                page in _CACHEABLE,
                re.compile(queries[0]) if queries else None,
                page in _NARROWABLE,
                page_name(page),
            )
            for path, page, *queries in routes
        ]
    )


_FAMILIES: dict[Page, str] = {}


def named(family: str, routes: Routes) -> Routes:
    """Return routes whose pages are measured by the names that they have in that family.

    Names of pages are published in metrics, and stay when a page moves to another module.
    """
    for _, page, *_ in routes:
        _FAMILIES[page] = family
    return routes


@cache
def page_name(page: Page) -> str:
    """Return the name by which a page is measured: its family's, or its module's, and its own.

    >>> from capsule.lobby.pages.home import front
    >>> page_name(front)
    'lobby.pages.home.front'
    """
    name: str = getattr(page, "page_name", None) or f"{page.__module__}.{page.__name__}"
    family, _, own = name.removeprefix("capsule.").rpartition(".")
    return f"{_FAMILIES.get(page, family)}.{own}"
