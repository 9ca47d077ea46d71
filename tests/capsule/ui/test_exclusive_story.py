"""Answers that take long are made one at a time: so nobody keeps all the threads busy with them."""

from dataclasses import replace
from functools import partial

import pytest

from capsule.app import build_app
from capsule.gemini.types import Request, Response
from capsule.ui.responses import Busy, ExclusiveAccess
from tests.support.client import Client, context_of, response_of
from tests.support.stories import ALICE, start

LONG = ("/players/ladder/ultimate.csv", "/play/me/export.json", "/play/me/records.txt")


@pytest.mark.parametrize("path", LONG)
def test_while_one_is_made_another_is_asked_for_later(client: Client, path: str) -> None:
    start(client, "tinc", "solo", ALICE)
    context = replace(context_of(client), exclusive=ExclusiveAccess())
    ask = partial(response_of, build_app(context))
    request = Request(path, None, ALICE)
    with context.exclusive.acquire():
        assert ask(request) == Response(44, "2")
        assert ask(Request("/players/ladder/ultimate")).status == 20, "pages go on"
    assert ask(request).status == 20


def test_one_that_fails_is_in_nobodys_way() -> None:
    exclusive = ExclusiveAccess()
    with pytest.raises(ZeroDivisionError), exclusive.acquire():
        _ = 1 // 0
    with exclusive.acquire(), pytest.raises(Busy), exclusive.acquire():
        pass
