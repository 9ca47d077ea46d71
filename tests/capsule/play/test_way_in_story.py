"""From the first page to a game: few pages, and nothing on them that is not so."""

import re

import pytest

from capsule.gemini.types import Response
from engine import VARIANTS
from engine.bots.levels import level_label
from engine.bots.registry import levels_of
from tests.support.client import Client, certificate, link, links
from tests.support.stories import ALICE, BOB, CAROL, record, start


def labels(page: str) -> list[str]:
    """Return the labels of a page's links, in order."""
    return list(links(page))


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_link_starts_a_game_against_a_bot_on_the_usual_terms(
    client: Client, variant: str
) -> None:
    page = client.get("/play/new/", ALICE)
    beginning = f"{VARIANTS[variant].name} with the novice bot, casual, "
    (label,) = (label for label in labels(page)[:5] if label.startswith(beginning))
    url = client.ask(links(page)[label], ALICE).meta
    assert record(client, url)["variant"] == variant
    assert record(client, url)["players"] == {"X": "alice", "O": "novice bot"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_game_is_introduced_below_its_link(client: Client, variant: str) -> None:
    for path in ("/play/", "/play/new/"):
        lines = client.get(path, ALICE).splitlines()
        line = next(n for n, line in enumerate(lines) if f"/{variant}/" in line)
        assert lines[line + 1] == str(VARIANTS[variant].tagline)


@pytest.mark.parametrize("who", [ALICE, BOB], ids=["newcomer", "player"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_ways_to_start_a_game_come_before_all_else(
    client: Client, variant: str, who: object
) -> None:
    start(client, "tinc", "solo", BOB)
    page = client.get(f"/play/new/{variant}", who)
    first = page.splitlines()[2:10]
    assert all(line.startswith("=> ") for line in first), "nothing to read before them"
    for level, line in zip([*levels_of(variant)][:3], first, strict=False):
        assert re.search(rf" {re.escape(level_label(level).capitalize())} bot, \d+, casual: ", line)
    assert first[3].endswith(" All levels of the bots")
    assert max(len(label) for label in labels(page)[:8]) <= 56, "a line each in Amfora"
    every = labels(client.get(f"/play/new/{variant}/bots", who))[: len(levels_of(variant))]
    assert max(map(len, every)) <= 56


def test_a_page_does_not_say_what_its_terms_contradict(client: Client) -> None:
    unlisted = client.get("/play/new/ultimate?listed=no", ALICE)
    listed = client.get("/play/new/ultimate", ALICE)
    assert "Invite a friend, rated, by a private address" in unlisted
    assert "private" not in listed
    assert "Invite a friend, rated, on the public lists" in listed


def test_only_an_invitation_is_to_be_sent(client: Client) -> None:
    invited = client.get(start(client, "tinc", "invite"), ALICE)
    offered = client.get(start(client, "tinc", "open"), ALICE)
    assert "Send this address" in invited
    assert "Send this address" not in offered
    assert "the game is on the public lists. The first to take the seat plays you" in offered


def test_nobody_is_told_that_they_wait_for_themselves(client: Client) -> None:
    offered = start(client, "tinc", "open", BOB)
    for _ in range(6):
        start(client, "tinc", "open")
    shown = links(client.get("/play/new/tinc", ALICE)).values()
    assert [url for url in shown if len(url) == len(offered)] == [offered]
    assert "Somebody is waiting" not in client.get("/play/new/ultimate", ALICE)


def test_of_several_who_wait_one_chooses_from_the_list(client: Client) -> None:
    offered = [start(client, "tinc", "open", who) for who in (BOB, CAROL)]
    page = client.get("/play/new/tinc", ALICE)
    waiting = client.get(links(page)["Choose among several people who wait for an opponent"])
    for url in offered:
        assert url not in page
        assert url in waiting


# Challenges from a player's page


def test_a_player_is_challenged_from_their_page(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    page = client.get("/players/bob", ALICE)
    page = client.get(links(page)["Challenge bob to a game"], ALICE)
    assert page.startswith("# A new game with bob\n")
    url = client.ask(links(page)["Challenge bob to Quantum, rated"], ALICE).meta
    assert "alice (X) challenges you" in client.get(url, BOB)


def test_a_challenge_from_a_page_keeps_its_opponent_while_terms_are_chosen(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    page = client.get("/play/new/?with=bob", ALICE)
    page = client.get(links(page)["Ultimate: choose the terms"], ALICE)
    assert page.startswith("# A new game of Ultimate with bob\n")
    for label in ("Play O", "3 days a move"):
        page = client.get(links(page)["Change the terms"], ALICE)
        page = client.get(links(page)[label], ALICE)
    url = client.ask(links(page)["Challenge bob on these terms, rated"], ALICE).meta
    page = client.get(url, BOB)
    assert "alice (O) challenges you" in page
    assert "A move may take 3 days." in page


def test_somebody_without_a_certificate_comes_to_the_challenge_they_meant(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    challenge = links(client.get("/players/bob"))["Challenge bob to a game"]
    asking = client.ask(challenge)
    assert asking == Response(30, "/play/?new/?with=bob")
    assert client.get(asking.meta, CAROL).startswith("# A new game with bob\n")


def test_nobody_is_offered_to_challenge_themselves(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    assert "Challenge bob to a game" not in links(client.get("/players/bob", BOB))
    page = client.get("/play/new/?with=bob", BOB)
    answer = client.ask(links(page)["Challenge bob to Tinc, rated"], BOB)
    assert answer == Response(10, "bob is you. The name of the player to challenge")


@pytest.mark.parametrize("name", ["b", "bob%0d%0a=> x", "b b", "a" * 25, "//example.org"])
def test_what_is_no_name_is_no_opponent(client: Client, name: str) -> None:
    usual = client.get("/play/new/", ALICE)
    assert client.get(f"/play/new/?with={name}", ALICE) == usual


def test_a_name_that_nobody_has_is_refused_when_it_is_challenged(client: Client) -> None:
    dave = certificate("dave")
    page = client.get("/play/new/?with=nobody-at-all", dave)
    answer = client.ask(links(page)["Challenge nobody-at-all to Tinc, rated"], dave)
    assert answer.status == 10
    assert answer.meta.startswith("Nobody here is called nobody-at-all.")
    assert link(client.get("/play/", dave), "/name"), "and the challenge made nobody a player"
