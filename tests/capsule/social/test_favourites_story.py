"""Favourites: added and removed on players' pages, listed for their owner, seen by nobody else."""

from datetime import timedelta

import pytest
from sqlalchemy import insert

from capsule.db.schema.social import favourites as table
from capsule.gemini.types import Certificate, Response
from capsule.social.relations import MAX_FAVOURITES
from tests.support.client import Client, certificate, link, links
from tests.support.console import Console
from tests.support.conversation import name_in_list
from tests.support.results import player_called
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, CAROL, start, undone

LIST = "/play/me/favourites"
EMPTY = "You have none yet. The page of each player has a link that adds the player here."


@pytest.fixture(autouse=True)
def people(client: Client) -> None:
    """Let three people have played here, out of sight."""
    for who in (ALICE, BOB, CAROL):
        start(client, "tinc", "solo", who)


def page_of(name: str) -> str:
    """Return the address of somebody's page as a reader who is signed in sees it."""
    return f"/play/players/{name}"


def add(client: Client, name: str, who: Certificate = ALICE) -> Response:
    """Follow the link on a player's page that adds them to favourites."""
    return client.ask(link(client.get(page_of(name), who), "/add"), who)


def remove(client: Client, name: str, who: Certificate = ALICE) -> Response:
    """Follow the link on a player's page that removes them from favourites."""
    return client.ask(link(client.get(page_of(name), who), "/remove"), who)


def listed(client: Client, who: Certificate = ALICE) -> list[str]:
    """Return the links of somebody's list of favourites, without those that lead on."""
    return list(links(client.get(LIST, who)))[:-3]


def stored(client: Client) -> set[tuple[int, int]]:
    with client.database.reading() as connection:
        return {(row.player_id, row.other_id) for row in connection.execute(table.select())}


# Adding and removing


def test_a_player_is_added_and_removed_on_their_page(client: Client) -> None:
    label = "More about bob: your score, favourites, reports"
    path = links(client.get("/players/bob"))[label]
    shown = links(client.get(path, ALICE))
    assert "Remove bob from your favourites" not in shown
    assert client.ask(shown["Add bob to your favourites"], ALICE) == Response(30, page_of("bob"))
    shown = links(client.get(path, ALICE))
    assert "Add bob to your favourites" not in shown
    assert shown["Your favourites"] == LIST
    assert listed(client) == ["bob, here today"]
    assert links(client.get(LIST, ALICE))["bob, here today"] == page_of("bob")
    gone = shown["Remove bob from your favourites"]
    assert client.ask(gone, ALICE) == Response(30, page_of("bob"))
    assert "Add bob to your favourites" in links(client.get(path, ALICE))
    assert EMPTY in client.get(LIST, ALICE)


def test_the_list_is_linked_from_ones_own_pages(client: Client) -> None:
    for page in ("/play/", "/play/me/"):
        assert links(client.get(page, ALICE))["Your favourites among the players"] == LIST
    page = client.get(LIST, ALICE)
    assert page.startswith("# Your favourites\n\nOnly you see this list.")
    assert EMPTY in page


def test_a_name_that_is_nobodys_has_no_page(client: Client) -> None:
    forged = link(client.get(page_of("bob"), ALICE), "/add").replace("bob", "expert")
    assert client.ask(forged, ALICE).status == 51
    assert not stored(client)


def test_the_hundred_and_first_is_refused_with_a_sentence(client: Client) -> None:
    alice = player_id(client, ALICE)
    others = [player_called(client, f"p{number}") for number in range(MAX_FAVOURITES)]
    rows = [{"player_id": alice, "other_id": each, "since": client.now} for each in others[1:]]
    with client.database.writing() as connection:
        connection.execute(insert(table), rows)
    assert add(client, "p0").status == 30
    path = link(client.get(page_of("bob"), ALICE), "/add")
    assert undone(client, path, ALICE, page_of("bob")) == (
        "Nothing was changed. You have 100 favourites, which is the limit. "
        "Remove one before you add bob."
    )
    assert len(stored(client)) == MAX_FAVOURITES
    remove(client, "p7")
    assert add(client, "bob").status == 30


# The list


