"""The JSON for programs: what they read and do, and that it is what people read and do."""

import json
from datetime import timedelta
from typing import Any

import pytest

from capsule.gemini.types import Certificate
from engine import VARIANTS
from tests.support.client import Client
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, open_game, play, start
from tests.support.tournaments import announce

OPEN = "/play/tournaments/open.json"

STRANGER_FIELDS = {
    *"version id variant moves players status reason ended_by challenged winner".split(),
    *"points turn ply start rated days_per_move seconds_left created ended".split(),
    *"tournament rematch page".split(),
}


def read(client: Client, url: str, who: Certificate | None = None) -> dict[str, Any]:
    """Return an answer in JSON, which has the version that all of them have."""
    response = client.ask(url, who)
    assert (response.status, response.meta) == (20, "application/json; charset=utf-8"), response
    data = json.loads(response.body)
    assert data["version"] == 1
    return data


def keys(client: Client, variant: str, who: Certificate, terms: str = "") -> dict[str, Any]:
    return read(client, f"/play/new/{variant}/keys.json{terms}", who)


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_programs_play_a_whole_game_from_their_desks_alone(
    client: Client, variant: str
) -> None:
    opened = read(client, keys(client, variant, ALICE)["open"], ALICE)
    (seat,) = read(client, "/games/open.json", BOB)["games"]
    assert seat["id"] == opened["id"]
    assert read(client, seat["join"], BOB)["status"] == "playing"
    for ply, move in enumerate(WON_GAMES[variant].split()):
        desks = {
            who.fingerprint: read(client, "/play/desk.json", who)["games"] for who in (ALICE, BOB)
        }
        mover = next(who for who in (ALICE, BOB) if desks[who.fingerprint])
        (game,) = desks[mover.fingerprint]
        assert game["ply"] == ply
        assert game["turn"] == game["you"]
        assert game["legal_moves"] is None or move in game["legal_moves"]
        state = read(client, f"{game['move']}?{move.replace('+', '%2B')}", mover)
        assert state["moves"][-1] == move
    assert state["status"] == "finished"
    assert state["turn"] is None
    record = json.loads(client.get(f"{state['page']}/record.json"))
    for name in ("id", "variant", "moves", "status", "winner", "points", "created", "ended"):
        assert state[name] == record[name], name
    assert {side: seat["name"] for side, seat in state["players"].items()} == record["players"]


def test_a_stranger_can_read_a_game_but_gets_no_addresses_that_change_it(client: Client) -> None:
    url = open_game(client)
    data = read(client, f"{url}/state.json")
    assert set(data) == STRANGER_FIELDS
    assert data["players"]["O"] == {"name": "bob", "bot": False, "program": False, "rating": 1500}
    assert data["seconds_left"] == 7 * 24 * 3600
    client.now += timedelta(days=1, seconds=7)
    assert read(client, f"{url}/state.json")["seconds_left"] == 6 * 24 * 3600 - 7


def test_an_open_seat_is_nobody_and_can_be_joined_with_a_certificate_alone(client: Client) -> None:
    url = start(client, "tinc", "open")
    assert read(client, f"{url}/state.json")["players"]["O"] is None
    (for_stranger,) = read(client, "/games/open.json")["games"]
    assert "join" not in for_stranger
    assert read(client, "/games/open.json", ALICE)["games"] == []
    (for_bob,) = read(client, "/games/open.json", BOB)["games"]
    assert for_bob["join"].endswith("/join.json")


def test_a_refused_move_gets_the_sentence_of_the_page(client: Client) -> None:
    url = open_game(client, "ultimate")
    address = read(client, f"{url}/state.json", ALICE)["move"]
    page = client.ask(address.replace(".json", "?z9"), ALICE)
    assert page.status == 10
    data = read(client, f"{address}?z9", ALICE)
    assert set(data) == {"version", "error"}
    assert page.meta.startswith(data["error"])
    assert "Your move" not in data["error"]
    assert read(client, f"{url}/state.json")["ply"] == 0


def test_an_old_address_changes_nothing_and_returns_the_current_state(client: Client) -> None:
    url = open_game(client, "ultimate")
    address = read(client, f"{url}/state.json", ALICE)["move"]
    assert read(client, f"{address}?e5", ALICE)["moves"] == ["e5"]
    assert read(client, f"{address}?a1", ALICE)["moves"] == ["e5"]


def test_resigning_takes_the_word_as_it_does_for_people(client: Client) -> None:
    url = open_game(client)
    resign = read(client, f"{url}/state.json", ALICE)["resign"]
    assert "Type resign" in read(client, resign, ALICE)["error"]
    data = read(client, f"{resign}?resign", ALICE)
    assert (data["status"], data["winner"]) == ("resigned", "O")


def test_a_game_that_nobody_has_joined_is_aborted_and_not_resigned(client: Client) -> None:
    url = start(client, "numeric", "open")
    data = read(client, f"{url}/state.json", ALICE)
    page = client.ask(data["resign"].replace(".json", "?resign"), ALICE)
    assert page.body.startswith("# That cannot be done\n")
    assert "Nobody has the other seat yet. Abort the game instead." in page.body
    error = read(client, f"{data['resign']}?resign", ALICE)["error"]
    assert error == "Nobody has the other seat yet. Abort the game instead"
    assert read(client, f"{data['abort']}?abort", ALICE)["status"] == "aborted"


