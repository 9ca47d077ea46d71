"""Notes on games: for their writers alone, until these publish them on finished games."""

import re
from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, certificate, link, links
from tests.support.conversation import section, set_player
from tests.support.feeds import addresses, entries, private_feed
from tests.support.stored import on_disk
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    ROOM,
    WON_GAMES,
    open_game,
    play,
    start,
    start_between,
    undone,
)
from tests.support.tournaments import resign

ASK = "Your note, private until you publish it. Begin with a number for a move: “12: a mistake”"


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game of alice and bob."""
    return start_between(client, "ultimate")


def note(client: Client, url: str, text: str, who: object = ALICE) -> Response:
    """Type a note at the prompt of a game's page and return the answer."""
    return client.type(link(client.get(f"{url}/more", who), "/note"), text, who)


def notes_of(client: Client, url: str, who: object = ALICE) -> list[str]:
    """Return the notes that somebody is shown on a game's page, without their times."""
    lines = section(client.get(url, who), "Your notes")
    return [line.split("UTC: ", 1)[1] for line in lines if not line.startswith("=> ")]


def test_a_note_is_shown_to_its_player_alone(client: Client, url: str) -> None:
    play(client, url, ["e5", "d4"], ALICE, BOB)
    prompt = links(client.get(f"{url}/more", ALICE))["Add a note, for your eyes alone"]
    assert prompt.endswith("/note")
    assert client.ask(prompt, ALICE) == Response(10, f"{ROOM} {ASK}")
    assert client.type(prompt, " keep the centre ", ALICE) == Response(30, url)
    line = "* 20 November 2026 at 14:02 UTC: keep the centre"
    assert line in section(client.get(url, ALICE), "Your notes")
    start(client, "tinc", "solo", CAROL)
    paths = ["", "/0", "/1", "/words", "/history", "/messages", "/feed", "/feed.xml"]
    paths += ["/record.txt", "/record.json"]
    for path in paths:
        for who in (BOB, CAROL, certificate("new"), None):
            assert "keep the centre" not in client.get(url + path, who), path
        assert path == "" or "keep the centre" not in client.get(url + path, ALICE), path
    for who in (ALICE, BOB):
        assert "keep the centre" not in client.get(private_feed(client, who))
        assert "keep the centre" not in client.get("/play/", who)


def test_notes_are_kept_in_order_and_can_be_cleared(client: Client, url: str) -> None:
    for text in ("one", "two", "three"):
        note(client, url, text)
    note(client, url, "bob's own", BOB)
    assert notes_of(client, url) == ["one", "two", "three"]
    clear = links(client.get(f"{url}/more", ALICE))["Clear your notes on this game"]
    assert client.ask(clear, ALICE).meta == "Type clear to clear your notes on this game"
    assert client.type(clear, "no", ALICE).status == 10
    assert notes_of(client, url) == ["one", "two", "three"]
    assert client.type(clear, "Clear", ALICE) == Response(30, url)
    assert notes_of(client, url) == []
    assert "/clear" not in client.get(f"{url}/more", ALICE)
    assert notes_of(client, url, BOB) == ["bob's own"]
    kept = on_disk(client)
    assert b"three" not in kept
    client.restart()
    note(client, url, "anew")
    assert notes_of(client, url) == ["anew"]


def test_a_page_adds_one_note_even_after_notes_were_cleared(client: Client, url: str) -> None:
    first = link(client.get(f"{url}/more", ALICE), "/note")
    for _ in range(2):
        assert client.ask(f"{first}?once", ALICE) == Response(30, url)
    assert notes_of(client, url) == ["once"]
    second = link(client.get(f"{url}/more", ALICE), "/note")
    clear = link(client.get(f"{url}/more", ALICE), "/clear")
    client.ask(f"{clear}?clear", ALICE)
    for prompt in (first, second):
        said = undone(client, f"{prompt}?twice", ALICE, url)
        assert said == "Nothing was noted: that page was out of date. Your text was:\n> twice"
    assert notes_of(client, url) == []
    note(client, url, "anew")
    client.ask(f"{clear}?clear", ALICE)
    assert notes_of(client, url) == ["anew"], "the old page clears nothing"


