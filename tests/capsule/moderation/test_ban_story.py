"""Bans: every page gives the player the reason, and opponents are not kept waiting."""

from datetime import timedelta

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link
from tests.support.console import EVE, Console, quarrel
from tests.support.feeds import private_feed
from tests.support.linking import add, make_code, type_code
from tests.support.stories import ALICE, WON_GAMES, play, record, start, start_between

FOR_GOOD = Response(61, "The operator of this capsule has banned you: cheating")
FOR_A_WEEK = Response(
    61, "The operator of this capsule has banned you until 27 November 2026 at 14:02 UTC: cheating"
)
LAPTOP = certificate("eve's laptop")


@pytest.mark.parametrize(
    "path",
    "/play/ /play/?k3x9m2pqrt /play/new/ /play/new/tinc /play/new/tinc/key/open /play/me/ "
    "/play/me/export.json /play/me/key/name /play/me/key/erase?erase /play/me/key/heard "
    "/play/me/settings /play/me/people /play/me/code".split(),
)
def test_every_page_that_needs_an_identity_gives_the_reason(
    client: Client, console: Console, path: str
) -> None:
    quarrel(client)
    console.admin("ban eve cheating")
    assert client.ask(path, EVE) == FOR_GOOD
    assert client.ask(path, ALICE).status != 61


@pytest.mark.parametrize("verb", ["move?e5", "resign?resign", "draw", "say?ha", "report?no"])
def test_no_old_page_acts(client: Client, console: Console, verb: str) -> None:
    url = start_between(client, "ultimate", EVE, ALICE)
    waiting = start(client, "ultimate", "invite", ALICE)
    key = link(client.get(url, EVE), "/move").removesuffix("move")
    join = link(client.get(waiting, EVE), "/join")
    new = link(client.get("/play/new/tinc", EVE), "/open")
    console.admin("ban eve cheating")
    before = (record(client, url), record(client, waiting), client.get("/games/"))
    for action in (f"{key}{verb}", join, new):
        assert client.ask(action, EVE) == FOR_GOOD
    assert (record(client, url), record(client, waiting), client.get("/games/")) == before


def test_pages_for_anyone_show_what_a_stranger_sees(client: Client, console: Console) -> None:
    url = quarrel(client)
    waiting = start(client, "tinc", "open", ALICE)
    console.admin("ban eve cheating")
    pages = ("/", "/help/", "/rules/tinc", "/games/", url, f"{url}/0", f"{url}/words", waiting)
    for path in (*pages, f"{url}/history", "/players/eve", "/feed"):
        shown = client.ask(path, EVE)
        assert shown.status == 20, path
        assert shown == client.ask(path), path
    sign_in = link(client.get(waiting, EVE), f"?{waiting.removeprefix('/play/')}")
    assert client.get(sign_in, EVE) == client.get(waiting)
    assert client.ask("/play/", EVE) == FOR_GOOD


def test_the_private_feed_goes_on(client: Client, console: Console) -> None:
    quarrel(client)
    feed = private_feed(client, EVE)
    console.admin("ban eve cheating")
    assert client.ask(feed).status == 20, "nobody is known there by a certificate"


def test_a_ban_runs_out(client: Client, console: Console) -> None:
    quarrel(client)
    console.admin("ban eve rudeness")
    assert console.admin("ban eve cheating --days 7").startswith(
        "eve is banned until 2026-11-27 at 14:02 UTC.\n"
    )
    assert client.ask("/play/", EVE) == FOR_A_WEEK, "a second ban replaces the first"
    client.now += timedelta(days=7, seconds=-1)
    assert client.ask("/play/", EVE) == FOR_A_WEEK
    client.now += timedelta(seconds=1)
    assert "You are signed in as eve." in client.get("/play/", EVE)
    start(client, "tinc", "open", EVE)
    assert console.refusal("unban eve") == "eve is not banned."
    assert "Banned" not in console.admin("show eve")


def test_a_ban_is_lifted(client: Client, console: Console) -> None:
    quarrel(client)
    console.admin("ban eve cheating")
    assert console.admin("unban eve") == (
        "eve is no longer banned. Games that the ban ended stay ended.\n"
    )
    assert "You are signed in as eve." in client.get("/play/", EVE)


def test_the_reason_stays_on_its_line_and_fits(client: Client, console: Console) -> None:
    quarrel(client)
    console.admin("ban eve 'first\r\n20 text/gemini\x1b[1m second'")
    assert client.ask("/play/", EVE).meta.endswith(": first 20 text/gemini [1m second")
    console.admin(f"ban eve --days 3 {'語' * 280}")
    meta = client.ask("/play/", EVE).meta
    assert len(meta.encode()) <= 1024
    assert meta.endswith("語" * 280)


def test_a_ban_is_for_every_certificate_and_adds_none(client: Client, console: Console) -> None:
    quarrel(client)
    add(client, LAPTOP, EVE)
    assert "You are signed in as eve." in client.get("/play/", LAPTOP)
    code = make_code(client, LAPTOP)
    console.admin("ban eve cheating")
    for who in (EVE, LAPTOP):
        assert client.ask("/play/", who) == FOR_GOOD
    phone = certificate("eve's phone")
    assert type_code(client, code, phone).status == 11
    assert client.get("/play/", phone).startswith("# Welcome to Oxonaut")


def test_games_in_progress_are_lost_and_young_ones_aborted(
    client: Client, console: Console
) -> None:
    long = start_between(client, "ultimate", EVE, ALICE)
    play(client, long, ["e5", "d4"], EVE, ALICE)
    young = start_between(client, "ultimate", ALICE, EVE)
    waiting = start(client, "ultimate", "open", EVE)
    over = start_between(client, "numeric", EVE, ALICE)
    play(client, over, WON_GAMES["numeric"].split(), EVE, ALICE)
    before = record(client, over)

    printed = console.admin("ban eve cheating").splitlines()

    assert printed[0] == "eve is banned for good."
    assert sorted(printed[1:]) == sorted(
        [
            f"  Given to the opponent: gemini://localhost{long}",
            f"  Aborted: gemini://localhost{young}",
            f"  Aborted: gemini://localhost{waiting}",
        ]
    )
    assert (record(client, long)["status"], record(client, long)["winner"]) == ("resigned", "O")
    assert record(client, young)["status"] == "aborted"
    assert record(client, waiting)["status"] == "aborted"
    assert record(client, over) == before
    assert waiting not in client.get("/games/")
    assert "Your turn" not in client.get("/play/", ALICE)


def test_challenges_to_and_by_the_banned_are_withdrawn(client: Client, console: Console) -> None:
    start(client, "tinc", "solo", ALICE)
    start(client, "tinc", "solo", EVE)
    challenges = [
        client.type(link(client.get("/play/new/tinc", one), "/challenge"), other, one).meta
        for one, other in ((ALICE, "eve"), (EVE, "alice"))
    ]
    assert "## Offers to answer" in client.get("/play/", ALICE)
    console.admin("ban eve cheating")
    assert [record(client, url)["status"] for url in challenges] == ["aborted", "aborted"]
    assert "## Offers to answer" not in client.get("/play/", ALICE)
