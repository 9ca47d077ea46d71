"""Requests without the language of their address, which is active while they are answered."""

from capsule.gemini.types import Request, Response
from capsule.languages.model import activate_language, active_language
from capsule.middleware.from_address import from_address


def test_the_language_of_an_address_is_known_inside() -> None:
    passed: list[Request] = []

    def handle(request: Request) -> Response:
        passed.append(request)
        return Response(20, "")

    for path, query in (("/pt/games/", None), ("/play/new/tinc", "lang=zh"), ("/games/", None)):
        from_address(handle, Request(path, query))
    assert [(request.path, request.query, request.language) for request in passed] == [
        ("/games/", None, "pt"),
        ("/play/new/tinc", None, "zh"),
        ("/games/", None, "en"),
    ]


def test_what_is_at_another_address_leads_there() -> None:
    answer = from_address(lambda _: Response(20, ""), Request("/pt/play/new/"))
    assert answer == Response(30, "/play/?pt/new/")


def test_it_is_active_until_the_page_finds_another_one_and_ends_with_the_request() -> None:
    def handle(request: Request) -> Response:
        before = active_language().key
        if request.query is not None:
            activate_language(request.query)
        return Response(20, "", f"{before} {active_language().key}")

    assert from_address(handle, Request("/pt/games/")).body == "pt pt"
    assert from_address(handle, Request("/pt/games/", "zh")).body == "pt zh"
    assert active_language().key == "en"
