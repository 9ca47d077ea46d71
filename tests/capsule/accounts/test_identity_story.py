"""Certificates become players: names, dates, and where a certificate is asked for."""

import re
from datetime import timedelta

import pytest

from capsule.app import compiled_routes
from capsule.gemini.types import Response
from capsule.ui.routes import GAME
from tests.support.acting import meanwhile
from tests.support.client import BEGINNING, Client, certificate, link, links
from tests.support.stories import ALICE, BOB, start, start_between, undone

GAME_ADDRESS = re.compile(rf"/play/{GAME}(?=$|\s)", re.MULTILINE)


def test_only_one_path_asks_for_a_certificate(client: Client) -> None:
    asked = client.ask("/play/")
    assert asked.status == 60
    assert "/help/" in asked.meta, "somebody who has never made a certificate is told where to read"
    assert client.ask("/play/new/") == Response(30, "/play/"), "newcomers need no query"
    for path in ("/play/new/tinc", "/play/me/", "/play/tournaments/new"):
        answer = client.ask(path)
        assert (answer.status, answer.meta.split("?")[0]) == (30, "/play/"), path


def pages_for_players(client: Client) -> list[str]:
    """Return the addresses of all pages that are for those with a certificate alone."""
    game = start_between(client, "tinc")
    pages = []
    for route in compiled_routes():
        path = route.pattern.pattern.replace("\\.", ".")
        path = path.replace(GAME, game.removeprefix("/play/"))
        path = re.sub(r"\(\?P<variant>[^)]*\)", "quantum", path)
        if path.startswith("/play/") and not re.search(r"[(\[]", path) and path != "/play/":
            pages.append(path)
    return [path for path in pages if client.ask(path).meta.startswith("/play/")]


def test_signing_in_shows_the_page_that_was_wanted_in_place(client: Client) -> None:
    pages = pages_for_players(client)
    assert {"/play/new/", "/play/new/quantum", "/play/me/", "/play/me/settings"} <= set(pages)
    pages.remove("/play/new/")
    for path in (*pages, "/play/new/quantum?side=o&days=3", "/play/tournaments/new?seats=4"):
        asking = client.ask(path).meta
        assert client.ask(asking).status == 60, path
        shown = client.ask(path, ALICE)
        assert shown.status in (20, 30), path
        assert client.ask(asking, ALICE) == shown, (
            "in place, for browsers that tie certificates to it"
        )


@pytest.mark.parametrize(
    "path",
    [
        "/play/new/tinc?%0D%0A20 text/gemini",
        "/play/new/tinc?//example.org",
        "/play/new/tinc?" + "x" * 950,
        "/play/new/tinc?side=%C3%B6",
    ],
)
def test_what_no_page_wrote_is_left_behind_when_signing_in(client: Client, path: str) -> None:
    assert client.ask(path) == Response(30, "/play/?new/tinc")


def test_signing_in_never_goes_on_to_an_action(client: Client) -> None:
    url = start_between(client, "tinc")
    actions = [
        link(client.get("/play/new/tinc", ALICE), "/solo"),
        link(client.get("/play/me/", ALICE), "/name"),
        f"{link(client.get(url, ALICE), '/move')}?a1",
        "/play/new/tinc/key/open",
    ]
    for action in actions:
        asking = "/play/?unsent" if "?" in action else "/play/"
        assert client.ask(action) == Response(30, asking), action
    forged = link(client.get(url, ALICE), "/move").removeprefix("/play/")
    assert client.ask(f"/play/?{forged}", ALICE).status == 20


def test_signing_in_shows_the_game_that_was_shared(client: Client) -> None:
    url = start_between(client, "tinc")
    query = url.removeprefix("/play/")
    assert client.ask(f"/play/?{query}").status == 60
    for who in (BOB, certificate("new")):
        assert client.get(f"/play/?{query}", who) == client.get(url, who)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "//example.org",
        "gemini://example.org",
        "short",
        "new//example.org",
        "new/..",
        "new/../../about",
        "%0D%0A20 text/gemini",
        "new/tinc%0D%0A20 text/gemini",
        "new/tinc?side=o%0D%0A",
    ],
)
def test_signing_in_leads_nowhere_else(client: Client, query: str) -> None:
    answer = client.ask(f"/play/?{query}", ALICE)
    assert (answer.status, answer.meta) == (20, "text/gemini; charset=utf-8; lang=en")


