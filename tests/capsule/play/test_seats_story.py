"""Seats: who may take one, how many, and which are listed first; a link acts once."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, certificate, link, links
from tests.support.stored import numbered_id, store_solo_games
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    NOTHING_PLAYED,
    challenge,
    moves_of,
    play,
    record,
    start,
    start_between,
    undone,
)
from tests.support.waiting import at_once


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
    assert moves_of(client, url) == []


def test_someone_elses_link_does_nothing(client: Client, game: str) -> None:
    alices_link = link(client.get(game, ALICE), "/move")
    for who in (BOB, CAROL):
        assert undone(client, f"{alices_link}?e5", who, game)
    assert moves_of(client, game) == []


def test_an_old_pages_prompt_leads_to_the_game_as_it_stands(client: Client, game: str) -> None:
    old = link(client.get(game, ALICE), "/move")
    play(client, game, ["e5", "d4"], ALICE, BOB)
    assert undone(client, old, ALICE, game) == NOTHING_PLAYED


def test_two_devices_cannot_both_make_the_same_move(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    move = link(client.get(url, ALICE), "/move")
    answers = at_once([partial(client.ask, f"{move}?{column}5", ALICE) for column in "abcdefgh"])
    assert sorted(answer.status for answer in answers) == [20] * 7 + [30]
    assert sum("Nothing was played" in answer.body for answer in answers) == 7
    (moved,) = moves_of(client, url)
    assert moved.endswith("5")


def test_two_strangers_cannot_both_take_the_seat(client: Client) -> None:
    url = start(client, "ultimate", "invite")
    comers = [certificate(f"comer-{number}") for number in range(6)]
    seats = [(link(client.get(url, who), "/join"), who) for who in comers]
    at_once([partial(client.ask, *seat) for seat in seats])
    seated = [who for who in comers if "/abort" in client.get(url, who)]
    assert len(seated) == 1


# Everybody has room for a hundred games, and every way into one knows


def invited(client: Client) -> tuple[str, str]:
    return start(client, "tinc", "invite", BOB), "join"


def challenged(client: Client) -> tuple[str, str]:
    return challenge(client, "alice", "tinc", BOB).meta, "accept"


def _ended(client: Client) -> str:
    url = start_between(client, "tinc")
    client.type(link(client.get(url, BOB), "/abort"), "abort", BOB)
    return url


def rematch_offered(client: Client) -> tuple[str, str]:
    url = _ended(client)
    client.ask(link(client.get(url, BOB), "/rematch"), BOB)
    return url, "accept"


def rematch(client: Client) -> tuple[str, str]:
    return _ended(client), "rematch"


@pytest.mark.parametrize("way", [invited, challenged, rematch_offered, rematch])
def test_no_way_leads_into_one_game_too_many(
    client: Client, way: Callable[[Client], tuple[str, str]]
) -> None:
    start(client, "tinc", "solo")
    url, verb = way(client)
    store_solo_games(client, ALICE, 99)
    before = record(client, url)
    for _ in range(2):
        page = client.get(link(client.get(url, ALICE), f"/{verb}"), ALICE)
        assert page.startswith(
            "# Too many games\n\nYou have 100 unfinished games. The limit is 100. "
            "Finish one first, or abort one that has hardly begun.\n"
        )
        assert link(page, url) == url, "back to where the seat stays open"
    assert record(client, url) == before

    done = f"/play/{numbered_id(1000)}"
    client.type(link(client.get(done, ALICE), "/abort"), "abort", ALICE)
    assert client.ask(link(client.get(url, ALICE), f"/{verb}"), ALICE).status == 30
    page = client.get(link(client.get("/play/new/tinc", ALICE), "/solo"), ALICE)
    assert page.startswith("# Too many games\n"), "the game that was entered is the hundredth"


def test_a_full_player_can_still_decline(client: Client) -> None:
    start(client, "tinc", "solo")
    url, _ = challenged(client)
    store_solo_games(client, ALICE, 99)
    client.get(link(client.get(url, ALICE), "/decline"), ALICE)
    assert record(client, url)["status"] == "aborted"


def test_the_name_that_was_typed_for_a_challenge_is_shown_again(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    start(client, "tinc", "solo")
    ask = link(client.get("/play/new/tinc", ALICE), "/challenge")
    store_solo_games(client, ALICE, 99)
    page = client.type(ask, "bob", ALICE).body
    assert page.startswith("# Too many games\n")
    assert "\n\nYour text was:\n> bob\n\n=> /play/new/tinc Back\n" in page


def test_six_games_can_be_offered_to_anyone_at_once(client: Client) -> None:
    offered = [start(client, variant, "open") for variant in ("tinc", "ultimate", "numeric") * 2]
    page = client.get(link(client.get("/play/new/quantum", ALICE), "/open"), ALICE)
    assert page.startswith("# Too many games\n\nYou offer 6 games that wait for an opponent. ")
    assert link(page, "/play/new/quantum")
    assert start(client, "tinc", "invite").startswith("/play/"), "an invitation is not listed"
    assert start(client, "tinc", "open", BOB).startswith("/play/"), "others offer their own"

    client.get(link(client.get(offered[0], CAROL), "/join"), CAROL)
    assert start(client, "quantum", "open").startswith("/play/"), "a game with players is no offer"
    page = client.get(link(client.get("/play/new/quantum", ALICE), "/open"), ALICE)
    assert page.startswith("# Too many games\n")


# Open seats: everybody's first stands before anybody's second


EVES = [certificate(f"eve-{number}") for number in range(12)]


def offer(client: Client, who: Certificate, count: int = 1, variant: str = "tinc") -> list[str]:
    """Let somebody offer games to anyone, a minute apart, and return their URLs."""
    urls = []
    for _ in range(count):
        client.now += timedelta(minutes=1)
        urls.append(start(client, variant, "open", who))
    return urls


def take(client: Client, url: str, who: Certificate) -> str:
    """Take an open seat and return the page that follows."""
    return client.get(link(client.get(url, who), "/join"), who)


def shown(client: Client, path: str = "/games/", who: Certificate | None = None) -> list[str]:
    """Return the games that wait on a page, in its order."""
    waiting = client.get(path, who).partition("## Waiting for an opponent")[2].partition("\n## ")[0]
    return re.findall(r"/play/[a-z2-7]{10}", waiting)


def listed(client: Client, who: Certificate | None = None) -> list[str]:
    """Return the open seats in JSON, from one address to the next."""
    path, found = "/games/open.json", []
    while path:
        data = json.loads(client.get(path, who))
        found += [each["page"] for each in data["games"]]
        path = data["next"]
    return found


def test_one_honest_seat_stands_before_the_second_ones_of_others(client: Client) -> None:
    (honest,) = offer(client, ALICE)
    crowd = [offer(client, eve, 6) for eve in EVES]
    firsts = [urls[0] for urls in reversed(crowd)] + [honest]
    for path in ("/games/", "/games/tinc"):
        assert shown(client, path)[: len(firsts)] == firsts
    assert listed(client)[: len(firsts)] == firsts
    page = client.get("/play/new/tinc", BOB)
    waiting = [url for url in links(page).values() if re.fullmatch("/play/[a-z2-7]{10}", url)]
    assert waiting == firsts[: len(waiting)]


def test_the_lists_lead_on_to_every_seat_once(client: Client) -> None:
    urls = [url for eve in EVES for url in offer(client, eve, 6)]
    found = listed(client)
    assert sorted(found) == sorted(urls)
    assert len(json.loads(client.get("/games/open.json"))["games"]) == 50
    path, pages = "/games/", []
    while path:
        pages.append(shown(client, path))
        path = links(client.get(path)).get("More games waiting", "")
    assert [url for page in pages for url in page] == found
    last = "/games/?waiting-older-5-0-aaaaaaaaaa"
    assert shown(client, last) == pages[0], "beyond the end it begins again"


def test_the_list_leads_back(client: Client) -> None:
    for eve in EVES:
        offer(client, eve, 4)
    second = links(client.get("/games/"))["More games waiting"]
    third = links(client.get(second))["More games waiting"]
    assert shown(client, links(client.get(third))["The games before these"]) == shown(
        client, second
    )


def test_where_a_seat_is_taken_or_aborted_the_last_one_moves_up(client: Client) -> None:
    mine = offer(client, ALICE, 4)
    (other,) = offer(client, BOB)
    assert shown(client) == [other, *mine]
    take(client, mine[0], CAROL)
    assert shown(client) == [other, mine[3], *mine[1:3]]
    client.type(link(client.get(mine[3], ALICE), "/abort"), "abort", ALICE)
    assert shown(client) == [other, mine[2], mine[1]]
    (another,) = offer(client, ALICE)
    assert shown(client) == [other, mine[2], mine[1], another]
    client.now += timedelta(days=7)
    (late,) = offer(client, ALICE)
    assert shown(client) == [late]


def test_ten_seats_a_day_are_enough(client: Client) -> None:
    urls = [url for eve in EVES[:3] for url in offer(client, eve, 4)]
    began = client.now
    for url in urls[:10]:
        assert "Too many games" not in take(client, url, ALICE)
        client.now += timedelta(minutes=1)
    page = take(client, urls[10], ALICE)
    assert page.startswith("# Too many games\n")
    assert (
        "You have taken 10 open seats within 24 hours, the most allowed. You can take the next one "
        "on 21 November 2026 at 14:14 UTC." in page
    )
    seat = next(
        each
        for each in json.loads(client.get("/games/open.json", ALICE))["games"]
        if each["page"] == urls[10]
    )
    assert "the next one on 21 November" in json.loads(client.get(seat["join"], ALICE))["error"]
    assert "Too many games" not in take(client, urls[10], BOB), "it is still open to others"
    client.now = began + timedelta(days=1)
    assert "Too many games" not in take(client, urls[11], ALICE)


def test_challenges_and_own_games_take_no_seats(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    for eve in EVES[:10]:
        (url,) = offer(client, eve)
        take(client, url, ALICE)
    start(client, "tinc", "bot-club", ALICE)
    challenged = challenge(client, "alice", "tinc", BOB).meta
    client.get(link(client.get(challenged, ALICE), "/accept"), ALICE)
    assert "Abort" in client.get(challenged, ALICE)
    (url,) = offer(client, CAROL)
    assert "Too many games" in take(client, url, ALICE)
