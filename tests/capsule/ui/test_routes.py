"""The page of an address is that of the first route whose pattern matches it."""

import pytest

from capsule.app import compiled_routes
from capsule.gemini.types import Request, Response
from capsule.ui.routes import compile_routes, reads
from tests.support.client import Client
from tests.support.query_log import recorded_queries
from tests.support.stored import long_game
from tests.support.stories import ALICE, start_between

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
        "/try/ultimate/",
        "/try/ultimate/e5,d4/move/narrow",
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

    table = compile_routes([("/a", other, "x[0-9]"), ("/a", page, "y"), ("/b", page)], [])
    routes = list(table)
    expected = {"x1": 0, "y": 1, "x1y": 1, "": 1, None: 1}
    assert {query: table.find("/a", query) for query in expected} == {
        query: (routes[place], {}) for query, place in expected.items()
    }
    assert [reads(routes[0], query) for query in ("x1", "x1y", "", None)] == [True, *[False] * 3]
    assert table.find("/b", "x1") == (routes[2], {})


def test_a_page_is_shown_no_query_that_its_route_does_not_declare(client: Client) -> None:
    for address in ("/", "/rules/tinc", "/games/", "/board/", "/puzzles/tinc/1", "/daily/"):
        kept = client.get(address)
        with recorded_queries(client) as recorded:
            assert client.get(f"{address}?-1-") == kept
        assert not recorded


@pytest.mark.sqlite  # on PostgreSQL the database is asked whether anything has changed
def test_a_cell_of_a_board_that_is_shown_whole_makes_no_other_page(client: Client) -> None:
    url = start_between(client, "ultimate")
    for address in (url, f"{url}/0", "/puzzles/ultimate/1", "/daily/", "/board/ultimate/e5"):
        kept = client.get(address, ALICE)
        around = "around=" if address.startswith("/board") else ""
        with recorded_queries(client) as recorded:
            assert client.get(f"{address}?{around}x1", ALICE) == kept
        assert not recorded
    wide, _ = long_game(client, 30)
    assert client.get(f"{wide}?a1", ALICE) != client.get(wide, ALICE)


@pytest.mark.parametrize("pattern", ["(?s:.+)", "engine"])
def test_pages_that_read_anything_are_not_kept(pattern: str) -> None:
    routes = [each for each in compiled_routes() if each.queries]
    found = [each for each in routes if each.queries and each.queries.pattern == pattern]
    assert found
    assert not any(route.is_cacheable for route in found)
