"""Playing on from a board, against a bot or a friend: a casual game with moves nobody played."""

import json
from random import Random

import pytest

from capsule.bots import turns as bot_turns
from capsule.gemini.types import Certificate
from engine import record as records
from engine.bots.analysis import analyse
from tests.support.client import Client, action, link, links
from tests.support.stories import ALICE, BOB, CAROL, play, record, undone

BOARD = "/board/ultimate/e5,e4,d1"
NO_SUCH_TERMS = "No game was started: that link has terms that are not offered."

USUAL = "&listed=no&rated=no"
"""The rest of the terms in the address that starts a game from a board."""


def new_game_page(client: Client, who: Certificate = ALICE, board: str = BOARD) -> str:
    return client.get(links(client.get(board))["Play on from here, against a bot or a friend"], who)


def start_from(client: Client, way: str, board: str = BOARD) -> str:
    """Start a game from a board in one of the ways and return its URL."""
    return client.ask(
        link(new_game_page(client, board=board), f"/{way}?{query_of(board)}{usual_for(way)}"), ALICE
    ).meta


def usual_for(way: str) -> str:
    return USUAL.replace("no", "people", 1) if way == "invite" else USUAL


def query_of(board: str) -> str:
    moves = board.rsplit("/", 1)[1]
    return f"from={moves}&side=o" if len(moves.split(",")) % 2 else f"from={moves}"


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game between alice (O), who is to move, and bob from a board of 3 moves."""
    url = start_from(client, "invite")
    client.get(link(client.get(url, BOB), "/join"), BOB)
    return url


def test_the_page_of_a_new_game_knows_its_board(client: Client) -> None:
    page = new_game_page(client)
    assert links(page)["The board where the game begins"] == BOARD
    assert "You are O and move first." in page
    assert "Such games are casual." in page
    assert not [url for url in links(page).values() if "/open" in url or "rated=yes" in url]
    terms = links(client.get(links(page)["Change the terms"], ALICE))
    assert not [label for label in terms if "ated" in label]
    other = client.get(terms["Play X"], ALICE)
    assert "You are X, and your opponent moves first." in other
    assert links(other)["The board where the game begins"] == BOARD


def test_signs_of_moves_survive_the_way_to_a_game(client: Client) -> None:
    for board in ("/board/tinc/a1,c2+c3", "/board/numeric/b2=5,a1=2", "/board/quantum/a1+b1,a2+b2"):
        url = start_from(client, "solo", board)
        assert record(client, url)["moves"] == board.rsplit("/", 1)[1].split(",")


def test_one_who_signs_in_on_the_way_comes_to_the_same_page(client: Client) -> None:
    way = links(client.get("/board/tinc/a1,c2+c3"))["Play on from here, against a bot or a friend"]
    asked = client.ask(way)
    assert asked.meta == f"/play/?{way.removeprefix('/play/')}"
    assert "after 2 moves" in client.get(asked.meta, ALICE)


def test_a_friend_plays_from_the_board(client: Client, url: str) -> None:
    page = client.get(url, ALICE)
    assert "Move 4 is yours. The game goes on from a board after 3 moves." in page
    assert "played d1" not in page
    board = links(client.get(f"{url}/more", ALICE))["The board after 3 moves, where the game began"]
    assert "# Ultimate: the board after 3 moves" in client.get(board)
    assert "Casual: no rating changes." in page
    play(client, url, ["a1", "a2"], ALICE, BOB)
    assert record(client, url)["moves"] == ["e5", "e4", "d1", "a1", "a2"]
    assert record(client, url)["start"] == 3
    assert "alice (O) to play. bob (X) played a2" in client.get(url)


def test_a_bot_answers_at_once_where_it_is_to_move(client: Client) -> None:
    page = client.get("/play/new/ultimate/bots?from=e5,e4,d1", ALICE)
    url = client.ask(link(page, f"/bot-club?from=e5,e4,d1{USUAL}"), ALICE).meta
    game_id = url.rsplit("/", 1)[1]
    bot_turns.reply(client.context, game_id, 3, "a1")
    page = client.get(url, ALICE)
    assert "Move 5 is yours. The bot played a1" in page
    assert "/takeback" not in page
    assert record(client, url)["moves"] == ["e5", "e4", "d1", "a1"]


def test_nobody_takes_back_what_nobody_played(client: Client) -> None:
    url = start_from(client, "solo")
    assert "/takeback" not in client.get(url, ALICE)
    play(client, url, ["a1"], ALICE)
    client.get(link(client.get(url, ALICE), "/takeback"), ALICE)
    assert record(client, url)["moves"] == ["e5", "e4", "d1"]
    assert "/takeback" not in client.get(url, ALICE)
    play(client, url, ["a1", "a2"], ALICE)


def test_a_game_from_a_board_may_be_aborted_before_its_second_move(
    client: Client, url: str
) -> None:
    play(client, url, ["a1"], ALICE, BOB)
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert record(client, url)["status"] == "aborted"


def test_positions_before_the_start_are_nobodys(client: Client, url: str) -> None:
    play(client, url, ["a1"], ALICE, BOB)
    before = client.get(f"{url}/2")
    assert before.startswith("# Before the start: ")
    assert "began from a board after 3 moves" in before
    assert client.get(f"{url}/3").startswith("# The start: ")
    assert "alice (O) played a1" in client.get(f"{url}/4")
    history = links(client.get(f"{url}/history"))
    assert history["The empty board"] == f"{url}/0"
    assert history["2. Before the start: e4"] == f"{url}/2"
    assert history["3. The start, after d1"] == f"{url}/3"
    assert [each for each in history if "start" in each.lower()] == [
        "1. Before the start: e5",
        "2. Before the start: e4",
        "3. The start, after d1",
    ]
    assert links(client.get(f"{url}/4"))["First position: the empty board"] == f"{url}/0"
    assert links(client.get(url))["Replay from the start"] == f"{url}/3"
    assert history["4. alice (O): a1"] == f"{url}/4"
    words = client.get(f"{url}/words")
    assert "* 3. Before the start: d1\n* 4. alice (O): a1" in words


def test_feeds_tell_of_moves_that_were_played(client: Client, url: str) -> None:
    play(client, url, ["a1"], ALICE, BOB)
    feed = client.get(f"{url}/feed")
    assert "plays a1" in feed
    assert "plays d1" not in feed
    assert f"=> {url}/3 " in feed


def test_records_read_back_as_they_were(client: Client, url: str) -> None:
    play(client, url, ["a1"], ALICE, BOB)
    text, program = client.get(f"{url}/record.txt"), client.get(f"{url}/record.json")
    assert '[Start "3"]' in text
    assert records.from_text(text) == records.from_json(program)
    assert records.from_text(text).start == 3
    state = json.loads(client.get(f"{url}/state.json"))
    assert (state["ply"], state["start"], state["rated"]) == (4, 3, False)
    with pytest.raises(ValueError, match="start"):
        records.from_json(program.replace('"start": 3', '"start": 5'))


def test_a_game_from_a_board_never_counts(client: Client, url: str) -> None:
    play(client, url, ["a1", "a2"], ALICE, BOB)
    client.type(action(client.get(url, ALICE), "resign"), "resign", ALICE)
    assert "Casual: no rating changes." in client.get(url)
    with client.database.reading() as connection:
        numbers = connection.exec_driver_sql("SELECT rating_number FROM games").scalars().all()
    assert numbers == [None]


def test_its_rematch_begins_on_the_same_board_with_sides_swapped(client: Client, url: str) -> None:
    play(client, url, ["a1", "a2"], ALICE, BOB)
    client.type(action(client.get(url, ALICE), "resign"), "resign", ALICE)
    client.get(link(client.get(url, ALICE), "/rematch"), ALICE)
    rematch = client.ask(link(client.get(url, BOB), "/accept"), BOB).meta
    assert record(client, rematch)["moves"] == ["e5", "e4", "d1"]
    assert record(client, rematch)["players"] == {"X": "alice", "O": "bob"}
    assert "Move 4. bob (O) to play" in client.get(rematch)


def test_an_analysis_blames_nobody_for_moves_before_the_start() -> None:
    # c2=4 lets Odd win at once; nobody chose it if the game began after it.
    moves = ["a1=5", "a2=8", "c1=1", "a3=2"]
    whole = analyse("numeric", moves, 0.1, Random(1))
    part = analyse("numeric", moves, 0.1, Random(1), first=2)
    assert (part.first, part.win_probabilities) == (2, whole.win_probabilities[2:])
    assert part.findings == tuple(each for each in whole.findings if each.number > 2)
    assert [each.number for each in whole.findings if each.number <= 2]


@pytest.mark.parametrize(
    "start",
    [
        "e5,e5",
        "e5,zz",
        "~aaaaaaaaaa.1",
        "d7,c3,h8,e4,e2,e6,e7,d3,a9,b7,e3,e9,f7,i3,g9,c9,i7,g3,b8,f6,c7",
    ],
)
def test_no_game_starts_from_a_board_that_is_not_there_or_over(client: Client, start: str) -> None:
    page = client.get(f"/play/new/ultimate?from={start}", ALICE)
    assert "The board where the game begins" not in page
    key = link(page, "/solo").split("/")[4]
    action = f"/play/new/ultimate/{key}/solo?from={start}"
    assert undone(client, action, ALICE, "/play/new/ultimate") == NO_SUCH_TERMS


def test_no_open_seat_is_offered_on_a_board(client: Client) -> None:
    key = link(new_game_page(client), f"/solo?from=e5,e4,d1&side=o{USUAL}").split("/")[4]
    action = f"/play/new/ultimate/{key}/open?from=e5"
    assert undone(client, action, ALICE, "/play/new/ultimate") == NO_SUCH_TERMS


def test_the_board_of_a_long_game_can_be_played_on(client: Client, url: str) -> None:
    play(client, url, ["a1", "a2"], ALICE, BOB)
    board = f"/board/ultimate/~{url.rsplit('/', 1)[1]}.5,a4"
    page = new_game_page(client, CAROL, board)
    assert "after 6 moves" in page
    other = client.ask(link(page, f"/solo?from={board.rsplit('/', 1)[1]}{USUAL}"), CAROL).meta
    assert record(client, other)["moves"] == ["e5", "e4", "d1", "a1", "a2", "a4"]
    assert record(client, other)["start"] == 6


def test_a_challenge_may_begin_on_a_board(client: Client) -> None:
    client.get(link(client.get("/play/new/numeric", BOB), "/solo"), BOB)
    page = new_game_page(client)
    prompt = links(page)["Challenge a player by name, casual"]
    url = client.type(prompt, "bob", ALICE).meta
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    assert "Move 4. alice (O) to play" in client.get(url, CAROL)
