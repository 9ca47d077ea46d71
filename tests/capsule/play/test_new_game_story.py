"""The way to a game: few links, each of which says what it starts and whether that is rated."""

import re
from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate, Response
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import Holder
from engine import VARIANTS, Variant
from engine.bots.levels import level_label
from engine.bots.registry import levels_of
from tests.support.client import BEGINNING, Client, certificate, link, links
from tests.support.gemtext import SCREEN, lines_shown
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, record, start, start_between
from tests.support.tournaments import resign

MOST_LINKS = 14

NEW_GAME_PAGES = [
    "/play/new/",
    "/play/new/?with=bob",
    *(
        f"/play/new/{variant}{page}{terms}"
        for variant in ("tinc", "numeric")
        for page in ("", "/terms")
        for terms in ("", "?side=o&days=none&listed=yes&rated=no", "?with=bob", "?rated=yes")
    ),
    "/play/new/ultimate?from=e5",
    "/play/new/ultimate/terms?from=e5",
]


def labels(page: str) -> list[str]:
    """Return the labels of a page's links, in order."""
    return list(links(page))


def end_a_game(client: Client, who: Certificate = ALICE) -> None:
    """Let somebody end a game, after which those against bots may be rated."""
    resign(client, start(client, "tinc", "solo", who), who)


@pytest.mark.parametrize("who", [ALICE, BOB], ids=["newcomer", "player"])
@pytest.mark.parametrize("path", NEW_GAME_PAGES)
def test_pages_that_start_games_have_few_links_and_each_says_whether_it_is_rated(
    client: Client, path: str, who: Certificate
) -> None:
    for other in (certificate("carol"), certificate("dave")):
        start(client, "tinc", "open", other)
    end_a_game(client, BOB)
    page = client.get(path, who)
    assert page.count("\n=> ") <= MOST_LINKS
    ways = ("/bot-", "/invite", "/open", "/solo", "/challenge")
    for label, url in links(page).items():
        if url.startswith("/play/new/") and any(way in url for way in ways):
            assert ("rated" if "rated=yes" in url else "casual") in label
            assert "listed=" in url


def test_a_link_starts_the_game_of_which_it_speaks(client: Client) -> None:
    end_a_game(client)
    page = client.get("/play/new/numeric", ALICE)
    casual = client.ask(link(page, "/bot-club"), ALICE).meta
    assert "Casual: no rating changes." in client.get(casual, ALICE)
    page = client.get("/play/new/numeric?rated=yes", ALICE)
    rated = client.ask(link(page, "/bot-club"), ALICE).meta
    assert "Rated, as long as nobody uses a hint" in client.get(rated, ALICE)


def test_games_against_bots_are_rated_for_those_who_want_it(client: Client) -> None:
    end_a_game(client)
    settings = rate_bots(client)
    assert "Your games against bots are rated, unless you ask for a casual one." in settings
    assert "Numeric with the novice bot, rated, 2 minutes" in links(client.get("/play/new/", ALICE))
    page = client.get("/play/new/numeric", ALICE)
    novice = measured()[Holder("numeric", None, "novice")].number
    assert f"Novice bot, {novice}, rated: plays nearly at random" in links(page)
    assert "Games are rated, against bots too." in page
    page = client.get(links(page)["Change the terms"], ALICE)
    page = client.get(links(page)["Casual: no rating changes"], ALICE)
    assert f"Novice bot, {novice}, casual: plays nearly at random" in links(page)
    settings = client.get(links(settings)["Play bots casually: no rating changes"], ALICE)
    assert "are casual, unless you ask for a rated one" in settings


# Newcomers


@pytest.mark.parametrize("path", ["/play/", "/play/new/"])
@pytest.mark.parametrize("variant", VARIANTS.values())
def test_one_link_starts_a_casual_game_of_each_kind_whose_tagline_is_below_it(
    client: Client, variant: Variant, path: str
) -> None:
    page = client.get(path, ALICE)
    beginning = f"{variant.name} with the novice bot, casual, "
    (label,) = (label for label in labels(page)[:5] if label.startswith(beginning))
    assert f" {label}\n{variant.tagline}\n" in page
    url = client.ask(links(page)[label], ALICE).meta
    assert record(client, url)["variant"] == variant.key
    assert record(client, url)["players"] == {"X": "alice", "O": "novice bot"}


