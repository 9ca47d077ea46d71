"""Programs in tournaments: they find them, take a seat, and find the games on their desks."""

import json
from typing import Any

from capsule.gemini.types import Certificate
from tests.support.client import Client
from tests.support.stories import BOB, CAROL, start
from tests.support.tournaments import announce

OPEN = "/play/tournaments/open.json"


def read(client: Client, url: str, who: Certificate | None = None) -> dict[str, Any]:
    response = client.ask(url, who)
    assert response.status == 20, response
    data: dict[str, Any] = json.loads(response.body)
    return data


def test_a_program_takes_the_last_seat_and_finds_its_games_on_its_desk(client: Client) -> None:
    url = announce(client, "seats=3", title="Robots welcome")
    for who in (BOB, CAROL):
        (tournament,) = read(client, OPEN, who)["tournaments"]
        assert (tournament["title"], tournament["page"]) == ("Robots welcome", url)
        data = read(client, tournament["join"], who)
        assert "join" not in data
    assert (data["status"], data["taken"]) == ("playing", 3)
    games = read(client, "/play/desk.json", CAROL)["games"]
    assert {game["tournament"] for game in games} == {tournament["id"]}
    assert read(client, OPEN, BOB)["tournaments"] == []


def test_a_stranger_sees_the_tournaments_and_no_way_in(client: Client) -> None:
    announce(client)
    (tournament,) = read(client, OPEN)["tournaments"]
    assert "join" not in tournament
    assert tournament["taken"] == 1


def test_a_seat_taken_twice_is_taken_once(client: Client) -> None:
    announce(client, "seats=4")
    (tournament,) = read(client, OPEN, BOB)["tournaments"]
    assert read(client, tournament["join"], BOB)["taken"] == 2
    assert read(client, tournament["join"], BOB)["taken"] == 2
    assert client.ask(tournament["join"]).status == 30


def test_a_program_that_cannot_join_is_told_why(client: Client) -> None:
    url = announce(client, "seats=5&bots=club")
    for _ in range(5):
        start(client, "tinc", "bot-club", BOB)
    (tournament,) = read(client, OPEN, BOB)["tournaments"]
    answer = read(client, tournament["join"], BOB)
    assert answer["error"].startswith("It may bring you 6 games against bots.")
    assert "Players: 1 of 5" in client.get(url)
