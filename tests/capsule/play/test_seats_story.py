"""Permissions to take a seat and to act; a link acts once, for its reader, or not at all."""

import re
from threading import Barrier, Thread

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link, links
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    NOTHING_PLAYED,
    play,
    start,
    start_between,
    undone,
)


def moves_of(client: Client, url: str) -> str:
    return client.get(f"{url}/record.txt").partition("\n\n")[2].strip()


def test_the_first_to_open_an_invitation_has_the_seat(client: Client) -> None:
    url = start(client, "ultimate", "invite")
    bobs_link = link(client.get(url, BOB), "/join")
    carols_link = link(client.get(url, CAROL), "/join")

    client.get(bobs_link, BOB)
    said = undone(client, carols_link, CAROL, url)
    assert said == "You have not joined this game: the seat is no longer open."
    page = client.get(url, CAROL)
    assert page.startswith("# Ultimate: alice (X) – bob (O)\n")
    assert "Your turn" not in page
    assert not [url for url in links(page).values() if url.endswith(("join", "move", "resign"))]


def test_a_player_cannot_take_the_seat_across_from_themselves(client: Client) -> None:
    url = start(client, "ultimate", "invite")
    page = client.get(url, ALICE)
    assert "/join" not in page
    key = link(page, "/move").split("/")[-2]
    client.get(f"{url}/{key}/join", ALICE)
    assert client.get(url).startswith("# Ultimate: alice (X) – open seat (O)\n")


def test_a_visitor_without_certificate_is_shown_to_the_door(client: Client) -> None:
    url = start(client, "ultimate", "invite")
    page = client.get(url)
    assert "/join" not in page
    sign_in = f"/play/?{url.removeprefix('/play/')}"
    assert (
        links(page)["alice invites you to play Ultimate as O, rated: sign in to take the seat"]
        == sign_in
    )
    assert page.count(sign_in) == 1
    assert client.ask(sign_in).status == 60
    assert "/join" in client.get(sign_in, BOB)


@pytest.mark.parametrize("verb", ["move?e5", "join", "resign", "abort", "draw", "accept"])
def test_actions_without_certificate_lead_to_the_one_page_that_asks_for_one(
    client: Client, verb: str
) -> None:
    url = start_between(client, "ultimate")
    key = link(client.get(url, ALICE), "/move").split("/")[-2]
    asking = "/play/?unsent" if verb == "move?e5" else "/play/"
    assert client.ask(f"{url}/{key}/{verb}") == Response(30, asking)
    assert moves_of(client, url) == ""


def test_someone_elses_link_does_nothing(client: Client) -> None:
    url = start_between(client, "ultimate")
    alices_link = link(client.get(url, ALICE), "/move")
    for who in (BOB, CAROL):
        assert undone(client, f"{alices_link}?e5", who, url)
    assert moves_of(client, url) == ""


def test_an_old_pages_prompt_leads_to_the_game_as_it_stands(client: Client) -> None:
    url = start_between(client, "ultimate")
    old = link(client.get(url, ALICE), "/move")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    assert undone(client, old, ALICE, url) == NOTHING_PLAYED


def test_two_devices_cannot_both_make_the_same_move(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    move = link(client.get(url, ALICE), "/move")
    both_ready = Barrier(8)
    answers = []

    def press(cell: str) -> None:
        both_ready.wait()
        answers.append(client.ask(f"{move}?{cell}", ALICE))

    presses = [Thread(target=press, args=(f"{column}5",)) for column in "abcdefgh"]
    for each in presses:
        each.start()
    for each in presses:
        each.join()

    assert sorted(answer.status for answer in answers) == [20] * 7 + [30]
    assert sum("Nothing was played" in answer.body for answer in answers) == 7
    assert re.fullmatch(r"1\. [a-h]5", moves_of(client, url))


def test_two_strangers_cannot_both_take_the_seat(client: Client) -> None:
    url = start(client, "ultimate", "invite")
    comers = [certificate(f"comer-{number}") for number in range(6)]
    seats = {who.fingerprint: link(client.get(url, who), "/join") for who in comers}
    both_ready = Barrier(len(comers))

    def sit(who: object) -> None:
        both_ready.wait()
        client.ask(seats[who.fingerprint], who)

    sitters = [Thread(target=sit, args=(who,)) for who in comers]
    for each in sitters:
        each.start()
    for each in sitters:
        each.join()

    seated = [who for who in comers if "/abort" in client.get(url, who)]
    assert len(seated) == 1


def test_nobody_may_have_a_hundred_games_going(client: Client) -> None:
    for _ in range(100):
        start(client, "tinc", "solo")
    page = client.get(link(client.get("/play/new/tinc", ALICE), "/solo"), ALICE)
    assert page.startswith("# Too many games\n")
    assert "100 unfinished games" in page
