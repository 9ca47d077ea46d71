"""Requests with their routes."""

from dataclasses import replace

import pytest

from capsule.context import AppContext
from capsule.errors import NotFound
from capsule.gemini.types import NO_ROUTE, Live, Request, Response, Wait
from capsule.middleware.routing import routing
from capsule.ui.columns import narrowed
from capsule.ui.routes import compile_routes, narrowable


@narrowable
def page(context: AppContext, request: Request, **arguments: str | None) -> Response:
    raise NotImplementedError


def wide(context: AppContext, request: Request) -> Response:
    raise NotImplementedError


TABLE = compile_routes([("/rules/(?P<variant>[a-z]+)", page, "[a-z][0-9]"), ("/wide", wide)], [])


def routed(path: str, query: str | None = None) -> Request:
    passed = []

    def handle(request: Request) -> Response:
        passed.append(request)
        return Response(20, "")

    routing(handle, Request(path, query), table=TABLE)
    return passed[0]


def test_a_request_knows_its_page_and_the_arguments_in_its_path() -> None:
    request = routed("/rules/tinc")
    assert (request.route.page, request.arguments) == (page, {"variant": "tinc"})
    assert request.route.name == f"{__name__}.page"


@pytest.mark.parametrize(
    ("query", "is_read", "is_narrow"),
    [
        (None, None, False),
        ("b2", "b2", False),
        ("narrow", None, True),
        ("narrow&b2", "b2", True),
        ("anything", None, False),
        ("narrow&anything", None, True),
    ],
)
def test_a_page_is_asked_for_no_more_than_it_reads(
    query: str | None, is_read: str | None, *, is_narrow: bool
) -> None:
    request = routed("/rules/tinc", query)
    assert (request.query, request.is_narrow) == (is_read, is_narrow)


def test_a_narrow_page_leads_to_narrow_ones_where_there_are_any() -> None:
    def handle(_request: Request) -> Response:
        return Response(20, " ".join(map(narrowed, ("/rules/tinc", "/wide", "/nowhere"))))

    for query, expected in ((None, "/rules/tinc"), ("narrow", "/rules/tinc?narrow")):
        answer = routing(handle, Request("/rules/tinc", query), table=TABLE)
        assert answer.meta == f"{expected} /wide /nowhere"


def test_at_an_unknown_address_nothing_is_found() -> None:
    request = routed("/nowhere", "anything")
    assert (request.route, request.query) == (NO_ROUTE, "anything")
    with pytest.raises(NotFound):
        request.route.page(None, request=request)


def test_each_answer_is_named_but_a_wait_which_is_named_at_its_end() -> None:
    now = Response(44, "1")
    live = Live("a game", 1, "text", lambda: live, str, str, now, now)
    for answer in (Response(20, "", "page"), live):
        named = routing(lambda _, answer=answer: answer, Request("/wide"), table=TABLE)
        assert named == replace(answer, page=named.page)
        assert named.page == f"{__name__}.wide"
    wait = Wait("alice", lambda: now, now)
    assert routing(lambda _: wait, Request("/wide"), table=TABLE) is wait
