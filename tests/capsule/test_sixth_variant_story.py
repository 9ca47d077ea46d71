"""A sixth variant is plugged in, nothing else is changed, and everything is there for it too."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from capsule.boards import explorer
from capsule.bots import pool
from engine import VARIANTS
from engine.bots.levels import MAIN_LEVELS
from tests.support.client import Client, action, link, links
from tests.support.sentences import sentences_of
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, record, start, start_between
from tests.support.thinking import thinking_capsule
from tests.support.tournaments import OVER, begin, games, keep_time, resign
from tests.support.waiting import wait_until


@pytest.fixture(autouse=True)
def noughts() -> Iterator[None]:
    """Plain noughts and crosses, plugged in for the length of a test."""
    with noughts_plugged_in():
        yield


@pytest.fixture
def client_with_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A capsule with a bot process, which has the plug-in too and thinks for a moment only."""
    monkeypatch.setattr(pool, "HINT_SECONDS", 0.05)
    monkeypatch.setattr(pool, "POSITION_SECONDS", 0.02)
    with thinking_capsule(tmp_path) as made:
        yield made


def test_it_is_listed(client: Client) -> None:
    for path in ("/try/", "/rules/", "/games/"):
        assert "Noughts" in client.get(path, ALICE), path


def test_no_sentence_about_the_five_counts_it_among_them(client: Client) -> None:
    for path in ("/", "/rules/", "/about"):
        sentences = [*sentences_of(client.get(path, ALICE))]
        about_the_five = [each for each in sentences if re.search("descend|grew|figures", each)]
        assert about_the_five, path
        assert not [each for each in about_the_five if "six" in each.lower()]
        assert not [each for each in sentences if re.search("Each rules page|the shortest", each)]


def test_it_can_be_started_at_once_though_its_length_was_never_measured(client: Client) -> None:
    assert "Noughts with the novice bot, casual" in links(client.get("/play/new/", ALICE))


def test_its_rules_can_be_read(client: Client) -> None:
    page = client.get("/rules/noughts")
    assert page.startswith("# Noughts and Crosses\n")
    assert "Three of your marks in a row" in page
    assert links(page)["Start a game of Noughts"] == "/play/new/noughts"


def test_help_and_the_ladders_know_it(client: Client) -> None:
    assert "b2 is the cell in the middle." in client.get("/help/moves")
    assert "Noughts" in client.get("/players/")
    assert client.get("/players/ladder/noughts").startswith("# Noughts")


def test_two_people_play_it_and_it_is_recorded_and_counted(client: Client) -> None:
    url = start_between(client, "noughts")
    play(client, url, ["b2", "a1", "a2", "c1", "c2"], ALICE, BOB)
    data = record(client, url)
    assert (data["variant"], data["status"], data["winner"]) == ("noughts", "finished", "X")
    assert data["moves"] == ["b2", "a1", "a2", "c1", "c2"]
    assert "three in a row: a2, b2, c2" in client.get(url)
    for page in (client.get(url), client.get(f"{url}/5")):
        assert "The marks outside the board" not in page, "its boards have none"
    assert "Ratings in Noughts after this game: alice" in client.get(url, ALICE)
    assert "alice" in client.get("/players/ladder/noughts")
    assert client.get(f"{url}/words")
    assert client.get(f"{url}/3").count("```") >= 2


def test_a_move_that_cannot_be_played_is_asked_for_again(client: Client) -> None:
    url = start_between(client, "noughts")
    play(client, url, ["b2"], ALICE, BOB)
    answer = client.type(link(client.get(url, BOB), "/move"), "b2", BOB)
    assert (answer.status, answer.meta) == (10, "b2 is taken. Your move, O")


def test_feeds_tell_of_it(client: Client) -> None:
    url = open_game(client, "noughts")
    play(client, url, ["b2", "a1", "a2", "c1", "c2"], ALICE, BOB)
    for path in ("/feed", "/games/noughts/feed", "/players/alice/feed", f"{url}/feed"):
        assert "alice beats bob at Noughts" in client.get(path), path
    assert "at Noughts" in client.get("/games/noughts/feed.xml")


def test_what_is_kept_about_a_player_has_its_games(client: Client) -> None:
    url = open_game(client, "noughts")
    exported = json.loads(client.get("/play/me/export.json", ALICE))
    assert [game["id"] for game in exported["games"]] == [url.removeprefix("/play/")]