def test_looking_around_makes_nobody_a_player(client: Client) -> None:
    assert "You will play as alice, the name in your certificate" in client.get("/play/", ALICE)
    for path in ("/play/new/", "/play/new/tinc", "/play/me/", "/games/"):
        client.get(path, ALICE)
    impostor = certificate("second", common_name="alice")
    assert "You will play as alice" in client.get("/play/", impostor), "the name is still free"


@pytest.mark.parametrize("common_name", ["alice", "ALlCE", "a-l-i-c-e", "", "x", "日本", "me"])
def test_an_unfit_or_taken_name_gives_way_to_a_readable_one(
    client: Client, common_name: str
) -> None:
    start(client, "tinc", "open")
    other = certificate("other", common_name=common_name)
    assert "You will get a name here" in client.get("/play/", other)
    url = start(client, "tinc", "open", other)
    title = client.get(url).splitlines()[0]
    assert title.removeprefix("# Tinc: ").removesuffix(" (X) – open seat (O)").count("-") == 2


def test_renaming_shows_everywhere_at_once(client: Client) -> None:
    url = start_between(client, "tinc")
    name = link(client.get("/play/me/", ALICE), "/name")
    assert client.ask(name, ALICE).meta == "Your name: 2 to 24 letters from a to z, digits, - or _"
    assert client.type(name, "Ada_L", ALICE) == Response(30, "/play/me/")
    assert client.get(url).startswith("# Tinc: Ada_L (X) – bob (O)\n")
    assert "You are Ada_L, here since" in client.get("/play/me/", ALICE)


def test_an_expired_certificate_is_told_so_where_an_identity_is_needed(client: Client) -> None:
    url = start_between(client, "tinc")
    move = link(client.get(url, ALICE), "/move")
    client.now = ALICE.not_after + timedelta(seconds=1)
    shared = url.replace("/play/", "/play/?")
    for path in ("/play/", "/play/new/", "/play/me/", move, f"{move}?a1", shared):
        answer = client.ask(path, ALICE)
        assert answer == Response(
            62, "Your certificate expired on 17 November 2036. Renew it, or make a new one"
        ), path


def test_pages_for_anyone_stay_open_to_an_expired_certificate(client: Client) -> None:
    url = start_between(client, "tinc")
    client.now = ALICE.not_after + timedelta(seconds=1)
    for path in ("/", "/help/", "/rules/", "/rules/tinc", "/games/", url, f"{url}/0"):
        assert client.ask(path, ALICE).status == 20, path
    assert "/move" not in client.get(url, ALICE)


def test_a_certificate_that_is_not_valid_yet_is_told_so(client: Client) -> None:
    early = certificate("early", not_before=BEGINNING + timedelta(days=1))
    assert client.ask("/play/", early) == Response(
        62,
        "Your certificate is not valid before 21 November 2026. "
        "Check your clock, or make a new one",
    )


def test_your_games_are_sorted_by_what_needs_you(client: Client) -> None:
    yours = start_between(client, "tinc")
    theirs = start_between(client, "ultimate", BOB, ALICE)
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games (1 waiting)\n")
    assert (
        page.index("## Your turn") < page.index(yours) < page.index("## Waiting for your opponent")
    )
    assert page.index("## Waiting for your opponent") < page.index(theirs)


def test_an_offer_that_waits_for_an_answer_needs_you(client: Client) -> None:
    url = start_between(client, "tinc")
    client.get(link(client.get(url, ALICE), "/draw"), ALICE)
    page = client.get("/play/", BOB)
    assert page.startswith("# Your games (1 waiting)\n")
    assert f"{url}?draw-0" in links(page).values()


def test_a_newcomer_who_asks_for_a_name_and_a_game_at_once_keeps_the_game(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = link(client.get("/play/me/", ALICE), "/name")
    start = link(client.get("/play/new/tinc", ALICE), "/solo")
    meanwhile(monkeypatch, lambda: client.ask(start, ALICE))
    assert "> bobby" in undone(client, f"{name}?bobby", ALICE, "/play/me/")
    assert client.get("/play/me/", ALICE).startswith("# Your account\n\nYou are alice,")
    assert GAME_ADDRESS.search(client.get("/play/", ALICE))
