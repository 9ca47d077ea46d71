"""The responses to errors that every page may raise."""

import re

import pytest

from capsule.accounts.identity import (
    CertificateMissing,
    CertificateNotAuthorised,
    CertificateRefused,
)
from capsule.accounts.players import TooManyNewcomers
from capsule.errors import NotAtPresent, NotFound
from capsule.gemini.types import Answer, Request, Response, Route
from capsule.middleware.errors import errors
from capsule.ui.responses import Busy
from engine.game import message

SENTENCE = message("The game is over")


def nothing(context: object, request: Request) -> Response:
    raise NotImplementedError


ACTION = Route(re.compile("/play/(?P<key>key)/.*"), nothing)


def answered(error: Exception, request: Request) -> Answer:
    def handle(_request: Request) -> Answer:
        raise error

    return errors(handle, request, missing=lambda request: Response(51, request.path))


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
    assert answered(error, Request("/page")) == expected


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (Request("/play/new/tinc", "side=o"), "/play/?new/tinc?side=o"),
        (Request("/play/key/move", route=ACTION), "/play/"),
        (Request("/play/key/say", "words", route=ACTION), "/play/?unsent"),
        (Request("/play/key/say.json", "words", route=ACTION), "/play/"),
    ],
    ids=["a page", "an action", "a text", "a program's text"],
)
def test_who_lacks_a_certificate_is_sent_to_sign_in(request_: Request, expected: str) -> None:
    assert answered(CertificateMissing(), request_) == Response(30, expected)


def test_other_errors_pass() -> None:
    with pytest.raises(RuntimeError):
        answered(RuntimeError(), Request("/page"))
