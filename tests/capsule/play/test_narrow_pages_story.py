"""Boards too wide for a screen: one link to the setting, or to narrow pages for visitors."""

import pytest

from capsule.gemini.types import Certificate
from engine import VARIANTS
from tests.support.client import Client, certificate, link, links
from tests.support.gemtext import blocks
from tests.support.stored import long_game
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    open_game,
    play,
    start,
    start_between,
)

NARROW = "Too wide? Narrow boards"
WIDE = "Show boards as wide as they are"

ARE_WIDE = {"extreme", "quantum"}
"""The variants whose boards take more than 40 columns."""


ELSEWHERE = ("/live", "/feed", "/messages", "/comments", ".txt", ".json", "/try")
"""The ends of paths of pages that are no game's, no position's and no rules page."""


def widest(page: str) -> int:
    """Return the columns of a page's widest row of a block, apart from addresses to be copied."""
    rows = [row for block in blocks(page) for row in block.rows]
    return max(len(row) for row in rows if not row.startswith("=> "))


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game of extreme in which bob is to move."""
    made = start_between(client, "extreme")
    play(client, made, ["e5"], ALICE)
    return made


@pytest.mark.parametrize("variant", VARIANTS)
def test_more_about_a_game_leads_to_narrow_boards_and_its_page_asks_nothing(
    client: Client, variant: str
) -> None:
    url = start_between(client, variant)
    for who in (ALICE, certificate("new"), None):
        assert NARROW not in links(client.get(url, who))
        way = links(client.get(f"{url}/more", who))[NARROW]
        assert way == ("/play/me/settings" if who == ALICE else f"{url}?narrow")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_with_more_than_forty_columns_has_the_link(client: Client, variant: str) -> None:
    url = start_between(client, variant)
    found = list(links(client.get(f"{url}/0")))
    assert found.count(NARROW) == (1 if variant in ARE_WIDE else 0)


@pytest.mark.parametrize("choice", ["on", "off"])
def test_a_player_is_asked_until_they_have_decided(client: Client, url: str, choice: str) -> None:
    more = f"{url}/more"
    page = client.get(links(client.get(more, ALICE))[NARROW], ALICE)
    client.get(link(page, f"/narrow/{choice}"), ALICE)
    for who, is_asked in ((ALICE, False), (BOB, True)):
        assert (NARROW in client.get(more, who)) == is_asked
    assert (widest(client.get(url, ALICE)) <= 40) == (choice == "on")
    exported = client.get(link(client.get("/play/me/", ALICE), "export.json"), ALICE)
    assert '"width_chosen": true' in exported


def test_who_has_decided_can_decide_again(client: Client, url: str) -> None:
    client.get(link(client.get("/play/me/settings", ALICE), "/narrow/off"), ALICE)
    page = client.get("/play/me/settings", ALICE)
    assert "do not ask again" not in page
    client.get(link(page, "/narrow/on"), ALICE)
    assert widest(client.get(url, ALICE)) <= 40


@pytest.mark.parametrize("who", [None, certificate("new"), ALICE])
def test_a_narrow_page_leads_on_to_narrow_pages(
    client: Client, url: str, who: Certificate | None
) -> None:
    read, waiting = set(), [f"{url}?narrow"]
    while waiting:
        address = waiting.pop()
        page = client.get(address, who)
        read.add(address)
        if blocks(page):
            assert widest(page) <= 40, address
        ways = [way for way in links(page).values() if way.startswith((url, "/rules/extreme"))]
        for way in ways:
            path, _, query = way.partition("?")
            is_action = path.startswith(url) and path.count("/") > url.count("/") + 1
            if query == "wide" or is_action or path.endswith(ELSEWHERE):
                continue
            assert query.partition("&")[0] == "narrow", (address, way)
            if "at-" not in query and way not in read:
                waiting.append(way)
    paths = {address.partition("?")[0] for address in read}
    assert paths >= {url, f"{url}/1", f"{url}/0", f"{url}/more", f"{url}/history", "/rules/extreme"}


def test_the_way_back_from_narrow_pages(client: Client, url: str) -> None:
    page = client.get(links(client.get(f"{url}/more"))[NARROW])
    assert widest(page) <= 40
    assert NARROW not in page
    assert client.get(links(page)[WIDE]) == client.get(url)


def test_the_board_on_the_home_page_is_narrow_where_it_is_asked_for(client: Client) -> None:
    game = open_game(client, "extreme")
    play(client, game, WON_GAMES["extreme"].split()[:6], ALICE, BOB)
    assert widest(client.get("/")) > 40
    narrow = client.get("/?narrow")
    assert widest(narrow) <= 40
    assert links(narrow)["Rules of the five games"] == "/rules/?narrow"
    assert client.get(links(narrow)[WIDE]) == client.get("/")


def test_another_part_of_a_wide_grid_is_narrow_too(client: Client) -> None:
    url, _ = long_game(client, 40)
    page = client.get(f"{url}?narrow")
    assert widest(page) <= 40
    ways = [way for label, way in links(page).items() if label.startswith("Further")]
    assert ways
    for way in ways:
        moved = client.get(way)
        assert way.startswith(f"{url}?narrow&")
        assert widest(moved) <= 40
        assert blocks(moved)[0].rows != blocks(page)[0].rows


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_keeps_within_forty_columns(client: Client, variant: str) -> None:
    moves = WON_GAMES[variant].split()
    url = start(client, variant, "solo", CAROL)
    play(client, url, moves, CAROL)
    for ply in range(len(moves) + 1):
        assert widest(client.get(f"{url}/{ply}?narrow")) <= 40
    assert widest(client.get(f"{url}?narrow")) <= 40
