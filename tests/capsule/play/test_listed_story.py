"""Which games are listed, told by feeds, and counted by the explorer."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as some
from sqlalchemy import insert, select

from capsule.boards import explorer
from capsule.db.schema.games import games as stored_games
from capsule.db.schema.social import annotated_games
from capsule.games.visibility import Listing, Party, is_listed, listing_of
from tests.support.choices import choose
from tests.support.client import Client, link, links
from tests.support.feeds import addresses, entries
from tests.support.people import declare
from tests.support.stored import change_row, player_id
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    action_in,
    challenge,
    open_game,
    play,
    start,
)
from tests.support.tournaments import DAVE, begin, games, keep_time, resign

PEOPLE = {"alice": ALICE, "bob": BOB, "carol": CAROL}
PUBLIC = ("/games/", "/games/numeric", "/feed", "/games/numeric/feed", "/players/alice/feed")
"""Public pages that could show a game of numeric."""


def started(client: Client, way: str, terms: str = "") -> str:
    """Let Alice start a game of numeric on the terms of a page, and return its URL."""
    page = client.get(f"/play/new/numeric{terms}", ALICE)
    return client.ask(link(page, f"/{way}"), ALICE).meta


def shown(client: Client, url: str) -> set[str]:
    """Return the public pages that lead to a game."""
    return {page for page in PUBLIC if url in client.get(page)}


def explored(client: Client) -> int:
    """Have the explorer count what is due, and return how many games it has counted."""
    explorer.count_due(client.context)
    with client.database.reading() as connection:
        found = connection.execute(select(stored_games.c.id).where(stored_games.c.explored))
        return len(found.all())


def test_a_program_that_takes_a_programs_seat_takes_the_game_off_the_lists(client: Client) -> None:
    declare(client, ALICE, BOB)
    url = start(client, "numeric", "open")
    assert shown(client, url) == {*PUBLIC}, "the seat is open to people"
    client.get(link(client.get(url, BOB), "/join"), BOB)
    assert not shown(client, url)
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert not shown(client, url)
    assert not explored(client)
    assert url in client.get(f"{url}/feed")


@pytest.mark.parametrize("way", ["solo", "bot-club"])
def test_what_a_program_plays_alone_or_with_a_bot_is_never_listed(client: Client, way: str) -> None:
    declare(client, ALICE)
    assert not shown(client, started(client, way, "?listed=yes"))


def test_games_that_run_are_listed_no_more_once_no_person_plays_them(client: Client) -> None:
    url = started(client, "open", "?rated=no")
    client.get(link(client.get(url, BOB), "/join"), BOB)
    declare(client, ALICE)
    assert url in client.get("/games/"), "bob is a person"
    declare(client, BOB)
    assert not shown(client, url)


def test_games_that_ended_are_listed_no_more_once_a_program_says_so(client: Client) -> None:
    between = open_game(client, "numeric", ALICE, CAROL)
    with_bot = started(client, "bot-club", "?listed=yes&rated=no")
    for url in (between, with_bot):
        play(client, url, ["a1=5"], ALICE)
        resign(client, url, ALICE)
    with client.database.writing() as connection:
        change_row(
            connection,
            with_bot.removeprefix("/play/"),
            status="resigned",
            winner="O",
            x_points=0,
            o_points=1,
        )
        connection.execute(
            insert(annotated_games).values(
                game_id=with_bot.removeprefix("/play/"),
                player_id=player_id(client, ALICE),
                published_at=client.now,
                listed=True,
                shown=True,
            )
        )
    client.forget_pages()
    assert with_bot in client.get("/games/annotated")
    assert with_bot in client.get("/games/")
    assert between in client.get("/games/")
    declare(client, ALICE)
    assert not shown(client, with_bot)
    assert with_bot not in client.get("/games/annotated") + client.get("/games/annotated/feed")
    assert between in client.get("/games/"), "carol is a person"


def test_a_tournament_is_one_entry_when_it_begins_and_one_when_it_ends(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    beginning = f"{url}?started"
    for feed in ("/feed", "/games/numeric/feed"):
        assert addresses(client, feed) == [beginning]
        assert entries(client, feed) == ["alice's Numeric begins: Numeric"]
    client.now += timedelta(hours=1)
    for (x, o), game in games(client, url).items():
        assert game in client.get("/games/"), "two people play it"
        resign(client, game, PEOPLE[max(x, o)])
    keep_time(client)
    for feed in ("/feed", "/games/numeric/feed"):
        assert addresses(client, feed) == [f"{url}?finished", beginning]
    assert not addresses(client, "/players/alice/feed")


def test_the_games_of_a_tournament_are_listed_as_their_people_have_set_it(client: Client) -> None:
    for who in PEOPLE.values():
        start(client, "tinc", "solo", who)
    declare(client, CAROL)
    choose(client, "lists-bots/on")
    url = begin(client, "variant=numeric&seats=4&starts=full", BOB, CAROL, DAVE)
    for names, game in games(client, url).items():
        expected = "carol bot" not in names or "alice" in names
        assert expected == (game in client.get("/games/")), names


# Settings and terms


def invited(client: Client, terms: str = "") -> str:
    """Let Alice invite somebody on the terms of a page, and return the game's URL."""
    return started(client, "invite", terms)


