"""The links of answers, in the language in which they were made."""

from __future__ import annotations

from capsule.gemini.types import Live, Request, Response, Wait
from capsule.middleware.active_language import active_language
from capsule.middleware.links import links

IN_PORTUGUESE = Request("/games/", language="pt")
NOW = Response(44, "1")


def test_those_of_a_page_and_a_redirect_lead_on_in_its_language() -> None:
    page = Response(20, "text/gemini", "=> /rules/ Rules\n")
    handle = active_language(links(lambda _: page))
    assert "=> /pt/rules/ Rules\n" in handle(IN_PORTUGUESE).body
    assert handle(Request("/games/")).body == page.body
    handle = active_language(links(lambda _: Response(30, "/rules/")))
    assert handle(IN_PORTUGUESE).meta == "/pt/rules/"


def test_so_do_those_of_what_follows_on_a_live_page() -> None:
    def live() -> Live:
        return Live("a game", 1, "=> /rules/ Rules\n", live, str, str, NOW, NOW)

    answer = active_language(links(lambda _: live()))(IN_PORTUGUESE)
    assert isinstance(answer, Live)
    assert "=> /pt/rules/ Rules\n" in answer.text
    assert answer.more().text == "=> /pt/rules/ Rules\n"


def test_a_wait_passes_as_it_is() -> None:
    wait = Wait("alice", lambda: NOW, NOW)
    assert links(lambda _: wait)(IN_PORTUGUESE) is wait