def test_a_key_for_notes_is_for_nothing_else(client: Client, url: str) -> None:
    prompt = link(client.get(f"{url}/more", ALICE), "/note")
    for verb in ("say", "report", "mute", "block", "show", "move", "resign"):
        other = f"{prompt.replace('/note', f'/{verb}')}?{verb}"
        assert ">" not in undone(client, other, ALICE, url)
    assert "Move 1 is yours." in client.get(url, ALICE)
    assert "Mute bob" in client.get(f"{url}/messages", ALICE)


@pytest.mark.parametrize("way", ["solo", "bot-club", "invite"])
def test_players_can_note_on_every_game_of_theirs(client: Client, way: str) -> None:
    url = start(client, "ultimate", way)
    note(client, url, "mine")
    assert notes_of(client, url) == ["mine"]


def test_players_who_watch_can_take_notes_but_strangers_cannot(client: Client, url: str) -> None:
    start(client, "tinc", "solo", CAROL)
    note(client, url, "a nice opening", CAROL)
    assert notes_of(client, url, CAROL) == ["a nice opening"]
    for who in (ALICE, BOB):
        assert "a nice opening" not in client.get(url, who)
    for who in (certificate("new"), None):
        assert "/note" not in client.get(f"{url}/more", who)


def test_a_note_has_at_most_280_characters_and_a_game_twenty_notes(
    client: Client, url: str
) -> None:
    answer = note(client, url, "x" * 281)
    assert answer.meta.startswith("Your text has 281 characters, but only 280 fit. Your note")
    for _ in range(20):
        assert note(client, url, "x" * 280) == Response(30, url)
    answer = note(client, url, "more")
    assert answer.body.startswith(
        "Nothing was noted. You have 20 notes on this game, which is the limit. Clear them first. "
        "Your text was:\n> "
    )
    assert len(notes_of(client, url)) == 20
    assert note(client, url, "bob's", BOB) == Response(30, url)
    client.ask(link(client.get(f"{url}/more", ALICE), "/clear") + "?clear", ALICE)
    assert note(client, url, "again") == Response(30, url)


# Published


PUBLISH = "Publish your notes: everybody can read them"
UNPUBLISH = "Make your published notes private"
MOMENT = timedelta(seconds=2)


def finished(client: Client) -> str:
    url = open_game(client)
    play(client, url, WON_GAMES["ultimate"].split(), ALICE, BOB)
    client.now += timedelta(days=1)
    return url


def act(client: Client, url: str, label: str, who: Certificate = ALICE) -> None:
    way = links(client.get(f"{url}/more", who))[label]
    assert client.ask(way, who).status == 30
    client.now += MOMENT


def test_notes_are_private_until_they_are_published_and_after_they_are_unpublished(
    client: Client,
) -> None:
    url = finished(client)
    note(client, url, "3: a mistake")
    note(client, url, "a good game")
    for who in (None, BOB, CAROL):
        assert "a mistake" not in client.get(f"{url}/3", who) + client.get(f"{url}/notes", who)
    assert "None" not in client.get("/games/annotated")
    assert url not in client.get("/games/annotated")
    act(client, url, PUBLISH)
    for who in (None, ALICE, BOB, CAROL):
        assert "* Note by alice: a mistake\n" in client.get(f"{url}/3", who)
        assert "a mistake" not in client.get(f"{url}/2", who)
        page = client.get(f"{url}/notes", who)
        assert page.index("* alice: a good game") < page.index("* alice: a mistake")
        assert links(page)["The board after move 3"] == f"{url}/3"
        narrow = links(client.get(f"{url}/notes?narrow", who))
        assert narrow["The board after move 3"] == f"{url}/3?narrow"
        assert links(client.get(f"{url}/3", who))["All notes on this game"] == f"{url}/notes"
        assert client.get(url, who).count(f"=> {url}/notes Notes by its players\n") == 1
    assert f"{url}/notes" in links(client.get("/games/annotated")).values()
    assert addresses(client, "/games/annotated/feed") == [f"{url}/notes?1"]
    assert entries(client, "/games/annotated/feed") == [
        "Ultimate: alice – bob, with notes by alice"
    ]
    assert UNPUBLISH in links(client.get(f"{url}/notes", ALICE))
    act(client, url, UNPUBLISH)
    assert UNPUBLISH not in client.get(f"{url}/notes", BOB)
    assert UNPUBLISH not in client.get(f"{url}/notes", ALICE)
    for who in (None, BOB):
        for page in (f"{url}/3", f"{url}/notes", url, "/games/annotated"):
            assert "a mistake" not in client.get(page, who)
    assert f"{url}/notes" not in client.get("/games/annotated")
    assert "3: a mistake" in client.get(url, ALICE)


