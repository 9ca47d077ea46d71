"""Crawlers find what is worth finding, and are kept from what has no end."""

import pytest

from engine import VARIANTS
from engine.puzzles.collection import puzzles_of
from tests.support.client import Client
from tests.support.crawling import Crawl
from tests.support.robots_matching import READINGS, WITH_STARS, Reading
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play

pytestmark = pytest.mark.sqlite  # hardly any of it comes from the database


@pytest.fixture
def policy(client: Client) -> str:
    return client.get("/robots.txt")


@pytest.mark.parametrize("may_ask", READINGS)
@pytest.mark.parametrize("prefix", ["", "/pt", "/zh"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_boards_and_games_without_end_are_left_alone(
    policy: str, may_ask: Reading, prefix: str, variant: str
) -> None:
    assert may_ask(policy, f"{prefix}/try/")
    for start in (f"{prefix}/board/{variant}/", f"{prefix}/try/{variant}/"):
        for beyond in ("", "e5", "a1,c2+c3", "b2=5", "move", "a1/move", "a1/words", "?narrow"):
            assert not may_ask(policy, f"{start}{beyond}"), beyond
    assert not may_ask(policy, f"{prefix}/board/{variant}/~k3x9m2pqrt.5,e5")
    assert not may_ask(policy, f"{prefix}/board/{variant}/?engine")


@pytest.mark.parametrize("may_ask", READINGS)
def test_what_is_worth_finding_may_be_read(policy: str, may_ask: Reading) -> None:
    worth = ["/", "/about", "/news", "/rules/", "/games/", "/players/", "/players/alice", "/feed"]
    worth += ["/everyone/", "/everyone/1", "/everyone/feed"]
    worth += ["/puzzles/", "/daily/", "/daily/2026-11-20", "/daily/feed", "/help/programs"]
    worth += ["/play/k3x9m2pqrt", "/play/k3x9m2pqrt/analysis", "/play/tournaments/"]
    worth += ["/play/k3x9m2pqrt/comments"]
    for variant in VARIANTS:
        worth += [f"/rules/{variant}", f"/games/{variant}", f"/puzzles/{variant}/"]
        worth += [f"/rules/{variant}/{page}" for page in ("example", "facts", "try", "try/1")]
        worth += [f"/puzzles/{variant}/{number}" for number in (1, 10, 60)]
    assert [path for path in worth if not may_ask(policy, path)] == []


@pytest.mark.parametrize("may_ask", READINGS)
def test_what_is_personal_is_left_alone(policy: str, may_ask: Reading) -> None:
    left = ["/play/me/", "/play/me/settings", "/play/new/", "/play/new/tinc", "/play/desk"]
    left += ["/players/find", "/play/tournaments/new"]
    assert [path for path in left if may_ask(policy, path)] == []


@pytest.mark.parametrize("may_ask", WITH_STARS)
def test_answers_are_left_alone_by_those_who_know_a_star(policy: str, may_ask: Reading) -> None:
    left = []
    for variant in VARIANTS:
        left += [f"/rules/{variant}/try/1/answer", f"/rules/{variant}/try/5/answer"]
        for number in (1, 9, 10, 99, len(puzzles_of(variant))):
            here = f"/puzzles/{variant}/{number}"
            left += [f"{here}/answer", f"{here}/answered", f"{here}/hint/1", f"{here}/hint/2"]
            left += [f"{here}/solution"]
    assert [path for path in left if may_ask(policy, path)] == []


@pytest.mark.parametrize("may_ask", WITH_STARS)
def test_positions_are_left_alone_by_those_who_know_a_star(policy: str, may_ask: Reading) -> None:
    for below in ("0", "7", "42", "live"):
        assert not may_ask(policy, f"/play/k3x9m2pqrt/{below}")
    assert not may_ask(policy, "/play/k3x9m2pqrt?at-1795183320")
    assert not may_ask(policy, "/play/k3x9m2pqrt?narrow")
    assert not may_ask(policy, "/rules/tinc?narrow")
    assert may_ask(policy, "/play/k3x9m2pqrt")


def test_a_variant_that_is_plugged_in_has_its_games_in_it(client: Client) -> None:
    with noughts_plugged_in():
        client.forget_pages()
        policy = client.get("/robots.txt")
    for may_ask in READINGS:
        assert not may_ask(policy, "/board/noughts/b2")
        assert not may_ask(policy, "/try/noughts/b2")


@pytest.mark.slow
@pytest.mark.parametrize("may_ask", READINGS)
def test_a_crawler_that_keeps_to_it_comes_to_an_end(
    client: Client, policy: str, may_ask: Reading
) -> None:
    played = open_game(client, "tinc")
    play(client, played, WON_GAMES["tinc"].split(), ALICE, BOB)

    crawl = Crawl(client, may_ask=lambda address: may_ask(policy, address)).run()

    read = {visit.address for visit in crawl.visits}
    assert played in read, "a listed game that has ended"
    assert {"/try/", "/rules/tinc"} <= read
    assert not any(address.startswith(("/board/", "/try/tinc/")) for address in read)
    if may_ask in WITH_STARS:
        assert f"{played}/0" not in read
