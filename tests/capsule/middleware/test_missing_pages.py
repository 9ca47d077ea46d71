"""What is not found, and where it is instead."""

from functools import partial

import pytest

from capsule.errors import NotFound
from capsule.gemini.types import Request, Response
from capsule.middleware.missing_pages import missing_pages
from capsule.ui.routes import compile_routes


def page(context: object, request: Request) -> Response:
    raise NotImplementedError


TABLE = compile_routes([("/games/", page), ("/about", page)], [])


def unfound(_request: Request) -> Response:
    raise NotFound


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
    layer = partial(missing_pages, table=TABLE, origin="gemini://localhost", renamed={}.get)
    answer = layer(unfound, Request(path, query))
    assert (answer.status, answer.meta) == (30, expected) if expected else answer.status == 51
