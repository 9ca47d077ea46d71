"""Private notes on a game, for their writer's eyes alone."""

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link, links
from tests.support.conversation import section
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, CAROL, ROOM, play, start, start_between, undone

ASK = "Your note, private until you publish it. Begin with a number for a move: “12: a mistake”"


def note(client: Client, url: str, text: str, who: object = ALICE) -> Response:
    """Type a note at the prompt of a game's page and return the answer."""
    return client.type(link(client.get(f"{url}/more", who), "/note"), text, who)


def notes_of(client: Client, url: str, who: object = ALICE) -> list[str]:
    """Return the notes that somebody is shown on a game's page, without their times."""
    lines = section(client.get(url, who), "Your notes")
    return [line.split("UTC: ", 1)[1] for line in lines if not line.startswith("=> ")]


def test_a_note_is_shown_to_its_player_alone(client: Client) -> None:
    url = start_between(client, "ultimate")
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
        address = links(client.get("/play/me/", who))["Your private feed"]
        assert "keep the centre" not in client.get(address.removeprefix("gemini://localhost"))
        assert "keep the centre" not in client.get("/play/", who)


def test_notes_are_kept_in_order_and_can_be_cleared(client: Client) -> None:
    url = start_between(client, "ultimate")
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


def test_a_page_adds_one_note_even_after_notes_were_cleared(client: Client) -> None:
    url = start_between(client, "ultimate")
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


def test_a_key_for_notes_is_for_nothing_else(client: Client) -> None:
    url = start_between(client, "ultimate")
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


def test_players_who_watch_can_take_notes_but_strangers_cannot(client: Client) -> None:
    url = start_between(client, "ultimate")
    start(client, "tinc", "solo", CAROL)
    note(client, url, "a nice opening", CAROL)
    assert notes_of(client, url, CAROL) == ["a nice opening"]
    for who in (ALICE, BOB):
        assert "a nice opening" not in client.get(url, who)
    for who in (certificate("new"), None):
        assert "/note" not in client.get(f"{url}/more", who)


@pytest.mark.parametrize("text", ["", "  ", "\r\n", "\u200b"])
def test_an_empty_note_is_asked_for_again(client: Client, text: str) -> None:
    url = start_between(client, "ultimate")
    assert note(client, url, text).status == 10
    assert notes_of(client, url) == []


def test_a_note_has_at_most_280_characters_and_a_game_twenty_notes(client: Client) -> None:
    url = start_between(client, "ultimate")
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
