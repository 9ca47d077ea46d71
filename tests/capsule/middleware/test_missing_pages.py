"""What is not found, and where it is instead."""

from functools import partial

import pytest

from capsule.errors import NotFound
from capsule.gemini.types import Answer, Request, Response, Route
from capsule.middleware.missing_pages import missing_pages
from capsule.ui.routes import compile_routes


def page(context: object, request: Request) -> Response:
    raise NotImplementedError


TABLE = compile_routes([("/games/", page), ("/about", page), ("/players/old", page)], [])
ROUTE: Route = next(iter(TABLE))


FORMER = {"/players/old": "/players/new"}

layer = partial(missing_pages, table=TABLE, origin="gemini://localhost", renamed=FORMER.get)


def answered(request: Request) -> Answer:
    def handle(_request: Request) -> Answer:
        raise NotFound

    return layer(handle, request)


@pytest.mark.parametrize(
    ("path", "query", "expected"),
    [
        ("/games", None, "/games/"),
        ("/games", "before=é 1", "/games/?before=%C3%A9%201"),
        ("/about/", None, "/about"),
        ("/about//", None, None),
        ("/nowhere", None, None),
        ("/games", "x" * 1000, None),
    ],
)
def test_a_slash_too_many_or_too_few_is_taken_for_a_slip(
    path: str, query: str | None, expected: str | None
) -> None:
    answer = answered(Request(path, query))
    assert isinstance(answer, Response)
    assert (answer.status, answer.meta) == (30, expected) if expected else answer.status == 51


def test_a_page_at_a_former_name_has_moved_and_what_has_no_page_is_not_looked_for() -> None:
    assert answered(Request("/players/old", route=ROUTE)) == Response(30, "/players/new")
    answer = answered(Request("/players/old"))
    assert answer == Response(51, "There is no such player (search by name: /players/find)")


def test_what_is_found_passes() -> None:
    found = Response(20, "", "page")
    assert layer(lambda _: found, Request("/games/")) is found
