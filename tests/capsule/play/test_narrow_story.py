"""Boards too wide for a screen: the setting, narrow pages for visitors, and 40 columns."""

import re
from itertools import islice

import pytest

from capsule.gemini.types import Certificate
from engine import VARIANTS
from tests.support.client import Client, certificate, link, links
from tests.support.gemtext import blocks
from tests.support.screens import NARROW_COLUMNS, NARROW_ROWS, rows_of
from tests.support.stored import long_game
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    open_game,
    play,
    play_any,
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


def test_a_player_is_asked_until_they_have_decided_and_can_decide_again(
    client: Client, url: str
) -> None:
    page = client.get(links(client.get(f"{url}/more", ALICE))[NARROW], ALICE)
    client.get(link(page, "/narrow/off"), ALICE)
    for who, is_asked in ((ALICE, False), (BOB, True)):
        assert (NARROW in client.get(f"{url}/more", who)) == is_asked
    assert widest(client.get(url, ALICE)) > 40
    page = client.get("/play/me/settings", ALICE)
    assert "do not ask again" not in page
    client.get(link(page, "/narrow/on"), ALICE)
    assert NARROW not in client.get(f"{url}/more", ALICE)
    assert widest(client.get(url, ALICE)) <= 40
    exported = client.get(link(client.get("/play/me/", ALICE), "export.json"), ALICE)
    assert '"width_chosen": true' in exported


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


# A game on a screen of 40 columns and 24 rows, as Amfora shows it


BLOCK_COLUMNS = 33
"""The columns of a preformatted line that Amfora shows between its margin and its scroll bar."""


@pytest.fixture
def narrow(client: Client) -> Client:
    """A capsule where alice and bob have chosen narrow pages."""
    for who in (ALICE, BOB):
        client.get(link(client.get("/play/me/settings", who), "/narrow/on"), who)
    return client


def first_narrow_screen(page: str) -> str:
    return "\n".join(rows_of(page, NARROW_COLUMNS)[:NARROW_ROWS])


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_link_to_move_is_on_the_first_screen(narrow: Client, variant: str) -> None:
    url = start_between(narrow, variant)
    for position, mover, _ in play_any(narrow, url, 12, seed=1):
        page = narrow.get(url, mover)
        screen = first_narrow_screen(page)
        assert "[1] Type your move" in screen
        assert page.count("Type your move") == 1
        assert page.count(str(position.instruction())) == 2, "above the board and as its caption"


def test_the_whole_board_of_ultimate_is_there_with_it(narrow: Client) -> None:
    url = start_between(narrow, "ultimate")
    play(narrow, url, ["e5"], ALICE)
    screen = first_narrow_screen(narrow.get(url, BOB))
    assert "Your turn. Play in the" in screen
    assert "\n 9    . . .   . . .   . . ." in screen


def test_on_other_screens_the_board_comes_first(client: Client, game: str) -> None:
    page = client.get(game, ALICE)
    assert page.index("```") < page.index("Your turn.") < page.index("Type your move")


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_a_move_link_takes_one_line_unless_the_move_does_more_than_send(
    narrow: Client, variant: str
) -> None:
    url = start_between(narrow, variant)
    seen = 0
    for position, mover, _ in play_any(narrow, url, 100, seed=3):
        if seen >= 60:
            break
        moves = list(islice(position.legal_moves(), 13))
        if len(moves) <= 12:
            page = narrow.get(url, mover)
            for move in moves:
                label = f"{move}: {position.brief_effect(move)}"
                assert label in links(page)
                assert len(label) <= NARROW_COLUMNS or ", " in label, label
            seen += len(moves)
    assert seen >= 40


def test_most_moves_of_extreme_are_links(narrow: Client) -> None:
    url = start_between(narrow, "extreme")
    play(narrow, url, ["a1"], ALICE)
    moves = VARIANTS["extreme"].replay(["a1"]).legal_moves()
    found = re.findall(r"/move[?](\S+) ", narrow.get(url, BOB))
    assert found == [*moves]
    assert len(found) == 17, "the cells of two small boards, but for the one that is taken"


def test_the_board_of_quantum_is_whole(narrow: Client) -> None:
    url = start_between(narrow, "quantum")
    for number, move in enumerate("a1+b1 b1+c1 c1+c2 c2+c3 c3+b3 b3+a3 a3+a2".split()):
        play(narrow, url, [move], (ALICE, BOB)[number % 2])
        rows = narrow.get(url, ALICE).split("```")[1].splitlines()[1:]
        assert max(map(len, rows)) == BLOCK_COLUMNS


@pytest.mark.parametrize("variant", ["ultimate", "numeric"])
@pytest.mark.parametrize("who", [BOB, None])
def test_a_guest_who_has_chosen_nothing_sees_the_terms_and_the_seat_on_the_first_screen(
    client: Client, variant: str, who: Certificate | None
) -> None:
    screen = first_narrow_screen(client.get(start(client, variant, "invite"), who))
    assert "A move may take 7 days." in screen
    assert "[1] alice invites you to" in screen