def test_later_notes_are_private_until_the_next_time(client: Client) -> None:
    url = finished(client)
    note(client, url, "1: one")
    act(client, url, PUBLISH)
    note(client, url, "2: two")
    assert "two" not in client.get(f"{url}/notes")
    act(client, url, PUBLISH)
    assert "two" in client.get(f"{url}/notes")
    assert PUBLISH not in client.get(f"{url}/more", ALICE)


def test_notes_written_during_the_game_stand_at_their_moves(client: Client) -> None:
    url = open_game(client)
    moves = WON_GAMES["ultimate"].split()
    play(client, url, moves[:4], ALICE, BOB)
    note(client, url, "now it gets hard")
    assert PUBLISH not in client.get(f"{url}/more", ALICE), "the game is not over"
    play(client, url, moves[4:], ALICE, BOB)
    client.now += timedelta(days=1)
    act(client, url, PUBLISH)
    assert "now it gets hard" in client.get(f"{url}/4")


def test_only_players_of_a_finished_game_publish_and_an_old_link_acts_never_twice(
    client: Client,
) -> None:
    url = finished(client)
    start_between(client, "tinc", CAROL, BOB)
    note(client, url, "seen from outside", CAROL)
    assert PUBLISH not in client.get(f"{url}/more", CAROL)
    note(client, url, "1: mine")
    publish = links(client.get(f"{url}/more", ALICE))[PUBLISH]
    for who in (None, BOB, CAROL):
        client.ask(publish, who)
    assert "mine" not in client.get(f"{url}/notes")
    client.ask(publish, ALICE)
    act(client, url, UNPUBLISH)
    client.ask(publish, ALICE)
    client.now += MOMENT
    assert "mine" not in client.get(f"{url}/notes")


def test_a_newcomer_or_a_program_puts_no_notes_before_others(client: Client) -> None:
    url = open_game(client)
    play(client, url, WON_GAMES["ultimate"].split(), ALICE, BOB)
    for who in (ALICE, BOB):
        note(client, url, "1: the centre", who)
    refused = undone(client, links(client.get(f"{url}/more", ALICE))[PUBLISH], ALICE, url)
    assert refused.startswith(
        "Nothing was published. To publish notes, first finish a game against a person, or three"
    )
    client.now += timedelta(days=1)
    assert "the centre" not in client.get(f"{url}/notes")
    act(client, url, PUBLISH)
    assert "alice: the centre" in client.get(f"{url}/notes")
    set_player(client, BOB, program_since=client.now)
    refused = undone(client, links(client.get(f"{url}/more", BOB))[PUBLISH], BOB, url)
    assert refused.startswith("Nothing was published. Programs publish no notes.")
    assert "bob: the centre" not in client.get(f"{url}/notes")


def test_there_must_be_something_to_publish(client: Client) -> None:
    url = finished(client)
    note(client, url, "1: once")
    publish = links(client.get(f"{url}/more", ALICE))[PUBLISH]
    client.type(link(client.get(f"{url}/more", ALICE), "/clear"), "clear", ALICE)
    assert undone(client, publish, ALICE, url) == "That link was out of date: nothing was changed."
    assert f"{url}/notes" not in client.get("/games/annotated")
    assert PUBLISH not in client.get(f"{url}/more", ALICE)


def test_an_unlisted_game_is_in_no_list(client: Client) -> None:
    finished(client)
    url = start(client, "numeric", "solo", ALICE)
    play(client, url, WON_GAMES["numeric"].split(), ALICE, ALICE)
    note(client, url, "1: to myself")
    act(client, url, PUBLISH)
    assert url not in client.get("/games/annotated")
    assert entries(client, "/games/annotated/feed") == []
    assert "to myself" in client.get(f"{url}/notes")


