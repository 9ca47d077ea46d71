"""Players who are banned are on no list and are offered no game, until the ban is over."""

from datetime import timedelta

import pytest

from capsule.accounts import queries
from capsule.languages.model import LANGUAGES, override_language
from capsule.ui.render import translate
from engine import message
from tests.support.client import Client, certificate, link, links
from tests.support.console import Console
from tests.support.ladders import LADDER, holders, standings, under
from tests.support.results import player_called, rate
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play, record, start

CANNOT_PLAY = "bob is banned and cannot play"


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game between alice and bob that has ended."""
    made = open_game(client)
    play(client, made, WON_GAMES["ultimate"].split(), ALICE, BOB)
    return made


def csv_names(client: Client) -> list[str]:
    rows = client.get(f"{LADDER}.csv").splitlines()
    return [row.split(",")[1] for row in rows[1:]]


# Lists


def test_a_banned_player_leaves_the_ladder_and_comes_back_to_the_same_rank(
    client: Client, console: Console
) -> None:
    for name, number in (("alice", 1700), ("bob", 1600), ("carol", 1500)):
        rate(client, "ultimate", name, number)
    rate(client, "ultimate", "dora", 1900, uncertainty=301)
    before = client.get(LADDER)
    assert standings(under(before, "Ranked"))[1] == "2. bob, 1600 ± 90, 40 games"

    console.admin("ban bob cheating")
    console.admin("ban dora cheating")

    page = client.get(LADDER)
    assert standings(under(page, "Ranked")) == [
        "1. alice, 1700 ± 90, 40 games",
        "2. carol, 1500 ± 90, 40 games",
    ]
    assert not holders(under(page, "Not ranked yet"))
    assert csv_names(client) == ["alice", "carol"]
    assert "rank 2" in client.get("/players/carol")
    assert "rank" not in under(client.get("/players/bob"), "Ratings").replace("no rank", "")
    assert "bob" not in client.get("/players/")

    console.admin("unban bob")
    console.admin("unban dora")
    assert client.get(LADDER) == before
    assert csv_names(client) == ["dora", "alice", "bob", "carol"]


def test_a_ban_that_runs_out_gives_the_rank_back_by_itself(
    client: Client, console: Console
) -> None:
    rate(client, "ultimate", "bob", 1600)
    console.admin("ban bob cheating --days 2")
    client.now += timedelta(days=2, seconds=-1)
    assert not standings(client.get(LADDER))
    client.now += timedelta(seconds=1)
    assert standings(client.get(LADDER)) == ["1. bob, 1600 ± 90, 40 games"]


def test_a_banned_program_leaves_its_list(client: Client, console: Console) -> None:
    rate(client, "ultimate", "deepblue", 1600)
    deepblue = player_called(client, "deepblue")
    with client.database.writing() as connection:
        queries.change_player(connection, deepblue, program_since=client.now)
    assert "deepblue" in client.get(LADDER)
    console.admin("ban deepblue cheating")
    assert "deepblue" not in client.get(LADDER)
    assert not csv_names(client)


@pytest.mark.parametrize("ending", ["erased", "banned"])
def test_who_is_gone_is_neither_active_nor_new_nor_found_by_a_beginning(
    client: Client, console: Console, ending: str
) -> None:
    start(client, "tinc", "solo", BOB)
    assert "bob" in client.get("/players/")
    assert "=> /players/bob " in client.get("/players/find?bo")
    console.admin("erase bob --yes" if ending == "erased" else "ban bob spam")
    assert "bob" not in client.get("/players/")
    assert "was here" not in client.ask("/players/bob").body
    assert client.ask("/players/find?bo").meta.startswith("Nobody here is called bo.")


# Offers


def test_a_banned_player_is_not_offered_for_a_challenge(
    client: Client, console: Console, url: str
) -> None:
    for page in ("/players/bob", "/play/players/bob"):
        assert "Challenge bob to a game" in links(client.get(page, ALICE))
    assert "Play bob again" in client.get("/play/", ALICE)
    challenge = link(client.get("/play/new/ultimate", ALICE), "/challenge")

    console.admin("ban bob cheating")

    for page in ("/players/bob", "/play/players/bob"):
        shown = client.get(page, ALICE)
        assert f"\n{CANNOT_PLAY}.\n" in shown
        assert "/play/new/" not in shown
    assert "You lead 1 to 0" in client.get("/play/players/bob", ALICE)
    assert "Play bob again" not in client.get("/play/", ALICE)
    assert client.type(challenge, "bob", ALICE).meta.startswith(CANNOT_PLAY)

    console.admin("unban bob")
    assert "Challenge bob to a game" in links(client.get("/players/bob", ALICE))
    assert "Play bob again" in client.get("/play/", ALICE)


@pytest.mark.parametrize("path", ["/play/new/", "/play/new/ultimate", "/play/new/ultimate/terms"])
def test_a_page_that_would_challenge_a_banned_player_says_why_it_does_not(
    client: Client, console: Console, url: str, path: str
) -> None:
    address = f"{path}?with=bob"
    assert "bob is" not in client.get(address, ALICE)

    console.admin("ban bob cheating --days 2")

    for who in (ALICE, certificate("newcomer")):
        page = client.get(address, who)
        assert f"\n{CANNOT_PLAY}.\n" in page
        assert "/challenge" not in page
    client.now += timedelta(days=2)
    assert CANNOT_PLAY not in client.get(address, ALICE)


def test_a_page_that_would_challenge_a_player_on_the_other_side_of_a_block_says_why_it_does_not(
    client: Client, url: str
) -> None:
    client.type(link(client.get("/play/me/people", ALICE), "/block"), "bob", ALICE)
    assert "\nYou have blocked bob.\n" in client.get("/play/new/ultimate?with=bob", ALICE)
    assert "\nalice plays no games with you.\n" in client.get("/play/new/?with=alice", BOB)


@pytest.mark.parametrize("language", ["en", "pt", "zh"])
def test_a_rematch_with_a_banned_player_is_not_offered_and_refused_with_the_reason(
    client: Client, console: Console, url: str, language: str
) -> None:
    if language != "en":
        client.get(link(client.get("/play/me/settings", ALICE), f"language/{language}"), ALICE)
    old = link(client.get(url, ALICE), "/rematch")

    console.admin("ban bob cheating --days 2")

    page = client.get(url, ALICE)
    with override_language(LANGUAGES[language]):
        sentence = translate(message("{name} is banned and cannot play", name="bob"))
    assert sentence in page
    assert "/rematch" not in page
    assert sentence in client.get(old, ALICE)
    assert "/rematch" not in client.get(url, ALICE), "nothing was offered"

    client.now += timedelta(days=2)
    assert client.ask(link(client.get(url, ALICE), "/rematch"), ALICE).status == 30


@pytest.mark.parametrize("language", ["en", "pt", "zh"])
def test_a_rematch_that_a_ban_of_the_opponent_ended_says_so_and_may_be_offered_again(
    client: Client, console: Console, url: str, language: str
) -> None:
    if language != "en":
        client.get(link(client.get("/play/me/settings", ALICE), f"language/{language}"), ALICE)
    client.get(link(client.get(url, ALICE), "/rematch"), ALICE)
    accept = link(client.get(url, BOB), "/accept")

    console.admin("ban bob cheating --days 2")

    with override_language(LANGUAGES[language]):
        reason = translate(message("{name} was banned", name="bob"))
    page = client.get(url, ALICE)
    (line,) = [each for each in page.splitlines() if reason in each]
    if language == "en":
        assert line == "Your offer of a rematch was not accepted: bob was banned."
        assert "may still offer" not in page
    assert "/rematch" not in page

    client.now += timedelta(days=2)
    client.get(accept, BOB)
    page = client.get(url, ALICE)
    assert line in page.splitlines()
    client.get(link(page, "/rematch"), ALICE)
    rematch = client.ask(link(client.get(url, BOB), "/accept"), BOB).meta
    assert record(client, rematch)["status"] == "playing"


def test_a_player_whose_own_ban_ended_a_rematch_sees_it_and_may_offer_it_again(
    client: Client, console: Console, url: str
) -> None:
    client.get(link(client.get(url, BOB), "/rematch"), BOB)
    console.admin("ban bob cheating --days 2")
    assert f"\n{CANNOT_PLAY}.\n" in client.get(url, ALICE)
    client.now += timedelta(days=2)
    page = client.get(url, BOB)
    assert "\nYour offer of a rematch was not accepted: you were banned.\n" in page
    for who in (ALICE, BOB):
        assert "/rematch" in client.get(url, who)


def test_a_rematch_whose_opponent_erased_the_account_says_why_it_came_to_nothing(
    client: Client, console: Console, url: str
) -> None:
    client.get(link(client.get(url, ALICE), "/rematch"), ALICE)
    console.admin("erase bob --yes")
    page = client.get(url, ALICE)
    why = "a player erased their account"
    assert f"\nYour offer of a rematch was not accepted: {why}.\n" in page
    assert "may still offer" not in page
    assert "/rematch" not in page
