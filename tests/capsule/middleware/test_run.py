"""The call of a page, and the responses to errors that every page may raise."""

import re
from typing import Any

import pytest

from capsule.accounts.identity import (
    CertificateMissing,
    CertificateNotAuthorised,
    CertificateRefused,
)
from capsule.accounts.players import TooManyNewcomers
from capsule.errors import NotAtPresent, NotFound
from capsule.gemini.types import Answer, Request, Response, Route
from capsule.middleware.run import run
from capsule.ui.responses import Busy
from engine.game import message

CONTEXT: Any = object()
SENTENCE = message("The game is over")


def page(context: object, request: Request, name: str) -> Response:
    assert context is CONTEXT
    return Response(20, "", f"{request.path} of {name}")


ROUTE = Route(re.compile("/page"), page)


def missing(request: Request) -> Response:
    return Response(51, request.path)


def test_a_page_is_given_the_context_the_request_and_its_arguments() -> None:
    request = Request("/page", route=ROUTE, arguments={"name": "alice"})
    assert run(CONTEXT, request, missing=missing) == Response(20, "", "/page of alice")


def test_after_a_wait_what_is_left_to_do_comes_in_its_place() -> None:
    request = Request("/page", route=ROUTE, resume=lambda: Response(20, "", "the end"))
    assert run(CONTEXT, request, missing=missing) == Response(20, "", "the end")


def answered(error: Exception, path: str, query: str | None = None) -> Answer:
    def fail(context: object, request: Request, key: str | None = None) -> Response:
        raise error

    route = Route(re.compile("/play/(?P<key>key)/.*|/.*" if "key" in path else "/.*"), fail)
    return run(CONTEXT, Request(path, query, route=route), missing=missing)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (CertificateRefused(SENTENCE), Response(62, "The game is over")),
        (CertificateNotAuthorised(SENTENCE), Response(61, "The game is over")),
        (NotAtPresent(SENTENCE), Response(51, "The game is over")),
        (TooManyNewcomers(90), Response(44, "90")),
        (Busy(), Response(44, "2")),
        (NotFound(), Response(51, "/page")),
    ],
)
def test_it_says_what_the_error_does(error: Exception, expected: Response) -> None:
    assert answered(error, "/page") == expected


@pytest.mark.parametrize(
    ("path", "query", "expected"),
    [
        pytest.param("/play/new/tinc", "side=o", "/play/?new/tinc?side=o", id="a page"),
        pytest.param("/play/key/move", None, "/play/", id="an action"),
        pytest.param("/play/key/say", "words", "/play/?unsent", id="a text"),
        pytest.param("/play/key/say.json", "words", "/play/", id="a program's text"),
    ],
)
def test_who_lacks_a_certificate_is_sent_to_sign_in(
    path: str, query: str | None, expected: str
) -> None:
    assert answered(CertificateMissing(), path, query) == Response(30, expected)


def test_other_errors_pass() -> None:
    with pytest.raises(RuntimeError):
        answered(RuntimeError(), "/page")
