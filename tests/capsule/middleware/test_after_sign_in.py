"""The goal of somebody who signs in."""

from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate, Request, Response
from capsule.languages.model import active_language
from capsule.middleware.after_sign_in import after_sign_in
from tests.support.client import BEGINNING, certificate

ALICE = certificate("alice", not_after=BEGINNING + timedelta(days=1))


@pytest.mark.parametrize(
    ("query", "who", "after", "expected"),
    [
        ("new/tinc?side=o", ALICE, timedelta(), ("/play/new/tinc", "side=o")),
        ("new/tinc", None, timedelta(), ("/play/", "new/tinc")),
        ("new/tinc", ALICE, timedelta(days=2), ("/play/", "new/tinc")),
        ("no goal", ALICE, timedelta(), ("/play/", "no goal")),
        (None, ALICE, timedelta(), ("/play/", None)),
    ],
    ids=["signed in", "without a certificate", "expired", "no goal", "no query"],
)
def test_who_has_signed_in_is_given_the_goal(
    query: str | None, who: Certificate | None, after: timedelta, expected: tuple[str, str | None]
) -> None:
    def handle(request: Request) -> Response:
        assert (request.path, request.query) == expected
        return Response(20, "", "page")

    request = Request("/play/", query, who)
    assert after_sign_in(handle, request, clock=lambda: BEGINNING + after).body == "page"


def test_a_language_in_the_goal_comes_before_that_of_the_address() -> None:
    def handle(request: Request) -> Response:
        return Response(20, "", f"{request.language} {active_language().key}")

    for query, language in (("new/tinc?lang=zh", "zh"), ("new/tinc", "pt")):
        request = Request("/play/", query, ALICE, language="pt")
        answer = after_sign_in(handle, request, clock=lambda: BEGINNING)
        assert answer.body == f"{language} {language}"
