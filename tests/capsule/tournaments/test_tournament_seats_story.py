"""The seats of a tournament: who takes them, who may not, and what becomes of empty ones."""

from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate, Response
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import Holder
from tests.support.client import Client, certificate, link, links
from tests.support.stories import ALICE, BOB, CAROL, challenge, record, start, undone
from tests.support.tournaments import (
    BEGUN,
    DAVE,
    HERE,
    act,
    announce,
    begin,
    games,
    join,
    keep_time,
    usual,
)

PAGES = ("/terms", "/game", "/start", "/bots", "/seats", "/pace")
"""The ends of the addresses of the pages on which the terms of a tournament are changed."""


def choices(client: Client, page: str, term: str) -> dict[str, str]:
    """Return the links to other choices of a term, from a page that announces a tournament."""
    terms = links(client.get(links(page)["Change the terms"], ALICE))
    return links(client.get(next(url for url in terms.values() if f"/new/{term}?" in url), ALICE))


def key_of(client: Client, who: Certificate) -> str:
    """Return the key with which somebody announces a tournament."""
    return link(client.get(f"{HERE}new", who), "/announce").split("/")[3]


def test_a_participant_cannot_take_a_second_seat(client: Client) -> None:
    url = announce(client, "seats=3")
    page = client.get(url, ALICE)
    assert "Take part, rated" not in links(page)
    forged = link(page, "/leave").replace("/leave", "/join")
    assert undone(client, forged, ALICE, url)
    assert "Players: 1 of 3" in client.get(url)


def test_two_at_once_do_not_take_the_same_seat(client: Client) -> None:
    url = announce(client, "seats=3")
    join(client, url, BOB)
    carols, daves = (link(client.get(url, who), "/join") for who in (CAROL, DAVE))
    client.ask(carols, CAROL)
    assert undone(client, daves, DAVE, url)
    assert len(games(client, url)) == 6
    assert "dave" not in client.get(url)
    assert client.get("/play/", DAVE).startswith("# Welcome"), "nobody became a player by it"


def test_a_seat_is_given_up_before_the_start(client: Client) -> None:
    url = announce(client, "seats=4")
    join(client, url, BOB, CAROL)
    prompt = link(client.get(url, ALICE), "/leave")
    assert client.ask(prompt, ALICE) == Response(10, "Type leave to give up your seat")
    assert client.type(prompt, "no", ALICE).status == 10
    assert "Players: 3 of 4" in client.get(url)
    assert client.type(prompt, " Leave ", ALICE) == Response(30, url)
    page = client.get(url, ALICE)
    assert "Players: 2 of 4" in page
    assert "Announced by alice" in page
    join(client, url, ALICE)
    assert "Players: 3 of 4" in client.get(url)


def test_the_announcer_alone_calls_it_off(client: Client) -> None:
    url = announce(client)
    join(client, url, BOB)
    assert "Call the tournament off" not in links(client.get(url, BOB))
    forged = link(client.get(url, BOB), "/leave").replace("/leave", "/cancel?cancel")
    assert undone(client, forged, BOB, url)
    prompt = link(client.get(url, ALICE), "/cancel")
    assert client.type(prompt, "yes", ALICE).status == 10
    assert client.type(prompt, "cancel", ALICE) == Response(30, url)
    page = client.get(url, CAROL)
    assert "The player who announced it called it off on 20 November 2026 at 14:02 UTC." in page
    assert "Take part, rated" not in links(page)
    assert url not in client.get(HERE)


def test_nothing_is_called_off_or_joined_after_the_start(client: Client) -> None:
    url = begin(client)
    page = client.get(url, ALICE)
    assert "Call the tournament off" not in links(page)
    leave = link(page, "/leave")
    assert undone(client, leave.replace("/leave", "/cancel?cancel"), ALICE, url)
    assert BEGUN in client.get(url)
    assert "Take part, rated" not in links(client.get(url, DAVE))


def test_a_tournament_that_never_fills_lapses(client: Client) -> None:
    url = announce(client, "seats=4&starts=full")
    join(client, url, BOB, CAROL)
    client.now += timedelta(days=29, hours=23)
    assert "Players: 3 of 4" in client.get(url)
    client.now += timedelta(hours=1)
    page = client.get(url, DAVE)
    assert (
        "It was cancelled: its seats were not all taken by 20 December 2026 at 14:02 UTC." in page
    )
    assert "Take part, rated" not in links(page)
    assert keep_time(client) == 1
    assert client.get(url, DAVE) == page


def test_it_starts_on_its_day_with_those_who_are_there(client: Client) -> None:
    url = announce(client, "starts=3")
    join(client, url, BOB, CAROL)
    client.now += timedelta(days=3)
    assert keep_time(client) == 0, "it starts on the hour"
    client.now += timedelta(hours=1)
    page = client.get(url, DAVE)
    assert "It starts in a moment." in page
    assert "Take part, rated" not in links(page)
    assert keep_time(client) == 1
    assert keep_time(client) == 0, "it starts once"
    assert f"{BEGUN}: 0 of 6 games have ended." in client.get(url)


