"""Requests without the language of their address."""

from __future__ import annotations

from capsule.gemini.types import Request, Response
from capsule.middleware.from_address import from_address


def test_the_language_of_an_address_is_known_inside() -> None:
    passed: list[Request] = []

    def handle(request: Request) -> Response:
        passed.append(request)
        return Response(20, "")

    for path, query in (("/pt/games/", None), ("/play/new/tinc", "lang=zh"), ("/games/", None)):
        from_address(handle)(Request(path, query))
    assert [(request.path, request.query, request.language) for request in passed] == [
        ("/games/", None, "pt"),
        ("/play/new/tinc", None, "zh"),
        ("/games/", None, "en"),
    ]


def test_what_is_at_another_address_leads_there() -> None:
    handle = from_address(lambda _: Response(20, ""))
    assert handle(Request("/pt/play/new/")) == Response(30, "/play/?pt/new/")
