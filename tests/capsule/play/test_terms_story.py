"""The terms of a new game, and challenges by name."""

from datetime import timedelta

import pytest
from hypothesis import given, strategies as some

from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.visibility import Listing
from capsule.gemini.types import Response
from capsule.play.terms import GameTerms, SideChoice, read
from capsule.ui.paging import TermsRefused
from tests.support.client import Client, certificate, link, links
from tests.support.noting_bots import NotingBots
from tests.support.stories import ALICE, BOB, CAROL, play, record, start, undone

TERMS = some.builds(
    GameTerms,
    side=some.sampled_from(tuple(SideChoice)),
    days=some.sampled_from((*DAYS_PER_MOVE, None)),
    listed=some.sampled_from(Listing),
)


def start_on(client: Client, terms: str, way: str) -> str:
    """Start Alice's game of ultimate on these terms and return its URL."""
    page = client.get(f"/play/new/ultimate?{terms}", ALICE)
    url = link(page, f"/{way}")
    return client.ask(url, ALICE).meta


def challenge(client: Client, name: str, terms: str = "") -> str:
    """Let Alice challenge somebody and return the game's URL."""
    page = client.get(f"/play/new/ultimate{terms}", ALICE)
    return client.type(link(page, "/challenge"), name, ALICE).meta


def changed(client: Client, page: str, label: str) -> str:
    """Return a page of a new game after a change of its terms."""
    return client.get(links(client.get(links(page)["Change the terms"], ALICE))[label], ALICE)


def become_players(client: Client) -> None:
    """Make Bob and Carol players, each with a solo game."""
    for who in (BOB, CAROL):
        start(client, "tinc", "solo", who)


@given(TERMS)
def test_terms_come_back_from_their_address(terms: GameTerms) -> None:
    assert read(terms.query) == terms


@pytest.mark.parametrize(
    "query", ["side=z", "days=4", "days=3&days=3", "x", "side", "listed=maybe", "key=1", "days=٣"]
)
def test_other_terms_are_refused(query: str) -> None:
    with pytest.raises(TermsRefused):
        read(query)


def test_one_link_starts_a_game_on_the_usual_terms(client: Client) -> None:
    page = client.get("/play/new/ultimate", ALICE)
    for way in ("invite", "open", "solo", "challenge", "bot-novice"):
        terms = "no&rated=no" if way in ("solo", "bot-novice") else "people&rated=yes"
        assert f"listed={terms}" in link(page, f"/{way}"), way
    assert "You are X and move first. Against people, a move may take 7 days." in page


def test_links_change_one_term_and_keep_the_others(client: Client) -> None:
    page = client.get("/play/new/ultimate", ALICE)
    page = changed(client, page, "Play O")
    page = changed(client, page, "3 days a move")
    page = changed(client, page, "List the game, whoever you play")
    assert (
        "You are O, and your opponent moves first. Against people, a move may take 3 days." in page
    )
    assert "Games are on the public lists, against bots too." in page
    assert link(page, "/invite?side=o&days=3&listed=yes&rated=yes")
    assert link(page, "/side=o&days=3&listed=yes&rated=yes/challenge")
    page = changed(client, page, "Play X")
    assert link(page, "/invite?days=3&listed=yes&rated=yes")


def test_the_terms_can_be_kept(client: Client) -> None:
    page = client.get("/play/new/ultimate?side=o&days=3", ALICE)
    assert client.get(
        links(client.get(links(page)["Change the terms"], ALICE))["Keep these terms"], ALICE
    ) == (page)


