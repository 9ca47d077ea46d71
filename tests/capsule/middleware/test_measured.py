"""Answers with the names of their pages."""

import re
from dataclasses import replace

from capsule.gemini.types import Live, Request, Response, Route, Wait
from capsule.middleware.measured import measured


def nothing(context: object, request: Request) -> Response:
    raise NotImplementedError


REQUEST = Request("/page", route=Route(re.compile("/page"), nothing, name="lobby.page"))
NOW = Response(44, "1")


def live() -> Live:
    return Live("a game", 1, "text", live, str, str, NOW, NOW)


def test_each_answer_is_named_but_a_wait_which_is_named_at_its_end() -> None:
    for answer in (Response(20, "", "page"), live()):
        named = measured(lambda _, answer=answer: answer, REQUEST)
        assert named == replace(answer, page="lobby.page")
        assert named.page == "lobby.page"
    wait = Wait("alice", lambda: NOW, NOW)
    assert measured(lambda _: wait, REQUEST) is wait