@pytest.mark.parametrize("path", ["/play/", "/play/new/"])
def test_all_games_that_can_be_started_are_on_the_first_screen(client: Client, path: str) -> None:
    page = client.get(path, ALICE)
    last = [*links(page)][len(VARIANTS) - 1]
    assert lines_shown(page.partition(last)[0]) < SCREEN


def test_somebody_who_has_only_chosen_a_name_finds_the_same_games(client: Client) -> None:
    prompt = link(client.get("/play/", ALICE), "/name")
    client.type(prompt, "Alicia", ALICE)
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games\n\nYou are signed in as Alicia.\n")
    assert "Tinc with the novice bot, casual, 5 minutes" in links(page)
    start_between(client, "tinc")
    page = client.get("/play/", ALICE)
    assert " bot, casual" not in page
    assert "Start a game" in [*links(page)][:3]


def test_a_certificate_that_will_not_last_is_named_before_the_first_game(client: Client) -> None:
    brief = certificate("brief", not_after=BEGINNING + timedelta(minutes=30))
    warning = "This certificate lasts only until 20 November 2026 at 14:32 UTC. Make a lasting one"
    for path in ("/play/", "/play/new/", "/play/new/tinc"):
        page = client.get(path, brief)
        assert warning in page
        if path != "/play/new/tinc":
            assert page.index(warning) < page.index("/bot-novice")
        assert warning not in client.get(path, ALICE)
    assert "Keep it" not in client.get("/play/", brief)
    assert "Keep it" in client.get("/play/", ALICE)
    month = certificate("month", not_after=BEGINNING + timedelta(days=20))
    assert "lasts only until" not in client.get("/play/", month)


# A newcomer's games against bots are casual, whatever the terms say


CASUAL = "Casual: no rating changes."
RATED = "Rated, as long as nobody uses a hint"
AGAINST_BOTS = "Rated, against bots too"


def rate_bots(client: Client) -> str:
    """Let Alice's games against bots count for ratings, and return her settings."""
    settings = client.get("/play/me/settings", ALICE)
    return client.get(links(settings)["Let games against bots count for ratings"], ALICE)


def test_rated_games_against_bots_are_offered_once_a_game_has_ended(client: Client) -> None:
    rate_bots(client)
    for page in ("/play/", "/play/new/"):
        assert "Ultimate with the novice bot, casual" in client.get(page, ALICE)
    terms = "/play/new/ultimate/terms"
    assert AGAINST_BOTS not in client.get(f"{terms}?rated=no", ALICE)
    assert re.search(
        r"Novice bot, \d+, casual: ", client.get("/play/new/ultimate?rated=yes", ALICE)
    )
    url = start(client, "ultimate", "bot-novice")
    assert "Ultimate with the novice bot, casual" in client.get("/play/new/", ALICE)
    resign(client, url, ALICE)
    assert "Ultimate with the novice bot, rated" in client.get("/play/new/", ALICE)
    assert AGAINST_BOTS in client.get(f"{terms}?rated=no", ALICE)
    assert re.search(r"Novice bot, \d+, rated: ", client.get("/play/new/ultimate", ALICE))


def test_a_game_that_was_aborted_makes_nobody_experienced(client: Client) -> None:
    url = start(client, "ultimate", "bot-novice")
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert AGAINST_BOTS not in client.get("/play/new/ultimate/terms", ALICE)
    assert CASUAL in client.get(start(client, "ultimate", "bot-novice"), ALICE)


def test_a_player_who_has_played_people_may_be_rated_against_bots(client: Client) -> None:
    play(client, start_between(client, "numeric"), WON_GAMES["numeric"].split(), ALICE, BOB)
    for who in (ALICE, BOB):
        assert AGAINST_BOTS in client.get("/play/new/numeric/terms", who)
        assert RATED in client.get(start(client, "numeric", "bot-club", who), who)


def test_nothing_is_said_of_bots_to_somebody_who_challenges_a_person(client: Client) -> None:
    start(client, "numeric", "invite", BOB)
    for page in ("/play/new/ultimate?with=bob", "/play/new/ultimate/terms?with=bob"):
        assert "bots" not in client.get(page, ALICE)


# From the first page to a game


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
