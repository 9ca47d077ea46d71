"""What is not found, and where it is instead."""

import pytest

from capsule.gemini.types import Request, Response
from capsule.ui.missing_pages import missing_page
from capsule.ui.routes import compile_routes


def page(context: object, request: Request) -> Response:
    raise NotImplementedError


TABLE = compile_routes([("/games/", page), ("/about", page)], [])


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
    answer = missing_page(
        Request(path, query), table=TABLE, origin="gemini://localhost", renamed={}.get
    )
    assert (answer.status, answer.meta) == (30, expected) if expected else answer.status == 51