@pytest.mark.parametrize("query", ["side=z", "days=4", "nonsense", "side=o&side=x", "%0D%0A=>"])
def test_terms_that_cannot_be_read_start_no_game(client: Client, query: str) -> None:
    page = client.get("/play/new/ultimate", ALICE)
    assert client.get(f"/play/new/ultimate?{query}", ALICE) == page
    invite = link(page, "/invite")
    action = f"{invite.partition('?')[0]}?{query}"
    assert undone(client, action, ALICE, "/play/new/ultimate")
    name = link(page, "/challenge").replace("listed=people&rated=yes", query)
    answer = client.ask(f"{name}?bob", ALICE)
    assert answer.status == 51 or "Nobody was challenged" in answer.body
    assert client.ask(invite, ALICE).meta.startswith("/play/"), "the page's own link still works"
    assert client.get("/play/", ALICE).count("Ultimate, no opponent yet") == 1


def test_somebody_who_would_be_o_waits_for_x(client: Client) -> None:
    url = start_on(client, "side=o&days=1", "invite")
    page = client.get(url, ALICE)
    assert page.startswith("# Ultimate: open seat (X) – alice (O)\n")
    assert "The seat of X is open." in page
    assert "Your turn" not in page
    assert "/move" not in page
    client.get(link(client.get(url, BOB), "/join"), BOB)
    page = client.get(url, BOB)
    assert page.startswith("# Ultimate: bob (X) – alice (O)\n")
    assert "Your turn." in page
    play(client, url, ["e5", "d4"], ALICE, BOB)


def test_a_bot_that_is_x_moves_first(client: Client) -> None:
    url = start_on(client, "side=o", "bot-novice")
    page = client.get(url, ALICE)
    assert page.startswith("# Ultimate: novice bot (X) – alice (O)\n")
    assert "The bot is thinking" in page


def test_a_bot_that_is_x_is_told_at_once(client: Client) -> None:
    bots = NotingBots()
    client.bots = lambda _: bots
    client.restart()
    url = start_on(client, "side=o", "bot-novice")
    assert bots.requests == [(url, 0)]


def test_the_sides_are_drawn(client: Client) -> None:
    firsts = {
        client.get(start_on(client, "side=draw", "invite"), ALICE).split("\n")[0] for _ in range(20)
    }
    assert firsts == {
        "# Ultimate: alice (X) – open seat (O)",
        "# Ultimate: open seat (X) – alice (O)",
    }


def test_a_friends_game_is_listed_from_when_it_is_played(client: Client) -> None:
    listed = start_on(client, "listed=yes", "invite")
    private = start_on(client, "listed=no", "invite")
    assert listed not in client.get("/games/")
    for url in (listed, private):
        client.get(link(client.get(url, BOB), "/join"), BOB)
    assert listed in client.get("/games/")
    assert private not in client.get("/games/")


@pytest.mark.parametrize("way", ["solo", "bot-novice"])
def test_games_alone_and_with_bots_are_listed_on_request(client: Client, way: str) -> None:
    assert start_on(client, "listed=yes", way) in client.get("/games/")
    assert start_on(client, "", way) not in client.get("/games/")


def test_a_challenge_waits_for_the_one_who_is_named(client: Client) -> None:
    become_players(client)
    url = challenge(client, " BOB ", "?side=o&days=3")

    for who in (CAROL, None):
        page = client.get(url, who)
        assert "alice (O) has challenged bob. The seat of X is kept" in page
        assert not [link for link in links(page).values() if link.endswith(("join", "accept"))]
    page = client.get("/play/", BOB)
    assert page.startswith("# Your games (1 waiting)\n"), (
        "the challenge, and not the game he plays alone"
    )
    label = "Ultimate with alice: a challenge, you would be X, 7 days left"
    assert links(page.split("## Offers to answer")[1])[label] == f"{url}?challenge"
    assert url not in client.get("/play/", CAROL)
    page = client.get(url, BOB)
    assert "alice (O) challenges you. The seat of X is kept for you until 27 November 2026" in page
    assert "A move may take 3 days." in page

    client.get(links(page)["Accept the challenge and play X, rated"], BOB)

    assert client.get(url, BOB).startswith("# Ultimate: bob (X) – alice (O)\n")
    assert "Your turn." in client.get(url, BOB)
    assert "bob (X) has until 23 November 2026" in client.get(url)


