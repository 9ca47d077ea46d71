"""Rated and casual games: what the pages say of it, and what counts."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from capsule.games import deadlines
from capsule.games.queries import game_by_id
from capsule.games.rated import counts
from capsule.gemini.types import Certificate
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import INITIAL, Holder, Rating, updated
from tests.support.client import Client, action, context_of, link, links
from tests.support.stored import player_id
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    bot_plays,
    play,
    played,
    start,
    start_between,
)
from tests.support.tournaments import resign

RATED_THEN = "Rated: it counts for both ratings."
RATED = "Rated, as long as nobody takes a move back."
RATED_WITH_BOT = "Rated, as long as nobody uses a hint or takes a move back."
CASUAL = "Casual: no rating changes."


def start_on(client: Client, terms: str, way: str) -> str:
    """Start Alice's game of numeric on these terms and return its URL."""
    page = client.get(f"/play/new/numeric{terms}", ALICE)
    (url,) = (url for url in links(page).values() if f"/{way}" in url)
    return client.ask(url, ALICE).meta


def start_with_bob(client: Client, terms: str) -> str:
    """Start Alice's game of numeric with Bob on these terms and return its URL."""
    url = start_on(client, terms, "invite")
    client.get(link(client.get(url, BOB), "/join"), BOB)
    return url


def challenge(client: Client, terms: str = "") -> str:
    """Let Alice challenge Bob, who is a player already, and return the game's URL."""
    page = client.get(f"/play/new/numeric{terms}", ALICE)
    return client.type(link(page, "/challenge"), "bob", ALICE).meta


def take(client: Client, url: str, verb: str, who: Certificate) -> None:
    """Follow the link to a verb on a game's page, and type the word where one is asked for."""
    page = client.get(url, who)
    asked = action(page, verb) if verb == "resign" else link(page, f"/{verb}")
    if client.ask(asked, who).status == 10:
        client.type(asked, verb, who)


def rating(client: Client, who: Certificate | str, variant: str = "numeric") -> Rating:
    """Return somebody's rating: a player's by certificate, a bot's by its level.

    Its opponents are left out: they have stories of their own.
    """
    if isinstance(who, str):
        holder = Holder(variant, None, who)
    else:
        holder = Holder(variant, player_id(client, who), None)
    with client.database.reading() as connection:
        return replace(rating_queries.ratings_of(connection, [holder])[holder], opponents=None)


def is_counted(client: Client, url: str) -> bool:
    """Return whether a game has been counted."""
    with client.database.reading() as connection:
        game = game_by_id(connection, url.removeprefix("/play/"))
    assert game is not None
    assert (game.rating_number is not None) == counts(game)
    return counts(game)


def changed(client: Client, page: str, label: str) -> str:
    """Return a page of a new game after a change of its terms."""
    return client.get(links(client.get(links(page)["Change the terms"], ALICE))[label], ALICE)


# Terms
def test_a_new_game_is_rated_unless_its_terms_say_otherwise(client: Client) -> None:
    page = client.get("/play/new/numeric", ALICE)
    assert "Games are rated against people, casual against bots." in page
    page = changed(client, page, "Casual: no rating changes")
    assert "The game is casual." in page
    assert link(page, "/invite?listed=people&rated=no")
    assert link(page, "/listed=people&rated=no/challenge")
    page = changed(client, page, "Play Even")
    assert link(page, "/invite?side=o&listed=people&rated=no"), "the other terms are kept"
    page = changed(client, page, "Rated against people, casual against bots")
    assert link(page, "/invite?side=o&listed=people&rated=yes")
    assert link(page, "/bot-club?side=o&listed=no&rated=no")


