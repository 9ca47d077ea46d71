"""The goal of a visitor who signs in, in its language."""

from datetime import timedelta

from capsule.gemini.types import Request, Response
from capsule.languages.model import active_language
from capsule.middleware.after_sign_in import after_sign_in
from tests.support.client import BEGINNING, certificate


def test_a_language_in_the_goal_comes_before_that_of_the_address() -> None:
    def handle(request: Request) -> Response:
        return Response(20, "", f"{request.language} {active_language().key}")

    alice = certificate("alice", not_after=BEGINNING + timedelta(days=1))
    for query, language in (("new/tinc?lang=zh", "zh"), ("new/tinc", "pt")):
        request = Request("/play/", query, alice, language="pt")
        answer = after_sign_in(handle, request, clock=lambda: BEGINNING)
        assert answer.body == f"{language} {language}"