def challenged(client: Client, terms: str = "") -> str:
    """Let Alice challenge Bob on the terms of a page, and return the game's URL."""
    start(client, "tinc", "solo", BOB)
    return challenge(client, "bob", "numeric", terms=terms).meta


@pytest.mark.parametrize(("begin", "verb"), [(invited, "join"), (challenged, "accept")])
def test_a_game_between_two_people_is_listed_once_both_seats_are_taken(
    client: Client, begin: Callable[[Client], str], verb: str
) -> None:
    url = begin(client)
    assert not shown(client, url)
    page = client.get(url, BOB)
    assert "The game will be on the public lists. You can join and keep it off them." in page
    assert link(page, f"/{verb}").endswith(f"/{verb}?listed=yes")
    client.get(link(page, f"/{verb}"), BOB)
    assert shown(client, url) == {*PUBLIC}


@pytest.mark.parametrize(("begin", "verb"), [(invited, "join"), (challenged, "accept")])
def test_whoever_takes_the_seat_may_decline(
    client: Client, begin: Callable[[Client], str], verb: str
) -> None:
    url = begin(client)
    found = links(client.get(url, BOB))
    label = {
        "join": "Take the seat, off the public lists",
        "accept": "Accept, off the public lists",
    }
    client.get(found[label[verb]], BOB)
    assert "Your turn" in client.get(url, ALICE)
    assert not shown(client, url)


@pytest.mark.parametrize(("begin", "verb"), [(invited, "join"), (challenged, "accept")])
def test_a_setting_declines_unless_the_term_of_a_game_asks_for_it(
    client: Client, begin: Callable[[Client], str], verb: str
) -> None:
    choose(client, "lists/off", who=BOB)
    for ask, expected in ((False, False), (True, True)):
        url = begin(client)
        page = client.get(url, BOB)
        assert "Your settings keep the game off the public lists." in page
        (other,) = (each for each in links(page).values() if each.endswith(f"/{verb}?listed=yes"))
        client.get(other if ask else link(page, f"/{verb}"), BOB)
        assert bool(shown(client, url)) == expected


@pytest.mark.parametrize(("begin", "verb"), [(invited, "join"), (challenged, "accept")])
@pytest.mark.parametrize("is_set", [True, False])
def test_what_the_host_declines_cannot_be_listed(
    client: Client, begin: Callable[[Client, str], str], verb: str, *, is_set: bool
) -> None:
    if is_set:
        choose(client, "lists/off")
    url = begin(client, "" if is_set else "?listed=no")
    page = client.get(url, BOB)
    assert "The game will not be on the public lists." in page
    taking = [each for each in links(page).values() if f"/{verb}" in each]
    assert len(taking) == 1
    client.get(taking[0].replace("listed=no", "listed=yes"), BOB)
    assert "Your turn" in client.get(url, ALICE)
    assert not shown(client, url)


def test_a_visitor_without_a_certificate_is_told_before_signing_in(client: Client) -> None:
    assert "The game will be on the public lists." in client.get(invited(client))


def test_terms_in_an_address_mean_what_they_meant(client: Client) -> None:
    for terms in ("", "?listed=no&rated=yes"):
        url = start(client, "numeric", f"open{terms}")
        client.get(action_in(client, url, BOB, "join"), BOB)
        assert url in client.get("/games/")
        url = start(client, "numeric", f"invite{terms}")
        client.get(action_in(client, url, BOB, "join"), BOB)
        assert not shown(client, url)
    url = start(client, "numeric", "bot-club?listed=yes&rated=no")
    assert url in client.get("/games/")