def test_two_are_too_few_on_its_day(client: Client) -> None:
    url = announce(client, "starts=3")
    join(client, url, BOB)
    client.now += timedelta(days=4)
    page = client.get(url)
    assert (
        "It was cancelled on 23 November 2026 at 15:00 UTC: it had fewer than three players."
        in page
    )
    assert keep_time(client) == 1
    assert client.get(url) == page
    assert not games(client, url)


def test_somebody_starts_a_tournament_with_bots_at_once(client: Client) -> None:
    page = client.get(f"{HERE}new?variant=numeric", ALICE)
    now = links(page)["Start it now, casual, with you and 3 bots: club, casual, expert"]
    url = client.ask(now, ALICE).meta
    assert client.ask(now, ALICE) == Response(30, url), "once"
    assert f"{BEGUN}: 0 of 12 games have ended." in client.get(url)
    own = client.get(url, ALICE).partition("## Your games in progress\n")[2].partition("##")[0]
    first, *_ = links(own).items()
    assert first[0].endswith("your turn")
    assert links(client.get(first[1], ALICE))["Type your move"]
    for feed in ("/feed", "/games/numeric/feed"):
        assert "is announced" not in client.get(feed), "nobody can join it"


NOVICE = measured()[Holder("ultimate", None, "novice")].number
NOVICE_FIRST = f"The novice bot ({NOVICE}) first"


def test_the_terms_of_a_start_at_once_can_be_changed(client: Client) -> None:
    page = client.get(f"{HERE}new", ALICE)
    page = client.get(choices(client, page, "start")["At once, with bots"], ALICE)
    assert "casual. It starts at once, with you and 3 bots: club, casual+, club+.\n" in page
    assert "Free seats stay empty" not in choices(client, page, "bots")
    page = client.get(choices(client, page, "bots")[NOVICE_FIRST], ALICE)
    assert "7 seats" not in choices(client, page, "seats"), "there are five bots"
    page = client.get(choices(client, page, "seats")["3 seats"], ALICE)
    start = links(page)["Start it now, casual, under another name"]
    url = client.type(start, "Quick cup", ALICE).meta
    assert client.get(url).startswith("# Quick cup\n\nIt is being played: 0 of 6 games")
    assert {name for pair in games(client, url) for name in pair} == {
        "alice",
        "novice bot",
        "novice+ bot",
    }


def test_who_announced_a_tournament_starts_it_before_its_day(client: Client) -> None:
    url = announce(client, "variant=numeric&seats=5&bots=club")
    join(client, url, BOB)
    page = client.get(url, ALICE)
    label = "Start now, rated: 3 bots take free seats (club, casual, expert)"
    assert label in links(page)
    for who in (BOB, CAROL, None):
        assert "/start" not in client.get(url, who)
    for who in (BOB, CAROL):
        assert undone(client, links(page)[label], who, url)
    assert client.ask(links(page)[label]) == Response(30, "/play/")
    assert "Players: 2 of 5" in client.get(url)

    assert client.ask(links(page)[label], ALICE) == Response(30, url)
    assert f"{BEGUN}: 0 of 20 games have ended." in client.get(url)
    assert client.ask(links(page)[label], ALICE) == Response(30, url)
    assert f"{BEGUN}: 0 of 20 games have ended." in client.get(url)
    assert keep_time(client) == 0


def test_three_people_need_no_bots_to_start(client: Client) -> None:
    url = announce(client, "seats=6&starts=full")
    join(client, url, BOB)
    assert "/start" not in client.get(url, ALICE), "two are too few"
    join(client, url, CAROL)
    client.ask(links(client.get(url, ALICE))["Start now, rated, with 3 players"], ALICE)
    assert f"{BEGUN}: 0 of 6 games have ended." in client.get(url)


def test_nobody_starts_more_games_with_bots_than_they_may_have(client: Client) -> None:
    for _ in range(5):
        start(client, "tinc", "bot-novice")
    page = client.get(f"{HERE}new?starts=now&bots=club&seats=6", BOB)
    start(client, "tinc", "bot-novice", BOB)
    page = client.get(usual(page).replace(usual(page).split("/")[3], key_of(client, BOB)), BOB)
    assert page.startswith(
        "No tournament was announced. It may bring you 10 games against bots. With 1 unfinished "
        "already, that exceeds the limit of 10."
    )
    assert "## Being played" not in client.get(HERE)


def test_what_does_not_fit_is_not_offered(client: Client) -> None:
    for _ in range(5):
        start(client, "tinc", "bot-novice")
    page = client.get(f"{HERE}new", ALICE)
    assert "Start it now, casual, with you and 2 bots: club, casual+" in links(page)
    page = client.get(f"{HERE}new?starts=now&bots=club&seats=6", ALICE)
    assert "It cannot be announced on these terms. It may bring you 10 games against bots." in page
    assert "Start it now, rated, with you and 2 bots: club, casual+" in links(page)
    assert next(iter(choices(client, page, "seats"))) == "3 seats"
    assert "4 seats" not in choices(client, page, "seats")
    for _ in range(2):
        start(client, "tinc", "bot-novice")
    page = client.get(f"{HERE}new", ALICE)
    assert "finish some of your games against bots first" in page
    assert not [label for label in links(page) if label.startswith("Start it now")]
    assert "At once, with bots" not in choices(client, page, "start")


