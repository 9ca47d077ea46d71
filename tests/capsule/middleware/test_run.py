"""The call of a page."""

import re
from typing import Any

import pytest

from capsule.errors import NotFound
from capsule.gemini.types import Request, Response, Route
from capsule.middleware.run import run

CONTEXT: Any = object()


def page(context: object, request: Request, name: str) -> Response:
    assert context is CONTEXT
    if name == "nobody":
        raise NotFound
    return Response(20, "", f"{request.path} of {name}")


ROUTE = Route(re.compile("/page"), page)


def test_a_page_is_given_the_context_the_request_and_its_arguments() -> None:
    request = Request("/page", route=ROUTE, arguments={"name": "alice"})
    assert run(CONTEXT, request) == Response(20, "", "/page of alice")


def test_after_a_wait_what_is_left_to_do_comes_in_its_place() -> None:
    request = Request("/page", route=ROUTE, resume=lambda: Response(20, "", "the end"))
    assert run(CONTEXT, request) == Response(20, "", "the end")


def test_what_is_not_found_passes_on() -> None:
    with pytest.raises(NotFound):
        run(CONTEXT, Request("/page", route=ROUTE, arguments={"name": "nobody"}))
