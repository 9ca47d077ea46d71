"""Players can have everything that is kept about them, and have it erased."""

import json
from datetime import timedelta
from hashlib import sha256

from sqlalchemy import select

from capsule.accounts.names import loose_skeleton
from capsule.db.schema.players import erased_names
from capsule.gemini.types import Response
from tests.support.client import Client, link, links
from tests.support.console import Console
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, WON_GAMES, play, record, start, start_between, undone


def erase(client: Client) -> Response:
    return client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)


def test_everything_about_a_player_is_handed_out(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    start(client, "tinc", "solo")

    exported = json.loads(client.get("/play/me/export.json", ALICE))

    assert exported["name"] == "alice"
    assert [each["sha256_of_public_key"] for each in exported["certificates"]] == [
        ALICE.fingerprint
    ]
    games = {each["variant"]: each for each in exported["games"]}
    assert games.keys() == {"tinc", "numeric"}
    assert games["numeric"] == record(client, url)


def test_the_export_is_for_its_player_alone(client: Client) -> None:
    start_between(client, "numeric")
    assert client.ask("/play/me/export.json") == Response(30, "/play/?me/export.json")
    assert json.loads(client.get("/play/me/export.json", BOB))["name"] == "bob"


def test_erasing_an_account_asks_for_the_word(client: Client) -> None:
    start(client, "tinc", "open")
    prompt = link(client.get("/play/me/", ALICE), "/erase")
    assert client.ask(prompt, ALICE).meta == "Type erase to erase yourself for good"
    assert client.type(prompt, "yes", ALICE).status == 10
    assert "You are alice" in client.get("/play/me/", ALICE)


def test_an_erased_player_is_gone_and_their_games_stay(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)

    assert erase(client).body.startswith("# You are erased\n")

    assert client.get(url).startswith("# Numeric: a former player (Odd) – bob (Even)\n")
    assert record(client, url)["players"] == {"X": "a former player", "O": "bob"}
    assert record(client, url)["moves"] == WON_GAMES["numeric"].split()
    assert client.get("/play/", ALICE).startswith("# Welcome to Oxonaut\n"), "a stranger again"
    assert ALICE.fingerprint.encode() not in on_disk(client)


def test_for_a_year_nobody_can_have_the_name(client: Client) -> None:
    start(client, "tinc", "open")
    erase(client)
    until = "alice was a former player's until recently. Nobody can have it before 20 November 2027"
    for name in ("alice", "ALICE", "a1ice"):
        refused = client.type(link(client.get("/play/me/", BOB), "/name"), name, BOB)
        assert refused.status == 10
        assert refused.meta.startswith(until.replace("alice", name, 1))
    assert until in client.get("/play/", ALICE), "not even a certificate that is called so"
    start(client, "tinc", "open")
    assert client.ask("/players/alice").status == 51

    client.now += timedelta(days=365)
    client.type(link(client.get("/play/me/", BOB), "/name"), "alice", BOB)
    assert client.ask("/players/alice").status == 20


def test_a_name_given_up_before_stays_unavailable_for_as_long_as_it_was(client: Client) -> None:
    start(client, "tinc", "open")
    client.type(link(client.get("/play/me/", ALICE), "/name"), "ada", ALICE)
    client.now += timedelta(days=100)
    erase(client)
    prompt = link(client.get("/play/me/", BOB), "/name")
    for name, until in (("alice", "20 November 2027"), ("ada", "28 February 2028")):
        assert f"Nobody can have it before {until}" in client.type(prompt, name, BOB).meta


def test_the_operator_erases_a_player_whose_name_nobody_can_have_either(
    client: Client, console: Console
) -> None:
    start(client, "tinc", "open")
    start(client, "tinc", "open", BOB)
    console.admin("erase alice --yes")
    refusal = console.refusal("rename bob alice 'he asked for it'")
    assert refusal.startswith("alice was a former player's until recently. Nobody can have it")


def test_what_is_kept_of_the_name_tells_nobody_what_it_was(client: Client) -> None:
    start(client, "tinc", "open")
    erase(client)
    with client.database.reading() as connection:
        (kept,) = connection.execute(select(erased_names)).all()
    assert kept.look_key not in {
        sha256(loose_skeleton("alice").encode()).hexdigest(),
        loose_skeleton("alice"),
    }
    assert {column.name for column in erased_names.columns} == {"look_key", "kept_until"}


def test_games_that_go_on_are_given_to_the_opponent(client: Client) -> None:
    long = start_between(client, "ultimate")
    play(client, long, ["e5", "d4"], ALICE, BOB)
    short = start_between(client, "ultimate")
    waiting = start(client, "ultimate", "open")

    erase(client)

    assert (record(client, long)["status"], record(client, long)["winner"]) == ("resigned", "O")
    assert record(client, short)["status"] == "aborted"
    assert record(client, waiting)["status"] == "aborted"


def test_nobody_is_erased_twice_or_by_another(client: Client) -> None:
    start_between(client, "tinc")
    prompt = link(client.get("/play/me/", ALICE), "/erase")
    assert undone(client, f"{prompt}?erase", BOB, "/play/me/")
    assert client.ask(f"{prompt}?erase", ALICE).body.startswith("# You are erased\n")
    assert client.ask(f"{prompt}?erase", ALICE) == Response(30, "/play/me/")
    assert "You are bob" in client.get("/play/me/", BOB)
    assert "Erase yourself" not in "".join(links(client.get("/play/me/", ALICE)))
