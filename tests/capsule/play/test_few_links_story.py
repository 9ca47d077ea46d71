"""A page at one's own turn has a dozen links at most, besides those of moves."""

import re
from datetime import timedelta
from random import Random

import pytest

from engine import VARIANTS, Side
from tests.support.client import BEGINNING, Client, certificate, link
from tests.support.stored import long_game
from tests.support.stories import ALICE, BOB, play, start, start_between
from tests.support.tournaments import begin, games

MOST = 12

EXPIRING = certificate("erin", not_after=BEGINNING + timedelta(days=9))
"""The certificate of a player who is told on each page that it expires soon."""


def other_links(page: str) -> list[str]:
    """Return the links of a page apart from those that play a move."""
    found = re.findall(r"^=> (\S+ .+)$", page, re.MULTILINE)
    return [each for each in found if "/move?" not in each]


def require_few(page: str) -> None:
    found = other_links(page)
    assert "Your turn." in page
    assert len(found) <= MOST, "\n".join(found)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(2))
def test_between_people_who_have_offered_all_that_can_be_offered(
    client: Client, variant: str, seed: int
) -> None:
    url = start_between(client, variant, EXPIRING, BOB)
    players = {Side.X: EXPIRING, Side.O: BOB}
    position, rng = VARIANTS[variant].start, Random(seed)
    for _ in range(8):
        if position.outcome is not None:
            break
        mover, waiting = players[position.turn], players[position.turn.other]
        for verb in ("takeback", "draw"):
            require_few(client.get(url, mover))
            page = client.get(url, waiting)
            if f"/{verb}" in page:
                client.get(link(page, f"/{verb}"), waiting)
        require_few(client.get(url, mover))
        client.ask(f"{link(client.get(url, waiting), '/say')}?hello", waiting)
        client.now += timedelta(minutes=1)
        require_few(client.get(url, mover))
        move = position.random_move(rng)
        play(client, url, [move], mover)
        position = position.play(move)


@pytest.mark.parametrize("way", ["solo", "bot-club", "invite"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_alone_with_a_bot_and_before_anybody_has_joined(
    client: Client, variant: str, way: str
) -> None:
    url = start(client, variant, way, EXPIRING)
    position = VARIANTS[variant].start
    require_few(client.get(url, EXPIRING))
    for _ in range(3 if way == "solo" else 0):
        move = position.example()
        play(client, url, [move], EXPIRING)
        require_few(client.get(url, EXPIRING))
        position = position.play(move)


def test_in_a_tournament(client: Client) -> None:
    url = games(client, begin(client))["alice", "bob"]
    require_few(client.get(url, ALICE))
    play(client, url, [VARIANTS["tinc"].start.example()], ALICE)
    require_few(client.get(url, BOB))


def test_on_a_wide_grid(client: Client) -> None:
    url, _ = long_game(client, 40)
    for address in (url, f"{url}?a1"):
        require_few(client.get(address, ALICE))


def test_what_is_seldom_wanted_is_one_page_away_for_everybody(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE)
    seldom = ("history", "words", "record.txt", "record.json", "feed")
    for who in (ALICE, BOB, certificate("new"), None):
        page = client.get(url, who)
        assert not [name for name in seldom if f"=> {url}/{name} " in page]
        assert page.count(f"=> {url}/more ") == 1
        more = client.get(f"{url}/more", who)
        assert not [name for name in seldom if f"=> {url}/{name} " not in more]


@pytest.mark.parametrize(
    ("way", "is_there"), [("invite", True), ("open", True), ("solo", False), ("bot-club", False)]
)
def test_the_live_page_is_offered_where_somebody_else_may_do_something(
    client: Client, way: str, *, is_there: bool
) -> None:
    url = start(client, "ultimate", way)
    for who in (ALICE, None):
        assert (f"{url}/live " in client.get(f"{url}/more", who)) == is_there
    assert client.ask(f"{url}/live").status == 20, "its address stays"