def test_nobody_else_can_take_a_seat_that_is_kept(client: Client) -> None:
    become_players(client)
    url = challenge(client, "bob")
    accept = link(client.get(url, BOB), "/accept")
    key = link(client.get(url, ALICE), "/abort").split("/")[-2]
    for verb in ("accept", "join", "decline"):
        own = accept.replace("/accept", f"/{verb}")
        client.ask(own, CAROL)
        client.ask(f"{url}/{key}/{verb}", ALICE)
    assert undone(client, accept, CAROL, url)
    assert undone(client, accept.replace("/accept", "/join"), BOB, url)
    assert record(client, url)["players"] == {"X": "alice", "O": None}
    assert record(client, url)["status"] == "challenged"


def test_a_challenge_is_declined(client: Client) -> None:
    become_players(client)
    url = challenge(client, "bob")
    page = client.get(url, BOB)
    client.get(link(page, "/decline"), BOB)
    assert "bob declined the challenge. Nobody won or lost." in client.get(url, ALICE)
    client.get(link(page, "/accept"), BOB)
    assert record(client, url)["status"] == "aborted"
    assert url not in client.get("/play/", BOB)


def test_a_challenge_is_withdrawn_and_costs_nothing(client: Client) -> None:
    become_players(client)
    url = challenge(client, "bob")
    accept = link(client.get(url, BOB), "/accept")
    play(client, url, ["e5"], ALICE)
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    client.get(accept, BOB)
    assert record(client, url)["status"] == "aborted"
    assert record(client, url)["points"] is None


def test_a_challenge_lapses_after_seven_days(client: Client) -> None:
    become_players(client)
    url = challenge(client, "bob")
    accept = link(client.get(url, BOB), "/accept")
    client.now += timedelta(days=7)
    assert "Offers to answer" not in client.get("/play/", BOB)
    assert "aborted" in client.get(url)
    client.get(accept, BOB)
    assert record(client, url)["status"] == "aborted"
    assert record(client, url)["ended"] == "2026-11-27T14:02:00Z"
    assert challenge(client, "bob").startswith("/play/"), "he may be challenged again"


def test_a_challenge_is_never_listed_before_it_is_accepted(client: Client) -> None:
    become_players(client)
    url = challenge(client, "bob", "?listed=yes")
    for path in ("/games/", "/games/ultimate", "/", "/play/new/ultimate"):
        assert url not in client.get(path, CAROL), path
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    assert url in client.get("/games/")


def test_a_name_that_cannot_be_challenged_is_asked_again(client: Client) -> None:
    become_players(client)
    ask = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    assert client.ask(ask, ALICE).meta == "The name of the player to challenge"
    again = " The name of the player to challenge"
    assert client.type(ask, "dave", ALICE) == Response(10, f"Nobody here is called dave.{again}")
    assert client.type(ask, "dave\r\n=> x", ALICE).meta.startswith(
        "Nobody here is called dave => x"
    )
    start(client, "tinc", "solo")
    ask = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    assert client.type(ask, "Alice", ALICE) == Response(10, f"alice is you.{again}")
    url = client.type(ask, "bob", ALICE).meta
    assert client.ask(f"{ask}?bob", ALICE) == Response(30, url), "a reload"
    assert undone(client, f"{ask}?carol", ALICE, "/play/new/ultimate").endswith("> carol")
    ask = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    assert client.type(ask, "bob", ALICE) == Response(
        10, f"bob has not answered your last challenge yet.{again}"
    )
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    assert client.type(ask, "bob", ALICE).status == 30


def test_a_stranger_is_no_player_by_answering(client: Client) -> None:
    become_players(client)
    url = challenge(client, "bob")
    dave = certificate("dave")
    accept = link(client.get(url, BOB), "/accept")
    client.ask(accept, dave)
    assert "Welcome to Oxonaut" in client.get("/play/", dave)