@pytest.mark.parametrize(
    ("terms", "before", "line"), [("", RATED_THEN, RATED), ("?rated=no", CASUAL, CASUAL)]
)
def test_a_game_says_to_everybody_whether_it_counts(
    client: Client, terms: str, before: str, line: str
) -> None:
    url = start_on(client, terms, "invite")
    assert client.get(url, ALICE).splitlines().count(before) == 1
    for who in (BOB, None):
        page = client.get(url, who).lower()
        assert page.count(before.partition(":")[0].lower()) == 1, "once, where the seat is taken"
    client.get(link(client.get(url, BOB), "/join"), BOB)
    for who in (ALICE, BOB, CAROL, None):
        assert client.get(url, who).splitlines().count(line) == 1


def test_a_visitor_reads_it_before_taking_the_seat(client: Client) -> None:
    url = start_on(client, "", "open")
    page = client.get(url, BOB)
    assert page.index("A move may take 7 days.") < page.index("/join")
    for each in (page, client.get(url)):
        assert ", rated: " in next(iter(links(each)))


@pytest.mark.parametrize(("terms", "word"), [("", "rated"), ("?rated=no", "casual")])
def test_challenges_and_lists_of_games_to_join_say_it(
    client: Client, terms: str, word: str
) -> None:
    start(client, "tinc", "solo", BOB)
    page = client.get(challenge(client, terms), BOB)
    assert next(iter(links(page))).endswith(f", {word}")
    assert page.index("A move may take ") < page.index("/accept")
    url = start_on(client, terms, "open")
    for path in ("/games/", "/games/numeric"):
        (line,) = (line for line in client.get(path).splitlines() if url in line)
        assert f", {word}, since" in line
    (line,) = (line for line in client.get("/play/new/numeric", BOB).splitlines() if url in line)
    assert line.endswith(f", {word}")


@pytest.mark.parametrize("terms", ["", "?rated=no"])
def test_a_rematch_is_rated_as_the_game_before(client: Client, terms: str) -> None:
    url = start_with_bob(client, terms)
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    take(client, url, "rematch", ALICE)
    take(client, url, "accept", BOB)
    rematch = links(client.get(url, BOB))["The rematch"]
    assert (CASUAL if terms else RATED) in client.get(rematch)
    play(client, rematch, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert rating(client, ALICE).games == (0 if terms else 2)


# What a game does
def test_a_rated_game_changes_both_ratings_and_its_page_says_how(client: Client) -> None:
    url = played(client, "numeric")
    line = "Ratings in Numeric after this game: alice 1421? (−79), bob 1579? (+79)."
    for who in (ALICE, BOB, None):
        assert line in client.get(url, who).splitlines()
    assert (rating(client, ALICE), rating(client, BOB)) == updated(INITIAL, INITIAL, (0, 1))

    second = start_between(client, "numeric", BOB, ALICE)
    play(client, second, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert "Ratings in Numeric after this game: bob 1490? (−89), alice 1510? (+89)." in client.get(
        second
    )
    assert line in client.get(url), "what it did then stays"


def test_each_variant_has_ratings_of_its_own(client: Client) -> None:
    played(client, "numeric")
    assert rating(client, ALICE, "quantum") == INITIAL
    url = played(client, "quantum")
    assert "Points: X 1, O ½." in client.get(url)
    assert (rating(client, ALICE, "quantum"), rating(client, BOB, "quantum")) == updated(
        INITIAL, INITIAL, (1, 0.5)
    )


def test_a_bot_is_rated_like_everybody(client: Client) -> None:
    resign(client, start(client, "tinc", "solo"), ALICE)
    club = rating(client, "club")
    url = start(client, "numeric", "bot-club")
    assert RATED_WITH_BOT in client.get(url, ALICE)
    play(client, url, ["a1=5"], ALICE)
    bot_plays(client, url, "a2=8")
    play(client, url, ["c1=1"], ALICE)
    bot_plays(client, url, "a3=2")
    assert (
        "Ratings in Numeric after this game: alice 1403? (−97), club bot 1516 (+16)."
        in client.get(url)
    )
    assert (rating(client, ALICE), rating(client, "club")) == updated(INITIAL, club, (0, 1))


@pytest.mark.parametrize("ending", ["resign", "draw", "claim", "time", "erase"])
def test_every_end_of_a_game_counts(client: Client, ending: str) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["a1=5", "a2=8"], ALICE, BOB)
    alice, bob = updated(INITIAL, INITIAL, (0.5, 0.5) if ending == "draw" else (0, 1))
    if ending in ("resign", "draw"):
        take(client, url, ending, ALICE)
    if ending == "draw":
        take(client, url, "accept", BOB)
    if ending == "claim":
        client.now += timedelta(days=8)
        take(client, url, "claim", BOB)
    if ending == "time":
        client.now += timedelta(days=15)
        assert "the new ratings appear here in a moment" in client.get(url)
        assert deadlines.end_overdue(context_of(client)) == 1
    if ending == "erase":
        client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)
        assert "Rating in Numeric after this game: bob 1579? (+79)." in client.get(url)
    else:
        assert rating(client, ALICE) == alice
        assert "Ratings in Numeric after this game: alice 1" in client.get(url)
    assert rating(client, BOB) == bob
    assert is_counted(client, url)