def test_a_term_that_no_page_has_written_takes_no_seat(client: Client) -> None:
    url = invited(client)
    join = action_in(client, url, BOB, "join")
    assert client.ask(f"{join}?listed=perhaps", BOB).status == 20
    assert "open seat" in client.get(url)


@pytest.mark.parametrize("way", ["bot-club", "open", "challenge"])
@pytest.mark.parametrize("is_set", [True, False])
def test_a_game_with_a_bot_or_a_program_is_listed_only_if_its_player_wants_it(
    client: Client, way: str, *, is_set: bool
) -> None:
    start(client, "tinc", "solo", BOB)
    declare(client, BOB)
    if is_set:
        choose(client, "lists-bots/on")
    if way == "challenge":
        url = challenge(client, "bob", "numeric").meta
        client.get(link(client.get(url, BOB), "/accept"), BOB)
    else:
        url = started(client, way)
    if way == "open":
        client.get(link(client.get(url, BOB), "/join"), BOB)
    assert shown(client, url) == ({*PUBLIC} if is_set else set())


@pytest.mark.parametrize("is_set", [True, False])
def test_whoever_takes_a_programs_seat_decides_alone(client: Client, *, is_set: bool) -> None:
    start(client, "tinc", "solo", ALICE)
    declare(client, ALICE)
    if is_set:
        choose(client, "lists-bots/on", who=BOB)
    url = start(client, "numeric", "open")
    client.get(link(client.get(url, BOB), "/join"), BOB)
    assert bool(shown(client, url)) == is_set


def test_a_rematch_is_listed_as_the_game_was_unless_either_declines(client: Client) -> None:
    url = invited(client)
    client.get(link(client.get(url, BOB), "/join"), BOB)
    resign(client, url, BOB)
    client.get(link(client.get(url, ALICE), "/rematch"), ALICE)
    page = client.get(url, BOB)
    assert "The game will be on the public lists." in page
    again = client.ask(link(page, "/accept"), BOB).meta
    assert again in client.get("/games/")

    resign(client, again, BOB)
    client.get(links(client.get(again, ALICE))["Play again, off the public lists"], ALICE)
    page = client.get(again, BOB)
    assert "The game will not be on the public lists." in page
    third = client.ask(link(page, "/accept"), BOB).meta
    assert third not in client.get("/games/")

    resign(client, third, BOB)
    client.get(links(client.get(third, ALICE))["Play again, on the public lists"], ALICE)
    fourth = client.ask(links(client.get(third, BOB))["Accept, off the public lists"], BOB).meta
    assert fourth not in client.get("/games/")


@pytest.mark.slow
@given(some.data())
@settings(max_examples=25, deadline=None)
def test_the_stories_agree_with_the_rule(data: some.DataObject) -> None:
    way = data.draw(some.sampled_from(("invite", "open", "bot-club", "solo")))
    offered = data.draw(some.sampled_from(("", *(f"?listed={each}" for each in Listing))))
    taken = data.draw(some.sampled_from(("", "?listed=yes", "?listed=no")))
    parties, usual = [], []
    with TemporaryDirectory() as home:
        client = Client(Path(home))
        for who, term in ((ALICE, offered), (BOB, taken)):
            people, bots, is_program = (data.draw(some.booleans()) for _ in range(3))
            start(client, "tinc", "solo", who)
            changes = {"lists/off": not people, "lists-bots/on": bots}
            choose(client, *(change for change, is_made in changes.items() if is_made), who=who)
            if is_program:
                declare(client, who)
            usual.append(listing_of(with_people=people, with_bots=bots))
            asked = Listing(term.removeprefix("?listed=")) if term else usual[-1]
            parties.append(Party(not is_program, asked))
        host, guest = parties
        url = started(client, way, offered)
        if way in ("invite", "open"):
            assert (url in client.get("/games/")) == (way == "open")
            client.get(f"{action_in(client, url, BOB, 'join')}{taken}", BOB)
            expected = is_listed(host, guest)
        elif way == "solo":
            is_asked_for = offered == "?listed=yes" and usual[0] is not Listing.ALL
            expected = is_asked_for and is_listed(host, None)
        else:
            expected = is_listed(host, Party(is_person=False))
        assert (url in client.get("/games/")) == expected
        client.database.close()
