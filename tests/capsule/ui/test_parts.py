"""Parts that pages lack until somebody asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.app import compiled_routes
from capsule.gemini.types import Response
from capsule.ui.parts import missing_part, place_of, with_part
from tests.support.client import link
from tests.support.stories import ALICE, BOB, open_game, play

if TYPE_CHECKING:
    from tests.support.client import Client

PAGE = Response(20, "text/gemini", f"# Title\n\n{place_of('a-part')}\n=> / Home\n")


def test_a_part_takes_its_place() -> None:
    assert missing_part(PAGE) == "a-part"
    page = with_part(PAGE, Response(20, "text/gemini", "=> /a One\n=> /b \\1\n"))
    assert page.body == "# Title\n\n=> /a One\n=> /b \\1\n=> / Home\n"
    assert missing_part(page) is None


def test_a_part_without_text_leaves_no_line() -> None:
    page = with_part(PAGE, Response(20, "text/gemini", "\n"))
    assert page.body == "# Title\n\n=> / Home\n"


def test_what_comes_in_the_place_of_a_part_comes_in_that_of_its_page() -> None:
    away = Response(41, "The database does not answer. Try again soon")
    assert with_part(PAGE, away) is away


def test_nobody_can_ask_for_a_part_alone(client: Client) -> None:
    for route in compiled_routes():
        if route.is_part:
            assert client.ask(f"/{route.pattern.pattern}").status == 51


def test_a_message_cannot_name_a_part(client: Client) -> None:
    url = open_game(client)
    play(client, url, ["e5"], ALICE)
    say = link(client.get(url, BOB), "/say")
    client.ask(f"{say}?%1Dnext-game%1D", BOB)
    assert client.get(url, ALICE).count(" Your games\n") == 1
