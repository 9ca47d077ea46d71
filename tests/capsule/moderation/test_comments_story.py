"""Comments that are reported, and that the operator removes."""

import json

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, certificate, links
from tests.support.comments import act_on_comment, comment, comments_on, public_game
from tests.support.console import Console
from tests.support.feeds import private_feed
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, CAROL, ROOM, undone


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game of alice and bob on which carol has been rude."""
    made = public_game(client)
    comment(client, made, "you cheat", CAROL)
    return made


def test_a_reported_comment_is_read_by_the_operator(
    client: Client, console: Console, url: str
) -> None:
    report = act_on_comment(client, url, "report", 1, ALICE)
    ask = "What should the operator know about this comment by carol?"
    assert client.ask(report, ALICE).meta == f"{ROOM} {ask}"
    answer = client.type(report, "rude", ALICE)
    assert answer.body.startswith("# Your report\n")
    assert links(answer.body)["Back to the comments"] == f"{url}/comments"
    assert console.admin("reports").splitlines() == [
        "Report 1, 2026-11-21 at 14:02 UTC",
        "  alice about carol: rude",
        f"  gemini://localhost{url}",
        "    comment 1, 2026-11-21 at 14:02 UTC, carol: you cheat",
        "",
    ]
    assert client.ask(f"{report}?rude", ALICE) == Response(30, f"{url}/comments"), "once"
    exported = json.loads(client.get("/play/me/export.json", ALICE))["reports"]
    assert [each["comment"] for each in exported] == [1]


def test_a_spectator_reports_too_but_nobody_their_own(client: Client, url: str) -> None:
    comment(client, url, "you, too", BOB)
    report = act_on_comment(client, url, "report", 2, CAROL)
    assert client.type(report, "rude", CAROL).status == 20
    own = act_on_comment(client, url, "report", 2, CAROL).replace("/2", "/1")
    said_so = undone(client, f"{own}?mine", CAROL, f"{url}/comments")
    assert said_so.endswith("Your text was:\n> mine")
    assert client.ask(f"{own}?mine") == Response(30, "/play/?unsent")
    for who in (ALICE, certificate("new")):
        assert undone(client, f"{report}?planted", who, f"{url}/comments")


def test_the_operator_removes_a_comment_and_its_place_stays(
    client: Client, console: Console, url: str
) -> None:
    comment(client, url, "be kind", BOB)
    client.type(act_on_comment(client, url, "report", 1, ALICE), "rude", ALICE)
    assert console.admin("remove-comment 1 no insults") == (
        "Comment 1 is removed, and carol is told so.\n"
    )
    for who in (None, ALICE, CAROL):
        assert comments_on(client, url, who)[1:] == [
            "carol: (removed by the operator)",
            "bob: be kind",
        ]
    assert "Read 1 comment\n" in client.get(url)
    page = client.get("/play/", CAROL)
    assert "A comment of yours has been removed: no insults" in page
    assert links(page)["The comments where it stood"] == f"{url}/comments"
    assert "carol: (removed)" in console.admin("reports")
    assert "remove-comment, carol: comment 1 under" in console.admin("log")
    assert "Comment: carol" not in client.get(private_feed(client, ALICE))
    chosen = client.get(f"{url}/comments/choose", CAROL)
    assert "-comment/1" not in chosen
    assert console.refusal("remove-comment 1 again") == "Comment 1 is removed already."
    assert console.refusal("remove-comment 9 why") == "There is no comment 9."
    assert b"you cheat" not in on_disk(client)


def test_a_comment_that_its_author_has_removed_is_gone_for_the_operator(
    client: Client, console: Console, url: str
) -> None:
    report = act_on_comment(client, url, "report", 1, ALICE)
    client.type(report, "rude", ALICE)
    client.type(act_on_comment(client, url, "remove", 1, CAROL), "remove", CAROL)
    assert "carol: (removed)" in console.admin("reports")
    assert console.refusal("remove-comment 1 rude") == "Comment 1 is removed already."
    late = undone(client, f"{link_after(client, url)}?worse", ALICE, f"{url}/comments")
    assert late.startswith("Nothing was sent")


def link_after(client: Client, url: str) -> str:
    """Return alice's link to report the first comment, though it has been removed."""
    comment(client, url, "a second", BOB)
    return act_on_comment(client, url, "report", 2, ALICE).replace("/2", "/1")
