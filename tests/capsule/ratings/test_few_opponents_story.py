"""A rating needs several opponents, and two games a day against one of them are enough."""

import json
from datetime import timedelta

from sqlalchemy import text, update

from capsule.db.schema.ratings import ratings
from capsule.games.maintenance import recompute
from capsule.gemini.types import Certificate
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder, Rating
from tests.support.client import Client, link, links
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
from tests.support.tournaments import DAVE, begin, resign

SURPLUS = "Not rated: only two games a day between the same two players count."


def rating(client: Client, who: Certificate = ALICE, variant: str = "numeric") -> Rating:
    """Return a player's rating."""
    with client.database.reading() as connection:
        holder = Holder(variant, player_id(client, who), None)
        return rating_queries.ratings_of(connection, [holder])[holder]


def lose_to(client: Client, winner: Certificate, variant: str = "numeric") -> str:
    """Let alice lose a game to somebody, as X, and return its URL."""
    return played(client, variant, ALICE, winner)


def test_the_third_game_of_two_players_on_a_day_does_not_count(client: Client) -> None:
    first, second = (lose_to(client, BOB) for _ in range(2))
    before = rating(client)
    third = start_between(client, "numeric", ALICE, BOB)
    for who in (ALICE, BOB, None):
        assert SURPLUS in client.get(third, who), "they know before they play"
    play(client, third, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert SURPLUS in client.get(third)
    assert rating(client) == before
    for url in (first, second):
        assert "Ratings in Numeric after this game" in client.get(url)
    assert recompute(client.database, check=True).differing == 0


def test_the_day_is_that_of_the_beginning_in_utc(client: Client) -> None:
    late, later, third = (start_between(client, "numeric") for _ in range(3))
    client.now += timedelta(hours=9, minutes=58)
    fourth = start_between(client, "numeric")
    for url in (third, later, late, fourth):
        play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    counted = ["Ratings in" in client.get(url) for url in (late, later, third, fourth)]
    assert counted == [True, True, False, True], "whichever ends first"


def test_another_opponent_or_variant_is_another_matter(client: Client) -> None:
    for _ in range(2):
        lose_to(client, BOB)
    for url in (lose_to(client, CAROL), lose_to(client, BOB, "quantum")):
        assert "after this game" in client.get(url)


def test_challenges_rematches_and_tournaments_are_no_way_around(client: Client) -> None:
    for _ in range(2):
        url = lose_to(client, BOB)
    client.ask(link(client.get(url, ALICE), "/rematch"), ALICE)
    client.ask(link(client.get(url, BOB), "/accept"), BOB)
    page = client.get("/play/new/numeric", CAROL)
    challenge = client.type(link(page, "/challenge"), "bob", CAROL).meta
    client.get(link(client.get(challenge, BOB), "/accept"), BOB)
    assert SURPLUS not in client.get(challenge)
    begin(client, "variant=numeric&seats=3")
    with client.database.reading() as connection:
        found = connection.execute(
            text("SELECT surplus, count(*) FROM games WHERE rated GROUP BY 1 ORDER BY 1")
        ).all()
    # The rematch; of the tournament, alice's and bob's two games and one of bob's and carol's.
    assert [tuple(row) for row in found] == [(False, 2 + 1 + 3), (True, 1 + 2 + 1)]


def is_rated(client: Client, url: str, who: Certificate | None) -> bool:
    """Return whether a program is told that a game is rated."""
    told = json.loads(client.get(f"{url}/state.json", who))["rated"]
    assert isinstance(told, bool)
    return told


def label_of(page: str, address: str) -> str:
    """Return the label of the link that leads to an address."""
    return next(label for label, url in links(page).items() if address in url)


def test_an_open_seat_says_what_the_third_game_will_be_for_its_reader(client: Client) -> None:
    start(client, "tinc", "solo", CAROL)
    url = start(client, "numeric", "open", ALICE)
    assert ", rated: take the seat" in label_of(client.get(url, BOB), "/join")
    for _ in range(2):
        lose_to(client, BOB)
    page = client.get(url, BOB)
    assert ", casual: take the seat" in label_of(page, "/join")
    assert SURPLUS in page
    assert not is_rated(client, url, BOB)
    assert label_of(client.get("/play/new/numeric", BOB), url).endswith(", casual")
    (seat,) = json.loads(client.get("/games/open.json", BOB))["games"]
    assert not seat["rated"]
    for stranger in (CAROL, None):
        page = client.get(url, stranger)
        assert ", rated: " in page
        assert SURPLUS not in page
        assert is_rated(client, url, stranger)
    assert is_rated(client, url, ALICE), "to anybody else it is"
    client.now += timedelta(hours=10)
    assert ", rated: take the seat" in label_of(client.get(url, BOB), "/join"), "a new day"
    assert is_rated(client, url, BOB)


def test_a_challenge_says_what_the_third_game_will_be(client: Client) -> None:
    for _ in range(2):
        lose_to(client, BOB)
    page = client.get("/play/new/numeric?with=bob", ALICE)
    assert label_of(page, "/challenge").endswith("on these terms, casual")
    assert SURPLUS in page
    assert SURPLUS in client.get("/play/new/numeric/terms?with=bob", ALICE)
    other = client.get("/play/new/quantum?with=bob", ALICE)
    assert label_of(other, "/challenge").endswith("on these terms, rated")
    url = client.ask(link(page, "/challenge?bob"), ALICE).meta
    asked = client.get(url, BOB)
    assert label_of(asked, "/accept").endswith(", casual")
    assert SURPLUS in asked
    assert SURPLUS in client.get(url, ALICE)
    for who in (ALICE, BOB, None):
        assert not is_rated(client, url, who)
    (told,) = json.loads(client.get("/play/desk.json", BOB))["challenges"]
    assert not told["rated"]
    client.now += timedelta(hours=10)
    assert label_of(client.get(url, BOB), "/accept").endswith(", rated"), "a new day"
    assert is_rated(client, url, ALICE)


def test_a_rematch_says_what_the_third_game_will_be(client: Client) -> None:
    first = lose_to(client, BOB)
    assert label_of(client.get(first, ALICE), "/rematch").endswith(", rated")
    second = lose_to(client, BOB)
    for url in (first, second):
        assert label_of(client.get(url, ALICE), "/rematch").endswith(", casual")
    client.ask(link(client.get(second, ALICE), "/rematch"), ALICE)
    assert label_of(client.get(second, BOB), "/accept").endswith(", casual")


def test_programs_are_told_that_the_third_game_is_not_rated(client: Client) -> None:
    first, _ = (lose_to(client, BOB) for _ in range(2))
    assert is_rated(client, first, None)
    third = start_between(client, "numeric", ALICE, BOB)
    assert not is_rated(client, third, ALICE)
    play(client, third, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert not is_rated(client, third, ALICE)


def test_a_rating_is_provisional_until_there_were_three_opponents(client: Client) -> None:
    for opponent, number in ((BOB, 1), (BOB, 1), (CAROL, 2)):
        lose_to(client, opponent)
        assert rating(client).opponents == number
    certain(client)
    ladder = client.get("/players/ladder/numeric")
    assert ladder.index("rovisional") < ladder.index("alice"), "she has no rank"
    assert rating(client).short.endswith("?")
    assert "?" in client.get("/players/alice")
    line = next(
        line for line in client.get("/players/ladder/numeric.csv").splitlines() if ",alice," in line
    )
    assert line.startswith(",alice,")
    exported = json.loads(client.get("/play/me/export.json", ALICE))["ratings"]
    assert exported[0]["provisional"]
    lose_to(client, DAVE)
    certain(client)
    assert not rating(client).is_provisional
    assert "1,alice," in client.get("/players/ladder/numeric.csv")


def test_a_bot_is_an_opponent_too(client: Client) -> None:
    resign(client, start(client, "tinc", "solo"), ALICE)
    game = start(client, "numeric", "bot-club")
    play(client, game, ["a1=5"], ALICE)
    bot_plays(client, game, "a2=8")
    resign(client, game, ALICE)
    assert rating(client).opponents == 1
    assert recompute(client.database, check=True).differing == 0


def certain(client: Client) -> None:
    """Make alice's rating as certain as many games would."""
    with client.database.writing() as connection:
        mine = ratings.c.player_id == player_id(client, ALICE)
        connection.execute(update(ratings).where(mine).values(sigma=1.5))
