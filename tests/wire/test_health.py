"""A balancer that asks every second whether the server answers, and is nobody's business."""

import pytest

from tests.support.wire.connection import fetch
from tests.wire.conftest import StartEcho

pytestmark = pytest.mark.slow


def test_it_is_answered_as_often_as_it_is_asked_and_never_logged(start_echo: StartEcho) -> None:
    with start_echo(rate=0.01, burst=1) as server:
        before = server.printed
        for _ in range(3):
            reply = fetch(f"{server.home}/health", server.address)
            assert reply == (20, "text/plain", "fine", True)
        assert server.printed == before
        assert fetch(f"{server.home}/", server.address).status == 20
        assert fetch(f"{server.home}/", server.address).status == 44
        assert fetch(f"{server.home}/health", server.address).status == 20
        assert "/health" not in server.printed


def test_other_addresses_that_end_like_it_are_those_of_pages(start_echo: StartEcho) -> None:
    with start_echo(rate=0) as server:
        for path in ("/rules/health", "/health?", "/?/health"):
            assert fetch(server.home + path, server.address).meta == "application/json"
        assert fetch("gemini://elsewhere.example/health", server.address).status == 53