@pytest.mark.parametrize(
    "levels",
    [MAIN_LEVELS[:-1], pytest.param(MAIN_LEVELS[-1:], marks=pytest.mark.slow)],
    ids=["up to expert", "master"],
)
def test_every_bot_plays_it(
    client_with_bots: Client, levels: Sequence[str], caplog: pytest.LogCaptureFixture
) -> None:
    for level in levels:
        url = start(client_with_bots, "noughts", f"bot-{level}")
        while not _is_over(client_with_bots, url):
            position = VARIANTS["noughts"].replay(record(client_with_bots, url)["moves"])
            play(client_with_bots, url, [next(iter(position.legal_moves()))], ALICE)
            _wait_for_turn(client_with_bots, url)
        assert record(client_with_bots, url)["status"] == "finished"
    assert not caplog.records, "no move was made for want of the bot's own"


def _wait_for_turn(client: Client, url: str) -> None:
    """Wait until it is alice's turn again, or the game is over."""
    wait_until(lambda: _is_over(client, url) or "Your turn." in client.get(url, ALICE))


def _is_over(client: Client, url: str) -> bool:
    return record(client, url)["status"] != "playing"


def test_a_hint_is_given(client_with_bots: Client) -> None:
    url = start(client_with_bots, "noughts", "solo")
    play(client_with_bots, url, ["b2", "a1", "a2", "c1"], ALICE)
    page = client_with_bots.get(link(client_with_bots.get(url, ALICE), "/hint"), ALICE)
    assert "=> " in page
    assert any(label.startswith("Play ") for label in links(page)), page


@pytest.mark.slow
def test_a_finished_game_is_analysed(client_with_bots: Client) -> None:
    url = start_between(client_with_bots, "noughts")
    play(client_with_bots, url, ["b2", "a1", "a2", "c1", "c2"], ALICE, BOB)
    wait_until(lambda: "Move by move" in client_with_bots.get(f"{url}/analysis", ALICE))
    page = client_with_bots.get(f"{url}/analysis", ALICE)
    assert ".5 5. alice (X): c2" in page


def test_nobody_can_be_called_like_it(client: Client) -> None:
    asked = link(client.get("/play/me/", ALICE), "/name")
    for name in ("noughts", "Noughts-bot"):
        assert "could be mistaken for" in client.ask(f"{asked}?{name}", ALICE).meta


def test_a_tournament_is_played_in_it(client: Client) -> None:
    url = begin(client, "variant=noughts&seats=3", BOB, CAROL)
    played = games(client, url)
    assert len(played) == 6
    by_name = {"alice": ALICE, "bob": BOB, "carol": CAROL}
    for (x, o), game in played.items():
        play(client, game, ["b2", "a1"], by_name[x], by_name[o])
        resign(client, game, by_name[o])
    keep_time(client)
    assert OVER in client.get(url)


def test_it_has_boards_at_addresses(client_with_bots: Client) -> None:
    board = client_with_bots.type("/board/noughts/move", "b2").meta
    assert board == "/board/noughts/b2"
    page = client_with_bots.get(board)
    assert len([url for url in links(page).values() if url.startswith(f"{board},")]) == 8
    assert "Move 2, b2, cannot be played" in client_with_bots.get(f"{board},b2")
    page = client_with_bots.get(f"{board}?engine")
    assert "The engine would play " in page


def test_it_is_tried_without_a_certificate(client_with_bots: Client) -> None:
    address = client_with_bots.type("/try/noughts/move", "b2").meta
    assert re.fullmatch("/try/noughts/b2,[a-c][1-3]", address)
    assert client_with_bots.ask("/try/noughts/move?b2").meta == address
    page = client_with_bots.get(address)
    assert "Move 3 is yours. The bot played " in page
    assert len([url for url in links(page).values() if f"{address}/move?" in url]) == 7


def test_games_of_it_are_counted_and_played_on(client: Client) -> None:
    for corner in ("a1", "c3"):
        url = open_game(client, "noughts")
        play(client, url, [corner, "b2"], ALICE, BOB)
        client.type(action(client.get(url, ALICE), "resign"), "resign", ALICE)
    explorer.count_due(client.context)
    page = client.get("/board/noughts/a1")
    assert "Reached in 2 public games. O, to move, scored 100 %" in page
    page = client.get("/play/new/noughts?from=a1,b2", ALICE)
    url = client.ask(link(page, "/solo?from=a1,b2&listed=no&rated=no"), ALICE).meta
    assert record(client, url)["moves"] == ["a1", "b2"]