def test_who_was_here_last_stands_first_then_the_order_is_by_name(client: Client) -> None:
    names = ("Zoe", "adam", "Bea", "yan")
    for name in names:
        start(client, "tinc", "solo", certificate(name))
    client.now += timedelta(days=5)
    client.get("/play/", BOB)
    client.now += timedelta(days=3)
    for name in ("Zoe", "adam"):
        client.get("/play/", certificate(name))
    for name in ("Zoe", "adam", "Bea", "yan", "bob"):
        add(client, name)
    assert listed(client) == [
        "adam, here today",
        "Zoe, here today",
        "bob, here this week",
        "Bea",
        "yan",
    ]


def test_who_does_not_show_when_they_were_here_is_a_name(client: Client) -> None:
    add(client, "bob")
    client.get(LIST, ALICE)
    client.ask(link(client.get("/play/me/settings", BOB), "/activity/off"), BOB)
    assert listed(client) == ["bob"]


def test_a_program_is_marked(client: Client) -> None:
    client.type(link(client.get("/play/me/program", BOB), "/declare"), "program", BOB)
    add(client, "bob")
    assert listed(client) == ["bob bot, here today"]


@pytest.mark.parametrize("terms", ["", "?side=o"])
def test_an_open_seat_of_a_favourite_is_one_step_away(client: Client, terms: str) -> None:
    add(client, "bob")
    page = client.get(f"/play/new/ultimate{terms}", BOB)
    seats = [client.ask(link(page, "/open"), BOB).meta]
    seats.append(start(client, "tinc", "open", BOB))
    start(client, "numeric", "invite", BOB)
    start(client, "quantum", "open", CAROL)
    label = "Play Ultimate with bob: an open seat"
    assert listed(client) == ["bob, here today", label]
    lines = f"\n=> {page_of('bob')} bob, here today\n=> {seats[0]} {label}\n"
    assert lines in client.get(LIST, ALICE)
    client.get(link(client.get(seats[0], CAROL), "/join"), CAROL)
    assert listed(client) == ["bob, here today", "Play Tinc with bob: an open seat"]


# The others


def test_nobody_learns_that_they_are_a_favourite(client: Client) -> None:
    pages = ("/play/", "/play/me/", "/play/players/alice", "/players/alice", LIST)
    before = {(page, who): client.get(page, who) for page in pages for who in (BOB, CAROL, None)
              if who or not page.startswith("/play/")}  # fmt: skip
    exported = client.get("/play/me/export.json", BOB)
    add(client, "bob")
    assert before == {(page, who): client.get(page, who) for page, who in before}
    assert client.get("/play/me/export.json", BOB) == exported


@pytest.mark.parametrize(("blocker", "blocked"), [(ALICE, "bob"), (BOB, "alice")])
def test_a_block_is_not_seen_in_the_list(
    client: Client, blocker: Certificate, blocked: str
) -> None:
    add(client, "bob")
    before = client.get(LIST, ALICE)
    name_in_list(client, "block", blocked, blocker)
    assert client.get(LIST, ALICE) == before
    start(client, "tinc", "open", BOB)
    assert client.get(LIST, ALICE) == before, "a seat that alice could not take"
    remove(client, "bob")
    add(client, "bob")
    assert client.get(LIST, ALICE) == before


def test_a_renamed_player_stays_under_the_new_name(client: Client) -> None:
    old = link(client.get(page_of("bob"), ALICE), "/add")
    client.type(link(client.get("/play/me/", BOB), "/name"), "robert", BOB)
    assert client.ask(old, ALICE) == Response(30, page_of("robert"))
    assert listed(client) == ["robert, here today"]
    client.type(link(client.get("/play/me/", BOB), "/name"), "roberta", BOB)
    assert listed(client) == ["roberta, here today"]
    remove(client, "roberta")
    assert not stored(client)


def test_a_banned_player_is_no_favourite_until_the_ban_is_over(
    client: Client, console: Console
) -> None:
    add(client, "bob")
    start(client, "tinc", "open", BOB)
    console.admin("ban bob spam --days 2")
    assert not listed(client)
    client.now += timedelta(days=2)
    assert listed(client) == ["bob, here this week"]
    console.admin("ban bob spam")
    remove(client, "bob")
    assert not stored(client)
    assert "/favourite/bob/add" not in client.get(page_of("bob"), ALICE)
