"""The language that is active while a request is answered."""

from __future__ import annotations

from capsule.gemini.types import Request, Response
from capsule.middleware.active_language import active_language
from capsule.ui.languages import speak_chosen, spoken


def test_it_is_that_of_the_request_or_what_its_page_finds_and_ends_with_it() -> None:
    def handle(request: Request) -> Response:
        before = spoken().key
        if request.query is not None:
            speak_chosen(request.query)
        return Response(20, "", f"{before} {spoken().key}")

    layered = active_language(handle)
    assert layered(Request("/", language="pt")).body == "pt pt"
    assert layered(Request("/", "zh", language="pt")).body == "pt zh"
    assert spoken().key == "en"
