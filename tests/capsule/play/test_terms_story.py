"""The terms of a new game."""

import pytest
from hypothesis import given, strategies as some

from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.visibility import Listing
from capsule.play.starting import GameTerms, SideChoice, read_terms
from capsule.ui.paging import TermsRefused
from tests.support.client import Client, link, links
from tests.support.noting_bots import NotingBots
from tests.support.stories import ALICE, BOB, play, undone

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


def changed(client: Client, page: str, label: str) -> str:
    """Return a page of a new game after a change of its terms."""
    return client.get(links(client.get(links(page)["Change the terms"], ALICE))[label], ALICE)


@given(TERMS)
def test_terms_come_back_from_their_address(terms: GameTerms) -> None:
    assert read_terms(terms.query) == terms


@pytest.mark.parametrize(
    "query", ["side=z", "days=4", "days=3&days=3", "x", "side", "listed=maybe", "key=1", "days=٣"]
)
def test_other_terms_are_refused(query: str) -> None:
    with pytest.raises(TermsRefused):
        read_terms(query)


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


def test_a_bot_that_is_x_moves_first_and_is_asked_at_once(client: Client) -> None:
    bots = NotingBots()
    client.bots = lambda _: bots
    client.restart()
    url = start_on(client, "side=o", "bot-novice")
    assert bots.requests == [(url, 0)]
    page = client.get(url, ALICE)
    assert page.startswith("# Ultimate: novice bot (X) – alice (O)\n")
    assert "The bot is thinking" in page


def test_the_sides_are_drawn(client: Client) -> None:
    firsts = {
        client.get(start_on(client, "side=draw", "invite"), ALICE).split("\n")[0] for _ in range(20)
    }
    assert firsts == {
        "# Ultimate: alice (X) – open seat (O)",
        "# Ultimate: open seat (X) – alice (O)",
    }
