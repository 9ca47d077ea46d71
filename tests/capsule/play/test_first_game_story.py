"""The way to a first game: short pages that say what is rated, and warn of what will not last."""

from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import Holder
from engine import VARIANTS, Variant
from tests.support.client import BEGINNING, Client, action, certificate, link, links
from tests.support.gemtext import SCREEN, lines_shown
from tests.support.stories import ALICE, BOB, record, start, start_between

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


def end_a_game(client: Client, who: Certificate = ALICE) -> None:
    """Let somebody end a game, after which those against bots may be rated."""
    url = start(client, "tinc", "solo", who)
    client.type(action(client.get(url, who), "resign"), "resign", who)


@pytest.mark.parametrize("who", [ALICE, BOB], ids=["newcomer", "player"])
@pytest.mark.parametrize("path", NEW_GAME_PAGES)
def test_pages_on_which_games_are_started_have_few_links(
    client: Client, path: str, who: Certificate
) -> None:
    for other in (certificate("carol"), certificate("dave")):
        start(client, "tinc", "open", other)
    end_a_game(client, BOB)
    assert client.get(path, who).count("\n=> ") <= MOST_LINKS


@pytest.mark.parametrize("path", ["/play/", *NEW_GAME_PAGES])
def test_every_link_that_starts_a_game_says_whether_it_is_rated(client: Client, path: str) -> None:
    start(client, "tinc", "solo", BOB)
    end_a_game(client)
    for who in (ALICE, certificate("dave")):
        for label, url in links(client.get(path, who)).items():
            ways = ("/bot-", "/invite", "/open", "/solo", "/challenge")
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
    settings = client.get("/play/me/settings", ALICE)
    settings = client.get(links(settings)["Let games against bots count for ratings"], ALICE)
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


def test_an_address_of_an_earlier_release_means_what_it_meant(client: Client) -> None:
    end_a_game(client)
    url = start(client, "numeric", "bot-club")
    assert "Rated, as long as nobody uses a hint" in client.get(url, ALICE)


# Newcomers


@pytest.mark.parametrize("variant", VARIANTS.values())
def test_a_newcomer_is_welcomed_with_a_game_of_each_kind(client: Client, variant: Variant) -> None:
    page = client.get("/play/", ALICE)
    assert page.startswith("# Welcome to Oxonaut\n\nYou will play as alice, ")
    label = next(each for each in links(page) if each.startswith(f"{variant.name} with"))
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