def test_the_desk_lists_open_seats_on_either_sides_turn(client: Client) -> None:
    mine = [start(client, "numeric", "open"), start(client, "tinc", "invite")]
    to_move = read(client, f"{mine[1]}/state.json", ALICE)
    read(client, f"{to_move['move']}?a1", ALICE)
    taken = open_game(client, "quantum")
    start(client, "numeric", "open", BOB)
    data = read(client, "/play/desk.json", ALICE)
    assert {each["page"] for each in data["open"]} == set(mine)
    assert mine[1] not in {each["page"] for each in data["games"]}
    assert taken in {each["page"] for each in data["games"]}
    client.now += timedelta(days=400)
    # An offer to anybody lapses, an invitation does not.
    assert [each["page"] for each in read(client, "/play/desk.json", ALICE)["open"]] == mine[1:]


def test_offers_reach_the_opponent_and_are_answered(client: Client) -> None:
    url = open_game(client)
    data = read(client, read(client, f"{url}/state.json", ALICE)["draw"], ALICE)
    assert data["draw"] is None
    (game,) = read(client, "/play/desk.json", BOB)["games"]
    (offer,) = game["offers"]
    assert offer["kind"] == "draw"
    assert "move" not in game
    assert read(client, offer["accept"], BOB)["status"] == "agreed"


def test_a_challenge_stands_on_the_desk_of_who_may_take_it(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    address = keys(client, "numeric", ALICE, "?days=3&rated=no")["challenge"]
    assert "There is" not in read(client, address, ALICE)["error"]
    assert "Nobody here" in read(client, f"{address}?zoe", ALICE)["error"]
    made = read(client, f"{address}?bob", ALICE)
    assert (made["status"], made["days_per_move"], made["rated"]) == ("challenged", 3, False)
    (challenge,) = read(client, "/play/desk.json", BOB)["challenges"]
    assert challenge["id"] == made["id"]
    assert read(client, challenge["accept"], BOB)["status"] == "playing"
    assert read(client, "/play/desk.json", BOB)["challenges"] == []


def test_bots_of_every_level_can_be_played(client: Client) -> None:
    data = keys(client, "numeric", ALICE)
    assert set(data["bots"]) == {"novice", "casual", "club", "expert", "master"}
    against = read(client, data["bots"]["novice"], ALICE)
    assert against["players"]["O"]["bot"] is True


def test_a_new_certificate_has_an_empty_desk(client: Client) -> None:
    data = read(client, "/play/desk.json", CAROL)
    assert (data["player"], data["games"], data["challenges"]) == (None, [], [])
    assert client.ask("/play/desk.json").meta == "/play/?desk.json"


def test_a_long_list_of_moves_is_left_out(client: Client) -> None:
    url = start(client, "tinc", "solo")
    assert read(client, f"{url}/state.json", ALICE)["legal_moves"] == ["a1"]
    play(client, url, ["a1", "c1"], ALICE)
    assert read(client, f"{url}/state.json", ALICE)["legal_moves"] is None
    url = start(client, "numeric", "solo")
    assert len(read(client, f"{url}/state.json", ALICE)["legal_moves"]) == 45


def test_too_many_games_are_refused_with_the_sentence_of_the_page(client: Client) -> None:
    for _ in range(6):
        read(client, keys(client, "tinc", ALICE)["open"], ALICE)
    address = keys(client, "tinc", ALICE)["open"]
    assert "The limit is 6" in read(client, address, ALICE)["error"]
    assert len(read(client, "/games/open.json", BOB)["games"]) == 6


def test_no_hints_for_programs(client: Client) -> None:
    url = read(client, keys(client, "tinc", ALICE)["bots"]["club"], ALICE)["page"]
    move = read(client, f"{url}/state.json", ALICE)["move"]
    assert client.ask(move.replace("/move.json", "/hint.json"), ALICE).status == 51


@pytest.mark.parametrize(
    ("term", "is_listed"), [("", True), ("?listed=yes", True), ("?listed=no", False)]
)
def test_who_joins_or_accepts_may_keep_the_game_off_the_lists(
    client: Client, term: str, *, is_listed: bool
) -> None:
    start(client, "tinc", "solo", BOB)
    opened = read(client, keys(client, "tinc", ALICE, "?listed=yes")["open"], ALICE)
    (seat,) = read(client, "/games/open.json", BOB)["games"]
    assert read(client, f"{seat['join']}{term}", BOB)["status"] == "playing"
    challenge = keys(client, "tinc", ALICE, "?listed=yes")["challenge"]
    made = read(client, f"{challenge}?bob", ALICE)
    (challenged,) = read(client, "/play/desk.json", BOB)["challenges"]
    assert read(client, f"{challenged['accept']}{term}", BOB)["status"] == "playing"
    shown = client.get("/games/tinc")
    for game in (opened, made):
        assert (game["page"] in shown) == is_listed


def test_a_term_that_cannot_be_read_takes_no_seat(client: Client) -> None:
    opened = read(client, keys(client, "tinc", ALICE)["open"], ALICE)
    (seat,) = read(client, "/games/open.json", BOB)["games"]
    assert "error" in read(client, f"{seat['join']}?listed=perhaps", BOB)
    assert read(client, f"{opened['page']}/state.json", BOB)["status"] == "waiting"


# Tournaments


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
