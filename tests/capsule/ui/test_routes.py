"""The page of an address is that of the first route whose pattern matches it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capsule.app import compiled_routes
from capsule.ui.routes import compile_routes

if TYPE_CHECKING:
    from capsule.gemini.types import Request, Response

GAME = "/play/k3x9m2pqrt"


def page(context: object, request: Request, **arguments: str | None) -> Response:
    raise NotImplementedError


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/rules/tinc",
        "/rules/tinc/",
        "/rules/chess",
        "/games/open.json",
        "/players/alice",
        "/feed",
        "/feed.xml",
        "/puzzles/quantum/12",
        "/play/new/tinc",
        "/play/new/tinc/abc/bot-novice",
        GAME,
        f"{GAME}/12",
        f"{GAME}/abc/move",
        "/board/ultimate/",
        "/board/ultimate/e5,d4",
        "/nowhere",
        "",
    ],
)
def test_one_expression_finds_what_each_pattern_in_turn_does(path: str) -> None:
    table = compiled_routes()
    matches = (route.pattern.fullmatch(path) for route in table)
    first = next(((match.re, match.groupdict()) for match in matches if match), None)
    found = table.find(path)
    assert (found and (found[0].pattern, found[1])) == first


def test_the_first_of_several_matches_decides() -> None:
    table = compile_routes([("/a(?P<x>b)?", page), ("/(?P<y>ab|cd)", page), ("/cd", page)], [])
    routes = list(table)
    assert table.find("/ab") == (routes[0], {"x": "b"})
    assert table.find("/a") == (routes[0], {"x": None})
    assert table.find("/cd") == (routes[1], {"y": "cd"})
    assert table.find("/cde") is None


def test_the_query_decides_between_routes_of_the_same_path() -> None:
    def other(context: object, request: Request) -> Response:
        raise NotImplementedError

    routes = list(table := compile_routes([("/a", other, "x[0-9]"), ("/a", page, "y"), *REST], []))
    expected = {"x1": 0, "y": 1, "x1y": 1, "": 1, None: 1}
    assert {query: table.find("/a", query) for query in expected} == {
        query: (routes[place], {}) for query, place in expected.items()
    }
    assert [routes[0].reads(query) for query in ("x1", "x1y", "", None)] == [True, *[False] * 3]
    assert table.find("/b", "x1") == (routes[2], {})


REST = [("/b", page)]
