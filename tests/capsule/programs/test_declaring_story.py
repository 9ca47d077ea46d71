"""A player says to be a program: once, before the first rated game, and shown wherever it plays."""

import csv
import json
from typing import Any

import pytest

from capsule.gemini.types import Certificate
from tests.support.client import Client, link, links
from tests.support.people import declare
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    challenge,
    open_game,
    play,
    record,
    start,
    start_between,
)
from tests.support.tournaments import announce, join

HERE = "/play/me/program"


def desk(client: Client, who: Certificate) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(client.get("/play/desk.json", who))
    return data


def finish(client: Client, url: str) -> None:
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert record(client, url)["status"] == "finished"


def test_a_program_is_called_a_bot_wherever_it_plays(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    declare(client, ALICE)
    url = open_game(client, "numeric")
    assert client.get(url).splitlines()[0] == "# Numeric: alice bot (Odd) – bob (Even)"
    assert "alice bot" in client.get("/play/", BOB)
    assert "alice bot" not in client.get("/games/"), "bob has not asked for it"
    start(client, "tinc", "open")
    assert "alice bot" in client.get("/games/")
    assert "alice is a program" in client.get("/players/alice")
    assert record(client, url)["players"] == {"X": "alice", "O": "bob"}
    state = json.loads(client.get(f"{url}/state.json"))
    assert state["players"]["X"] == {"name": "alice", "bot": False, "program": True, "rating": 1500}
    assert state["players"]["O"]["program"] is False


def test_it_is_called_so_in_tournaments(client: Client) -> None:
    declare(client, BOB)
    url = announce(client, "seats=3")
    join(client, url, BOB, CAROL)
    assert "bob bot" in client.get(url)


def test_nobody_becomes_one_who_has_played_for_ratings(client: Client) -> None:
    url = start_between(client, "numeric", ALICE, BOB)
    assert "/declare" not in client.get(HERE, ALICE)
    assert desk(client, ALICE)["declare"] is None
    finish(client, url)
    assert "You have played rated games as a person" in client.get(HERE, ALICE)


def test_an_address_from_before_the_first_rated_game_is_refused(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    url = start(client, "numeric", "invite", ALICE)
    address = desk(client, ALICE)["declare"]
    client.get(link(client.get(url, BOB), "/join"), BOB)
    data = json.loads(client.ask(f"{address}?program", ALICE).body)
    assert "You have played rated games as a person" in data["error"]
    assert "alice (Odd)" in client.get(url)


def test_casual_games_leave_the_choice(client: Client) -> None:
    page = client.get("/play/new/numeric?rated=no", ALICE)
    url = client.ask(link(page, "/invite?listed=people&rated=no"), ALICE).meta
    client.get(link(client.get(url, BOB), "/join"), BOB)
    declare(client, ALICE)
    assert "alice bot (Odd)" in client.get(url)


def test_it_is_for_good_and_takes_the_word(client: Client) -> None:
    address = link(client.get(HERE, ALICE), "/declare")
    assert client.ask(f"{address}?yes", ALICE).status == 10
    assert "You are a program" not in client.get(HERE, ALICE)
    declare(client, ALICE)
    assert "/declare" not in client.get(HERE, ALICE)
    assert client.ask(f"{address}?program", ALICE).meta == HERE


def test_a_program_says_so_at_its_desk(client: Client) -> None:
    address = desk(client, CAROL)["declare"]
    data = json.loads(client.ask(f"{address}?program", CAROL).body)
    assert (data["player"], data["declare"]) == ("carol", None)
    assert "You are a program" in client.get(HERE, CAROL)


def test_it_stands_beside_the_bots_and_has_no_rank_among_people(client: Client) -> None:
    declare(client, ALICE)
    finish(client, open_game(client, "numeric"))
    ladder = client.get("/players/ladder/numeric", ALICE)
    people, _, programs = ladder.partition("## Programs")
    assert "=> /players/bob" in people
    assert "=> /players/alice" not in people
    assert "=> /players/alice" in programs
    assert "Programs have their own list" in people
    assert "among programs" in client.get("/players/alice")


def test_lists_of_players_and_tables_say_so(client: Client) -> None:
    declare(client, ALICE)
    finish(client, open_game(client, "numeric"))
    players = client.get("/players/")
    assert "=> /players/alice alice bot, today\n" in players.partition("## Recently active")[2]
    assert "=> /players/bob bob, today\n" in players.partition("## Recently active")[2]
    table = csv.DictReader(client.get("/players/ladder/numeric.csv").splitlines())
    assert {row["name"]: row["program"] for row in table} == {"alice": "yes", "bob": "no"}


def test_it_gets_no_hints_and_no_opinions(client: Client) -> None:
    declare(client, ALICE)
    url = start(client, "numeric", "solo", ALICE)
    assert not any(each.endswith("/hint") for each in links(client.get(url, ALICE)).values())
    assert "Programs think for themselves" in client.get("/board/numeric/b2=5?engine", ALICE)


@pytest.mark.parametrize(
    ("word", "variant", "terms", "expected"),
    [
        ("tinc", "tinc", "", "does not play Tinc"),
        ("3", "numeric", "days=3", "accept that time limit"),
        ("none", "numeric", "days=none", "accept that time limit"),
        ("rated", "numeric", "", "plays casual games only"),
        ("casual", "numeric", "rated=no", "plays rated games only"),
    ],
)
def test_challenges_that_it_declines_are_refused_with_the_reason(
    client: Client, word: str, variant: str, terms: str, expected: str
) -> None:
    declare(client, ALICE)
    client.ask(link(client.get(HERE, ALICE), f"/{word}/decline"), ALICE)
    refused = challenge(client, "alice", variant, BOB, f"?{terms}")
    assert refused.status == 10
    assert expected in refused.meta

    client.ask(link(client.get(HERE, ALICE), f"/{word}/take"), ALICE)
    assert challenge(client, "alice", variant, BOB, f"?{terms}").status == 30


def test_who_declines_rated_and_casual_games_takes_no_challenges(client: Client) -> None:
    declare(client, ALICE)
    for word in ("rated", "casual"):
        client.ask(link(client.get(HERE, ALICE), f"/{word}/decline"), ALICE)
    refused = challenge(client, "alice", who=BOB)
    assert "alice is a program and takes no challenges" in refused.meta


def test_a_rematch_is_a_challenge_that_may_be_declined_in_advance(client: Client) -> None:
    declare(client, ALICE)
    url = open_game(client, "numeric")
    finish(client, url)
    client.ask(link(client.get(HERE, ALICE), "/numeric/decline"), ALICE)
    rematch = link(client.get(url, BOB), "/rematch")
    refused = client.ask(rematch, BOB)
    assert "alice is a program and does not play Numeric." in refused.body
    data = json.loads(client.ask(rematch.replace("?", ".json?"), BOB).body)
    assert data["error"] == "alice is a program and does not play Numeric"
    assert desk(client, ALICE)["challenges"] == []

    client.ask(link(client.get(HERE, ALICE), "/numeric/take"), ALICE)
    assert client.ask(rematch, BOB).status == 30
    assert len(desk(client, ALICE)["challenges"]) == 1


def test_its_page_names_what_it_declines(client: Client) -> None:
    declare(client, ALICE)
    found = links(client.get(HERE, ALICE))
    for words in ("games with 3 days a move", "games without a time limit", "casual games"):
        assert f"Decline {words}" in found
    client.ask(found["Decline Tinc"], ALICE)
    assert "Take Tinc again" in links(client.get(HERE, ALICE))


def test_people_decline_nothing_in_advance(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    key = desk(client, ALICE)["declare"].split("/")[3]
    client.ask(f"/play/me/{key}/program/tinc/decline", ALICE)
    assert challenge(client, "alice", "tinc", BOB).status == 30
