"""The lists of public games, page by page, and the home page with the numbers of today."""

import re
from datetime import timedelta

import pytest

from capsule.games.public_lists import PAGE_SIZE
from tests.support.boards import shown_after
from tests.support.client import BEGINNING, Client, action, link, links
from tests.support.events import without_events
from tests.support.gemtext import blocks
from tests.support.stored import listed_game
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play, start

MINUTE = timedelta(minutes=1)
OLDER = {
    "playing": "More games being played, with older moves",
    "waiting": "More games waiting",
    "finished": "More games finished earlier",
}
NEWER = {"waiting": "The games before these"}


@pytest.fixture
def alice(client: Client) -> None:
    """Let alice have played here, out of sight."""
    start(client, "numeric", "solo")


def games_on(page: str) -> list[str]:
    return re.findall(r"^=> (/play/[a-z2-7]{10}) ", without_events(page), re.MULTILINE)


def games_under(page: str, heading: str) -> list[str]:
    _, _, rest = page.partition(f"## {heading}\n")
    return games_on(rest.partition("\n## ")[0])


def walk(client: Client, path: str, onwards: str) -> list[list[str]]:
    """Return the games of each page of a list, from this one along the links with a label."""
    pages = []
    page = client.get(path)
    while True:
        pages.append(games_on(page))
        if onwards not in links(page):
            return pages
        page = client.get(links(page)[onwards])


# Lists


def test_games_are_listed_by_how_they_stand_the_newest_first(client: Client) -> None:
    urls = {}
    for name in ("waits", "plays", "plays on", "ended"):
        client.now += MINUTE
        urls[name] = (
            start(client, "numeric", "open") if name == "waits" else open_game(client, "numeric")
        )
    client.now += MINUTE
    play(client, urls["ended"], WON_GAMES["numeric"].split(), ALICE, BOB)
    client.now += MINUTE
    play(client, urls["plays"], ["a1=1"], ALICE, BOB)
    for path in ("/games/", "/games/numeric"):
        page = client.get(path)
        headings = [line for line in page.splitlines() if line.startswith("## ")]
        assert headings[:3] == ["## Being played", "## Waiting for an opponent", "## Finished"]
        assert games_under(page, "Being played") == [urls["plays"], urls["plays on"]]
        assert games_under(page, "Waiting for an opponent") == [urls["waits"]]
        assert games_under(page, "Finished") == [urls["ended"]]
    assert not games_on(client.get("/games/tinc"))


@pytest.mark.parametrize("path", ["/games/", "/games/tinc"])
@pytest.mark.parametrize("status", ["playing", "waiting", "finished"])
def test_a_long_list_is_read_to_its_end_and_back(
    client: Client, alice: None, path: str, status: str
) -> None:
    stored = [
        listed_game(client, number, status, BEGINNING + number // 3 * MINUTE, "tinc")
        for number in range(50)
    ]
    for number in range(50, 100):
        listed_game(client, number, status, BEGINNING, "numeric" if "tinc" in path else "tinc")
    there = walk(client, path, OLDER[status])
    assert [len(page) for page in there[:2]] == [PAGE_SIZE, PAGE_SIZE]
    read = [game for page in there for game in page]
    assert len(read) == len(set(read)) == (50 if "tinc" in path else 100)
    times = {url: BEGINNING + number // 3 * MINUTE for number, url in enumerate(stored)}
    order = [(times.get(url, BEGINNING), url) for url in read]
    assert order == sorted(order, reverse=True)

    last = path
    while OLDER[status] in links(client.get(last)):
        last = links(client.get(last))[OLDER[status]]
    back = walk(client, last, NEWER.get(status, "Newer games"))
    assert back[-1] == there[0]
    assert set(read) == {game for page in back for game in page}


def test_a_page_of_a_list_leads_back_to_the_newest(client: Client, alice: None) -> None:
    for number in range(30):
        listed_game(client, number, "finished", BEGINNING + number * MINUTE)
    second = client.get(links(client.get("/games/"))[OLDER["finished"]])
    assert "## Finished" in second
    assert "## Being played" not in second
    assert links(second)["The newest games of each list"] == "/games/"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "playing",
        "playing-older-0-aaaaaaaaaa-",
        "playing-sideways-0-aaaaaaaaaa",
        "aborted-older-f-aaaaaaaaaa",
        "playing-older-zz-aaaaaaaaaa",
        "playing-older-ffffffffffffff-aaaaaaaaaa",
        "playing-older-f-AAAAAAAAAA",
        "%0d%0a20 text/gemini",
        "' OR 1=1 --",
        "9" * 900,
    ],
)
def test_a_forged_place_in_a_list_shows_the_first_page(
    client: Client, alice: None, query: str
) -> None:
    listed_game(client, 1, "playing", BEGINNING)
    assert client.get(f"/games/?{query}") == client.get("/games/")
    assert client.get(f"/games/tinc?{query}") == client.get("/games/tinc")