def test_a_game_counts_once(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["a1=5", "a2=8"], ALICE, BOB)
    resign = action(client.get(url, ALICE), "resign")
    client.now += timedelta(days=13)
    claim = link(client.get(url, BOB), "/claim")
    client.type(resign, "resign", ALICE)
    for again, who in ((f"{resign}?resign", ALICE), (f"{claim}?claim", BOB)):
        client.ask(again, who)
    client.now += timedelta(days=13)
    assert deadlines.end_overdue(context_of(client)) == 0
    take(client, url, "rematch", BOB)
    assert (rating(client, ALICE), rating(client, BOB)) == updated(INITIAL, INITIAL, (0, 1))


# What does not count
def test_a_casual_game_counts_for_nothing(client: Client) -> None:
    url = start_with_bob(client, "?rated=no")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert CASUAL in client.get(url)
    assert not is_counted(client, url)
    assert rating(client, BOB) == INITIAL


def test_playing_alone_counts_for_nothing(client: Client) -> None:
    url = start(client, "numeric", "solo")
    play(client, url, WON_GAMES["numeric"].split(), ALICE)
    assert not re.search("rating", client.get(url, ALICE))
    assert not is_counted(client, url)


def test_a_game_that_was_aborted_counts_for_nothing(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["a1=5"], ALICE, BOB)
    take(client, url, "abort", BOB)
    assert not is_counted(client, url)
    assert not re.search("rating", client.get(url, ALICE))


def test_a_game_given_up_before_its_second_move_counts_for_nothing(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["a1=5"], ALICE, BOB)
    take(client, url, "resign", BOB)
    assert "Not rated: the game ended before its second move." in client.get(url)
    assert not is_counted(client, url)


def test_a_game_with_a_move_taken_back_counts_for_nothing(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["a1=5", "a2=8"], ALICE, BOB)
    page = client.get(url, ALICE)
    assert page.index(RATED) < page.index("/takeback"), "said before it is asked"
    take(client, url, "takeback", ALICE)
    page = client.get(url, BOB)
    assert page.index("If you agree, the game will no longer be rated.") < page.index("/accept")
    take(client, url, "accept", BOB)
    line = "No longer rated: a move was taken back."
    for who in (ALICE, BOB, None):
        assert line in client.get(url, who).splitlines()
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert line in client.get(url)
    assert not is_counted(client, url)


def test_a_game_with_a_hint_counts_for_nothing(client: Client) -> None:
    resign(client, start(client, "tinc", "solo"), ALICE)
    club = rating(client, "club")
    url = start(client, "numeric", "bot-club")
    hint = links(client.get(url, ALICE))["A hint: the game will no longer be rated"]
    client.get(hint, ALICE)
    page = client.get(url, ALICE)
    assert "No longer rated: a hint was used." in page
    assert "A hint" in links(page), "nothing more is lost by the next"
    play(client, url, ["a1=5"], ALICE)
    bot_plays(client, url, "a2=8")
    take(client, url, "resign", ALICE)
    assert not is_counted(client, url)
    assert rating(client, "club") == club
