"""Published notes that are reported, that the operator removes, and those of a banned player."""

import json

import pytest

from capsule.gemini.types import Response
from tests.capsule.social.test_notes_story import MOMENT, PUBLISH, act, finished, note
from tests.support.client import Client, link, links
from tests.support.console import Console
from tests.support.feeds import entries
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, CAROL, ROOM, start, undone

PAGES = ("", "/2", "/notes", "/more", "/words", "/history")


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game of alice and bob on which bob has published rude notes."""
    made = finished(client)
    for text in ("she cheats", "2: look at that"):
        note(client, made, text, BOB)
    act(client, made, PUBLISH, BOB)
    note(client, made, "a private thought", BOB)
    start(client, "tinc", "solo", CAROL)
    for who in (None, ALICE, CAROL):
        # Pages are kept from now on.
        for page in (made, "/games/annotated"):
            assert f"{made}/notes" in client.get(page, who)
        assert "look at that" in client.get(f"{made}/2", who)
    return made


def assert_gone(client: Client, url: str) -> None:
    # On PostgreSQL, strangers may be given a page that is a second old.
    client.now += MOMENT
    for who in (None, ALICE, CAROL):
        for page in (f"{url}{each}" for each in PAGES):
            shown = client.get(page, who)
            assert "she cheats" not in shown, page
            assert "look at that" not in shown, page
        assert f"{url}/notes" not in client.get(url, who)
    assert f"{url}/notes" not in client.get("/games/annotated")
    assert entries(client, "/games/annotated/feed") == []


def test_reported_notes_are_read_by_the_operator(
    client: Client, console: Console, url: str
) -> None:
    report = link(client.get(f"{url}/notes", CAROL), "/report-notes/1")
    ask = "What should the operator know about the notes of bob?"
    assert client.ask(report, CAROL).meta == f"{ROOM} {ask}"
    answer = client.type(report, "rude", CAROL)
    assert answer.body.startswith("# Your report\n")
    assert links(answer.body)["Back to the notes"] == f"{url}/notes"
    assert console.admin("reports").splitlines()[1:] == [
        "  carol about bob: rude",
        f"  gemini://localhost{url}",
        "    notes 1, bob:",
        "      on the game: she cheats",
        "      on move 2: look at that",
        "",
    ]
    assert client.ask(f"{report}?rude", CAROL) == Response(30, f"{url}/notes"), "once"
    exported = json.loads(client.get("/play/me/export.json", CAROL))["reports"]
    assert [each["notes"] for each in exported] == [1]


def test_nobody_reports_their_own_notes_or_those_that_are_private(client: Client, url: str) -> None:
    report = link(client.get(f"{url}/notes", ALICE), "/report-notes/1")
    assert "/report-notes/" not in client.get(f"{url}/notes", BOB) + client.get(f"{url}/notes")
    for who in (BOB, CAROL):
        assert undone(client, f"{report}?planted", who, f"{url}/notes")
    act(client, url, "Make your published notes private", BOB)
    said = undone(client, f"{report}?rude", ALICE, f"{url}/notes")
    assert said.startswith("Nothing was sent")
    assert said.endswith("> rude")


def test_who_mutes_the_author_has_no_link_to_report_what_is_not_shown(
    client: Client, url: str
) -> None:
    client.ask(link(client.get(f"{url}/messages", ALICE), "/mute"), ALICE)
    assert "/report-notes/" not in client.get(f"{url}/notes", ALICE)


def test_the_operator_removes_notes_and_tells_their_author(
    client: Client, console: Console, url: str
) -> None:
    client.type(link(client.get(f"{url}/notes", ALICE), "/report-notes/1"), "rude", ALICE)
    assert console.admin("remove-notes 1 no insults") == (
        "The notes of bob are removed, and they are told so.\n"
    )
    assert_gone(client, url)
    page = client.get("/play/", BOB)
    assert "Your published notes on a game have been removed: no insults" in page
    own = client.get(url, BOB)
    assert "she cheats" not in own
    assert "a private thought" in own, "others stay"
    assert "notes 1: (no longer published)" in console.admin("reports")
    assert f"remove-notes, bob: notes 1 on {url}: no insults" in console.admin("log")
    for number in (1, 9):
        assert console.refusal(f"remove-notes {number} again") == (
            f"There are no published notes with the number {number}."
        )
    assert b"she cheats" not in on_disk(client)


def test_the_notes_of_a_banned_player_are_private_again(
    client: Client, console: Console, url: str
) -> None:
    console.admin("ban bob insults --days 1")
    assert_gone(client, url)
    console.admin("unban bob")
    assert_gone(client, url)
    act(client, url, PUBLISH, BOB)
    assert "she cheats" in client.get(f"{url}/notes")


def test_a_muted_player_publishes_nothing(client: Client, console: Console, url: str) -> None:
    note(client, url, "1: mine", ALICE)
    console.admin("mute alice 3 calm down")
    said = undone(client, links(client.get(f"{url}/more", ALICE))[PUBLISH], ALICE, url)
    assert said == (
        "Nothing was published. The operator has muted you until 24 November 2026 at 14:02 UTC."
    )
    assert "mine" not in client.get(f"{url}/notes")