def test_who_mutes_the_author_does_not_read_them(client: Client) -> None:
    url = finished(client)
    note(client, url, "1: look here")
    act(client, url, PUBLISH)
    assert "look here" in client.get(f"{url}/1", BOB)
    assert "look here" in client.get(f"{url}/notes", BOB)
    client.ask(link(client.get(f"{url}/messages", BOB), "/mute"), BOB)
    client.now += MOMENT
    assert "look here" not in client.get(f"{url}/1", BOB) + client.get(f"{url}/notes", BOB)
    assert "look here" in client.get(f"{url}/notes", CAROL)


@pytest.mark.parametrize(
    ("text", "ply", "shown"),
    [
        ("2: a fork", 2, "a fork"),
        ("2. a fork", 2, "a fork"),
        ("0: before it began", 0, "before it began"),
        ("2026: a good year", None, "2026: a good year"),
        ("2.5 points", None, "2.5 points"),
        ("12:30 was late", None, "12:30 was late"),
        ("2:", None, "2:"),
    ],
)
def test_the_number_with_which_a_note_begins_is_that_of_its_move(
    client: Client, text: str, ply: int | None, shown: str
) -> None:
    url = finished(client)
    note(client, url, text)
    act(client, url, PUBLISH)
    heading = {None: "## The whole game", 0: "## The start"}.get(ply, f"## Move {ply}")
    assert f"{heading}\n\n* alice: {shown}\n" in client.get(f"{url}/notes")
    if ply is not None:
        assert f"Note by alice: {shown}" in client.get(f"{url}/{ply}")


def test_a_note_on_a_move_that_was_taken_back_leads_to_no_board(client: Client) -> None:
    url = open_game(client)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    note(client, url, "why there?")
    client.get(link(client.get(url, BOB), "/takeback"), BOB)
    client.get(link(client.get(url, ALICE), "/accept"), ALICE)
    resign(client, url, BOB)
    client.now += timedelta(days=1)
    act(client, url, PUBLISH)
    page = client.get(f"{url}/notes")
    assert "## Move 2\n\n* alice: why there?\n" in page
    assert f"{url}/2" not in links(page).values()


def test_both_players_publish_notes_on_one_game(client: Client) -> None:
    url = finished(client)
    for who, text in ((ALICE, "2: hers"), (BOB, "2: his")):
        note(client, url, text, who)
        act(client, url, PUBLISH, who)
    assert "* alice: hers\n* bob: his\n" in client.get(f"{url}/notes")
    assert len(re.findall(f"{url}/notes ", client.get("/games/annotated"))) == 2
    act(client, url, UNPUBLISH, ALICE)
    assert "hers" not in client.get(f"{url}/notes")
    assert "his" in client.get(f"{url}/2")
    assert "with notes by bob" in client.get("/games/annotated")


def test_a_player_publishes_notes_on_five_games_a_day(client: Client) -> None:
    urls = []
    for _ in range(6):
        url = start_between(client, "ultimate")
        play(client, url, ["e5", "d4"], ALICE, BOB)
        resign(client, url, BOB)
        note(client, url, "1: the centre")
        urls.append(url)
    client.now += timedelta(days=1)
    for url in urls[:5]:
        act(client, url, PUBLISH)
    refused = undone(client, links(client.get(f"{urls[5]}/more", ALICE))[PUBLISH], ALICE, urls[5])
    assert refused.startswith("Nothing was published. You can publish notes on 5 games a day.")
    act(client, urls[0], UNPUBLISH)
    act(client, urls[0], PUBLISH)
    assert "the centre" not in client.get(f"{urls[5]}/notes")
    client.now += timedelta(days=1)
    act(client, urls[5], PUBLISH)
    assert "the centre" in client.get(f"{urls[5]}/notes")


def test_notes_on_an_aborted_game_stay_private(client: Client) -> None:
    url = open_game(client)
    note(client, url, "never begun")
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    client.now += MOMENT
    assert PUBLISH not in client.get(f"{url}/more", ALICE)
    assert "never begun" not in client.get(f"{url}/notes")
