"""Draws and takebacks at the same time: each is offered, answered and shown by itself."""

import pytest

from tests.support.client import Client, link, links
from tests.support.stories import ALICE, BOB, CAROL, moves_of, play, record, start, start_between


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game in which alice is to move, and both have moved."""
    made = start_between(client, "ultimate")
    play(client, made, ["e5", "d4"], ALICE, BOB)
    return made


def offer_draw(client: Client, url: str) -> None:
    client.get(link(client.get(url, ALICE), "/draw"), ALICE)


def ask_for_takeback(client: Client, url: str) -> None:
    client.get(link(client.get(url, ALICE), "/takeback"), ALICE)


def answer(client: Client, url: str, label: str) -> None:
    client.get(links(client.get(url, BOB))[label], BOB)


@pytest.mark.parametrize(
    ("kind", "label", "later"),
    [
        ("draw", "Offer a draw", "Offer a draw"),
        ("takeback of e5, d4", "Ask to take back e5, d4", "Ask to take back a1, c3"),
    ],
)
def test_an_offer_may_be_declined_and_is_made_once_a_turn(
    client: Client, url: str, kind: str, label: str, later: str
) -> None:
    offer = links(client.get(url, ALICE))[label]
    client.get(offer, ALICE)
    answer(client, url, f"Decline the {kind}")
    assert f"Your opponent declines the {kind.split(maxsplit=1)[0]}." in client.get(url, ALICE)
    for who in (BOB, CAROL, None):
        assert "declines" not in client.get(url, who)
    client.get(offer, ALICE)
    assert f"Accept the {kind}" not in links(client.get(url, BOB)), "a reload is no second offer"
    assert label not in links(client.get(url, ALICE))
    play(client, url, ["a1"], ALICE)
    assert "declines" not in client.get(url, ALICE), "it was about the turn that is over"
    play(client, url, ["c3"], BOB)
    assert later in links(client.get(url, ALICE))


@pytest.mark.parametrize(
    ("verb", "label"), [("draw", "Accept the draw"), ("takeback", "Accept the takeback of e5, d4")]
)
def test_an_offer_lapses_with_the_next_move(
    client: Client, url: str, verb: str, label: str
) -> None:
    client.get(link(client.get(url, ALICE), f"/{verb}"), ALICE)
    accept = links(client.get(url, BOB))[label]
    play(client, url, ["a1"], ALICE)
    assert label not in links(client.get(url, BOB))
    client.get(accept, BOB)
    assert moves_of(client, url) == ["e5", "d4", "a1"]
    assert record(client, url)["status"] == "playing"


@pytest.mark.parametrize("is_declined", [True, False])
def test_one_kind_does_not_cost_the_other(client: Client, url: str, is_declined: bool) -> None:  # noqa: FBT001
    offer_draw(client, url)
    if is_declined:
        answer(client, url, "Decline the draw")
    ask_for_takeback(client, url)
    page = client.get(url, ALICE)
    assert "You asked to take back e5, d4." in page
    assert ("declines the draw" in page) == is_declined
    assert not {"Offer a draw", "Ask to take back e5, d4"} & links(page).keys(), "once a turn each"


def test_a_takeback_that_is_declined_leaves_the_draw_to_offer(client: Client, url: str) -> None:
    ask_for_takeback(client, url)
    answer(client, url, "Decline the takeback of e5, d4")
    offer_draw(client, url)
    answer(client, url, "Accept the draw")
    assert record(client, url)["status"] == "agreed"


def test_both_are_answered_each_by_its_own_links(client: Client, url: str) -> None:
    offer_draw(client, url)
    ask_for_takeback(client, url)
    answer(client, url, "Decline the draw")
    page = client.get(url, ALICE)
    assert "Your opponent declines the draw." in page
    assert "You asked to take back e5, d4." in page
    answer(client, url, "Accept the takeback of e5, d4")
    assert moves_of(client, url) == []
    assert record(client, url)["status"] == "playing"


def test_the_link_of_an_old_page_answers_no_other_offer(client: Client, url: str) -> None:
    offer_draw(client, url)
    old = links(client.get(url, BOB))
    answer(client, url, "Decline the draw")
    ask_for_takeback(client, url)
    for label in ("Accept the draw", "Decline the draw"):
        client.get(old[label], BOB)
    assert "asks to take back e5, d4" in client.get(url, BOB)
    assert moves_of(client, url) == ["e5", "d4"]
    assert record(client, url)["status"] == "playing"


def test_who_accepts_a_challenge_declines_nothing_and_accepts_nothing_else(client: Client) -> None:
    for who in (ALICE, BOB):
        start(client, "tinc", "solo", who)
    ask = link(client.get("/play/new/ultimate?side=x", ALICE), "/challenge")
    url = client.type(ask, "bob", ALICE).meta
    accept = links(client.get(url, BOB))["Accept the challenge and play O, rated"]
    client.get(accept, BOB)
    assert "declines" not in client.get(url, ALICE)
    offer_draw(client, url)
    client.get(accept, BOB)
    assert record(client, url)["status"] == "playing"
    assert "bob (O) offers" not in client.get(url, BOB)
    assert "Your opponent offers a draw." in client.get(url, BOB)