@pytest.mark.parametrize("way", ["older", "newer"])
@pytest.mark.parametrize("time", ["0", "fffffffffffff"])
def test_a_place_where_no_game_is_shows_the_newest_ones(
    client: Client, alice: None, way: str, time: str
) -> None:
    game = listed_game(client, 1, "playing", BEGINNING)
    page = client.get(f"/games/?playing-{way}-{time}-aaaaaaaaaa")
    assert games_on(page) == [game]


# The home page


def test_the_front_door_shows_the_game_that_was_moved_in_last(client: Client) -> None:
    first, second = open_game(client), open_game(client, "extreme")
    moves = WON_GAMES["ultimate"].split()[:6]
    client.now += MINUTE
    play(client, second, WON_GAMES["extreme"].split()[:6], ALICE, BOB)
    client.now += MINUTE
    play(client, first, moves, ALICE, BOB)

    page = client.get("/")

    assert "\n".join(blocks(page)[0].rows) == shown_after("ultimate", moves)
    assert "Ultimate: alice (X) – bob (O). Move 7: alice (X) to play. Play " in page
    assert links(page)["Watch this game of Ultimate"] == first

    client.now += MINUTE
    play(client, second, WON_GAMES["extreme"].split()[6:7], ALICE, BOB)
    assert links(client.get("/"))["Watch this game of Extreme"] == second


def test_the_front_door_shows_no_board_that_has_hardly_begun(client: Client) -> None:
    game, moves = open_game(client), WON_GAMES["ultimate"].split()
    for number in range(5):
        assert "## A game of Ultimate" in client.get("/"), number
        play(
            client,
            game,
            moves[number : number + 1],
            *([ALICE, BOB] if number % 2 == 0 else [BOB, ALICE]),
        )
        client.now += MINUTE
    client.type(action(client.get(game, ALICE), "resign"), "resign", ALICE)
    client.now += MINUTE
    assert "## A game of Ultimate" in client.get("/"), "and ended early"


def test_a_game_that_has_ended_is_shown_for_the_rest_of_its_day(client: Client) -> None:
    game = open_game(client)
    play(client, game, WON_GAMES["ultimate"].split(), ALICE, BOB)
    client.now += MINUTE
    page = client.get("/")
    assert "## Played today" in page
    assert "Ultimate: alice (X) – bob (O), " in page
    assert links(page)["See how this game of Ultimate went"] == f"{game}?end"
    assert "to play" not in page.split("## Played today")[1]
    client.now = client.now.replace(hour=23, minute=59)
    assert "## Played today" in client.get("/")
    client.now += MINUTE
    assert "## A game of Ultimate" in client.get("/")


# What a line says


def test_a_line_says_how_strong_its_players_are_and_how_long_a_move_may_take(
    client: Client,
) -> None:
    rated = open_game(client, "numeric")
    play(client, rated, WON_GAMES["numeric"].split(), ALICE, BOB)
    page = client.get("/play/new/numeric?days=3&rated=no", ALICE)
    client.ask(link(page, "/open?days=3&listed=people&rated=no"), ALICE)
    start(client, "tinc", "open")
    label = "Numeric: alice (Odd, 1421?) – open seat (Even), 3 days a move"
    for path in ("/games/", "/games/numeric"):
        assert f"{label}, casual, since 20 November 2026 at 14:02 UTC" in links(client.get(path))
    assert f"{label}, casual" in links(client.get("/play/new/numeric", BOB))
    tinc = "Tinc: alice (X, 1500?) – open seat (O), 7 days a move, rated"
    assert tinc in links(client.get("/play/new/tinc", BOB)), "a rating for each of the games"


def test_a_game_without_a_limit_says_so_and_one_with_a_bot_has_none(client: Client) -> None:
    page = client.get("/play/new/tinc?days=none", ALICE)
    client.ask(link(page, "/open?days=none&listed=people&rated=yes"), ALICE)
    page = client.get("/play/new/tinc?listed=yes", ALICE)
    client.ask(link(page, "/bot-club?listed=yes&rated=no"), ALICE)
    lines = [label for label in links(client.get("/games/")) if label.startswith("Tinc: ")]
    since = "since 20 November 2026 at 14:02 UTC"
    assert lines == [
        f"Tinc: alice (X, 1500?) – club bot (O, 1500), move 1, {since}",
        f"Tinc: alice (X, 1500?) – open seat (O), no time limit, rated, {since}",
    ]