@pytest.mark.parametrize("terms", ["", "?starts=now&bots=club&seats=12", "?starts=3&bots=novice"])
def test_the_pages_of_the_terms_have_few_links(client: Client, terms: str) -> None:
    pages = [client.get(f"{HERE}new{page}{terms}", ALICE) for page in ("", *PAGES)]
    assert max(page.count("\n=> ") for page in pages) <= 14


def test_players_are_counted_who_can_be_there(client: Client) -> None:
    page = client.get(f"{HERE}new?starts=now&bots=club&seats=12", ALICE)
    assert "12" not in page.split("=>")[0]
    assert "Seats: 6" in links(client.get(links(page)["Change the terms"], ALICE))
    url = client.ask(usual(page), ALICE).meta
    assert f"{BEGUN}: 0 of 30 games have ended." in client.get(url)


def test_bots_take_the_empty_seats_each_level_once(client: Client) -> None:
    url = announce(client, "seats=6&starts=1&bots=club")
    join(client, url, BOB)
    client.now += timedelta(days=2)
    assert keep_time(client) == 1
    page = client.get(url)
    assert f"{BEGUN}: 0 of 30 games have ended." in page
    assert {x for x, _ in games(client, url)} == {
        *("alice", "bob", "club bot", "casual+ bot", "club+ bot", "casual bot")
    }
    assert links(client.get(games(client, url)["alice", "club bot"], ALICE))["Type your move"]


def test_bots_alone_play_no_tournament(client: Client) -> None:
    url = announce(client, "seats=6&starts=1&bots=club")
    act(client, url, "leave", ALICE, "leave")
    client.now += timedelta(days=2)
    keep_time(client)
    assert "It was cancelled" in client.get(url)


def test_a_player_with_too_many_games_cannot_join(client: Client) -> None:
    hosts = [certificate(name) for name in ("erin", "frank", "grace", "heidi", "ivan")]
    urls = [announce(client, "seats=12&starts=full", who) for who in hosts]
    join(client, *urls[:1], ALICE)
    for url in urls[1:4]:
        join(client, url, ALICE)
    page = client.get(link(client.get(urls[4], ALICE), "/join"), ALICE)
    assert page.startswith(
        "Nothing was changed. It may bring you 22 games. With 88 unfinished already (tournaments "
        "included), that exceeds the limit of 100.\n"
    )
    assert "Players: 1 of 12" in client.get(urls[4])


def test_games_to_come_have_their_room(client: Client) -> None:
    for name in ("erin", "frank", "grace", "heidi"):
        join(client, announce(client, "seats=12&starts=full", certificate(name)), ALICE)
    for _ in range(12):
        start(client, "tinc", "invite")
    page = client.get(link(client.get("/play/new/tinc", ALICE), "/invite"), ALICE)
    assert page.startswith(
        "# Too many games\n\nYou have 100 unfinished games (tournaments included). The limit is "
        "100. Finish one first, or abort one that has hardly begun.\n"
    )
    for seat, verb in (
        (start(client, "tinc", "invite", BOB), "join"),
        (challenge(client, "alice", "tinc", BOB).meta, "accept"),
    ):
        page = client.get(link(client.get(seat, ALICE), f"/{verb}"), ALICE)
        assert page.startswith("# Too many games\n")
        assert record(client, seat)["status"] in ("waiting", "challenged")


def test_a_player_with_too_many_games_against_bots_cannot_join(client: Client) -> None:
    url = announce(client, "seats=5&bots=club", BOB)
    for _ in range(5):
        start(client, "tinc", "bot-club")
    page = client.get(link(client.get(url, ALICE), "/join"), ALICE)
    assert "It may bring you 6 games against bots. With 5 unfinished already," in page
    without = announce(client, "seats=5", BOB)
    join(client, without, ALICE)


def test_players_who_blocked_each_other_do_not_meet_in_a_tournament(client: Client) -> None:
    url = announce(client, "seats=4")
    start(client, "tinc", "solo", BOB)
    people = client.get("/play/me/people", BOB)
    assert client.type(link(people, "/block"), "alice", BOB).status == 30
    page = client.get(link(client.get(url, BOB), "/join"), BOB)
    assert page.startswith("Nothing was changed. You cannot play against one of its players")
    assert "Players: 1 of 4" in client.get(url)
    act(client, url, "leave", ALICE, "leave")
    join(client, url, BOB)


def test_a_block_made_later_changes_nothing(client: Client) -> None:
    url = announce(client, "seats=3")
    join(client, url, BOB)
    client.type(link(client.get("/play/me/people", BOB), "/block"), "alice", BOB)
    join(client, url, CAROL)
    assert len(games(client, url)) == 6
