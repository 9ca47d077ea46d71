"""The ladders, as pages and as CSV."""

import csv
import io
from datetime import timedelta

import pytest
from sqlalchemy import update

from capsule.accounts import names
from capsule.db.schema import ratings
from capsule.ratings.ladders import ACTIVE, MAX_RANK, MAX_RANKED_SIGMA, PAGE_SIZE
from capsule.ratings.model import INITIAL, Rating, updated
from engine import VARIANTS
from engine.bots.levels import LEVELS
from tests.support.client import BEGINNING, Client, link, links
from tests.support.gemtext import blocks, prose
from tests.support.ladders import LADDER, holders, standings, under
from tests.support.results import rate, rate_many
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start


def walk(client: Client, onwards: str, path: str = LADDER) -> list[str]:
    """Return the pages of a ladder, from this one along the links with a label."""
    pages = [client.get(path)]
    while onwards in links(pages[-1]):
        pages.append(client.get(links(pages[-1])[onwards]))
    return pages


def rows_of_csv(client: Client, path: str = f"{LADDER}.csv") -> list[dict[str, str]]:
    answer = client.ask(path)
    assert (answer.status, answer.meta) == (20, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(answer.body, newline="")))


# Nobody yet


def test_before_anybody_is_rated_the_pages_say_so(client: Client) -> None:
    page = client.get("/players/")
    assert page.count(": nobody yet\n") == len(VARIANTS)
    assert "Nobody yet. Be the first." in page
    for variant in VARIANTS:
        ladder = client.get(f"/players/ladder/{variant}")
        assert "takes about a dozen rated games" in ladder
        assert "Nobody at the moment." in under(ladder, "Not ranked yet")
        assert "No bot has played a rated game yet." in under(ladder, "Bots")
        assert not blocks(ladder)
        assert rows_of_csv(client, f"/players/ladder/{variant}.csv") == []
        assert rows_of_csv(client, f"/players/ladder/{variant}/bots.csv") == []


# Ranks


def test_players_with_certain_ratings_are_ranked_and_the_others_stand_below(client: Client) -> None:
    for name, number, uncertainty in (
        ("bob", 1590, 120),
        ("alice", 1612, 300),
        ("newcomer", 1900, 301),
        ("dora", 1400, 80),
    ):
        rate(client, "ultimate", name, number, uncertainty=uncertainty)
    page = client.get(LADDER)
    assert standings(under(page, "Ranked")) == [
        "1. alice, 1612 ± 300, 40 games",
        "2. bob, 1590 ± 120, 40 games",
        "3. dora, 1400 ± 80, 40 games",
    ]
    assert standings(under(page, "Not ranked yet")) == ["newcomer, 1900? ± 301, 40 games"]
    assert not standings(under(client.get("/players/ladder/tinc"), "Ranked"))


@pytest.mark.parametrize("sigma", [MAX_RANKED_SIGMA - 1e-9, MAX_RANKED_SIGMA + 1e-9, 1.0, 8.0])
def test_a_rating_has_a_rank_where_it_has_no_question_mark(client: Client, sigma: float) -> None:
    rate(client, "ultimate", "alice", 1500)
    with client.database.writing() as connection:
        connection.execute(update(ratings.ratings).values(sigma=sigma))
    is_ranked = holders(under(client.get(LADDER), "Ranked")) == ["alice"]
    assert is_ranked is not Rating(25.0, sigma).is_provisional


def test_the_table_says_the_same_as_the_links(client: Client) -> None:
    rate(client, "ultimate", "a" * 24, 12345, uncertainty=100, games=123456)
    rate(client, "ultimate", "bob", -250, uncertainty=299, games=1)
    rate(client, "ultimate", "carol", 987, uncertainty=480, games=2)
    rate(client, "ultimate", "novice bot", 1000, uncertainty=480)
    rate(client, "ultimate", "master bot", 2000)
    page = client.get(LADDER)
    ranked, provisional, bots = blocks(page)
    assert ranked.title == "The ladder of Ultimate from rank 1 to 2"
    assert ranked.rows == (
        "Rank  Player                    Rating    ±   Games",
        "   1  aaaaaaaaaaaaaaaaaaaaaaaa   12345  100  123456",
        "   2  bob                         -250  299       1",
    )
    assert provisional.rows == ("Player  Rating    ±  Games", "carol     987?  480      2")
    assert bots.rows == (
        "Level   Rating    ±  Games",
        "master   2000    90     40",
        "novice   1000?  480     40",
    )
    said = prose(page)
    for facts in ("1. aaaaaaaaaaaaaaaaaaaaaaaa, 12345 ± 100, 123456 games", "2. bob, -250 ± 299"):
        assert facts in said
    for facts in (
        "bob, -250 ± 299, 1 game\n",
        "carol, 987? ± 480",
        "* master, 2000 ± 90, 40 games",
    ):
        assert facts in said
    for block in (ranked, provisional, bots):
        assert block.title
        assert max(map(len, block.rows)) <= 64


def test_bots_have_their_own_list_and_take_nobodys_rank(client: Client) -> None:
    rate(client, "ultimate", "master bot", 2400, games=900)
    rate(client, "ultimate", "alice", 1500)
    rate(client, "tinc", "club bot", 1500)
    page = client.get(LADDER)
    assert standings(under(page, "Ranked")) == ["1. alice, 1500 ± 90, 40 games"]
    assert "* master, 2400 ± 90, 900 games" in under(page, "Bots")
    assert "club" not in page
    assert "master" not in client.get("/players/")
    assert [row["name"] for row in rows_of_csv(client)] == ["alice"]
    assert client.ask(f"{LADDER}/bots.csv").body.splitlines() == [
        "level,rating,uncertainty,provisional,games,last_game",
        "master,2400,90,no,900,2026-11-20T14:02:00Z",
    ]


def test_equals_share_a_rank_even_from_page_to_page(client: Client) -> None:
    higher = {f"player-{place:02}": 2000 - place for place in range(PAGE_SIZE - 2)}
    rate_many(client, "ultimate", {**higher, "ann": 1500, "ben": 1500, "cat": 1500, "dan": 1400})
    first, second = walk(client, "Ranked lower")
    shared = PAGE_SIZE - 1
    ranks = [label.partition(",")[0] for label in standings(under(first, "Ranked"))]
    assert ranks[-3:] == [f"{shared - 1}. player-47", f"{shared}. cat", f"{shared}. ben"]
    ranks = [label.partition(",")[0] for label in standings(under(second, "Ranked"))]
    assert ranks == [f"{shared}. ann", f"{shared + 3}. dan"]
    in_csv = {row["name"]: row["rank"] for row in rows_of_csv(client)}
    assert [in_csv[name] for name in ("ann", "ben", "cat", "dan")] == ["49", "49", "49", "52"]


def test_a_year_without_a_game_costs_the_rank_until_the_next_one(client: Client) -> None:
    rate(client, "ultimate", "champion", 2000)
    client.now += timedelta(days=1)
    rate(client, "ultimate", "alice", 1500)
    assert holders(under(client.get(LADDER), "Ranked")) == ["champion", "alice"]
    client.now = BEGINNING + ACTIVE + timedelta(hours=1)
    page = client.get(LADDER)
    assert standings(under(page, "Ranked")) == ["1. alice, 1500 ± 90, 40 games"]
    assert "One of these games must have ended in the last 365 days." in page
    assert "champion" not in page
    assert "champion" not in client.get("/players/").partition("## Recently active")[0]
    assert [(row["rank"], row["name"]) for row in rows_of_csv(client)] == [
        ("", "champion"),
        ("1", "alice"),
    ]
    profile = client.get("/players/champion")
    assert (
        "Ultimate: 2000 ± 90 after 40 games, no rank, last rated game on 20 November 2026"
        in profile
    )


# Long ladders


@pytest.mark.parametrize(("section", "uncertainty"), [("Ranked", 90), ("Not ranked yet", 400)])
def test_a_long_ladder_is_read_to_its_end_and_back(
    client: Client, section: str, uncertainty: int
) -> None:
    rate_many(client, "ultimate", {f"p{number:03}": 1500 + number // 3 for number in range(130)})
    with client.database.writing() as connection:
        connection.execute(update(ratings.ratings).values(sigma=uncertainty / 60))
    lower, higher = {
        "Ranked": ("Ranked lower", "Ranked higher"),
        "Not ranked yet": ("Not ranked yet, rated lower", "Not ranked yet, rated higher"),
    }[section]
    there = walk(client, lower)
    read = [holders(under(page, section)) for page in there]
    assert [len(page) for page in read] == [50, 50, 30]
    in_order = [name for page in read for name in page]
    assert in_order == sorted(in_order, reverse=True)
    assert len(set(in_order)) == 130
    assert "## Bots" not in there[1]
    assert links(there[1])["The whole ladder, from the top"] == LADDER

    last = links(there[1])[lower]
    back = walk(client, higher, last)
    assert [name for page in reversed(back) for name in holders(under(page, section))] == in_order


# The visitor's own place


def test_players_are_told_their_own_rank_and_nobody_elses(client: Client) -> None:
    for who in (ALICE, BOB, CAROL):
        start(client, "tinc", "solo", who)
    rate(client, "ultimate", "alice", 1600)
    rate(client, "ultimate", "bob", 1500)
    rate(client, "ultimate", "carol", 1700, uncertainty=450, games=2)
    assert "You: 2. bob, 1500 ± 90, 40 games." in client.get(LADDER, BOB)
    assert "You: carol, 1700? ± 450, 2 games. You have no rank yet." in client.get(LADDER, CAROL)
    assert "You: " not in client.get(LADDER)
    assert "You: " not in client.get("/players/ladder/tinc", BOB)
    client.now += ACTIVE + timedelta(days=1)
    assert "You have no rank, since your last rated game was on 20 November 2026" in client.get(
        LADDER, BOB
    )


def test_a_player_far_down_is_led_there(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    rate_many(client, "ultimate", {f"p{number:03}": 2000 - number for number in range(70)})
    rate(client, "ultimate", "alice", 1000)
    rate_many(client, "ultimate", {"lower": 900})
    page = client.get(LADDER, ALICE)
    assert "You: 71. alice" in page
    there = client.get(links(page)["The ladder from your place down"], ALICE)
    assert holders(under(there, "Ranked")) == ["alice", "lower"]
    assert "Ranked higher" in links(there)
    rate(client, "ultimate", "bob", 1980)
    start(client, "tinc", "solo", BOB)
    assert "The ladder from your place down" not in links(client.get(LADDER, BOB))


def test_beside_the_ladder_ranks_are_counted_up_to_a_thousand(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    rate(client, "ultimate", "alice", 1000)
    rate_many(client, "ultimate", {f"p{number}": 2000 for number in range(MAX_RANK - 1)})
    assert "rank 1000" in client.get("/players/alice")
    rate_many(client, "ultimate", {"one-more": 2000})
    assert "ranked beyond 1000" in client.get("/players/alice")
    page = client.get(LADDER, ALICE)
    assert "You: alice, 1000 ± 90, 40 games, ranked beyond 1000." in page
    there = client.get(links(page)["The ladder from your place down"])
    assert standings(under(there, "Ranked")) == ["1001. alice, 1000 ± 90, 40 games"]


# CSV


def test_the_csv_has_the_whole_ladder(client: Client) -> None:
    rate_many(client, "ultimate", {f"p{number:03}": 1500 + number for number in range(120)})
    rate(client, "ultimate", "carol", 1570.5, uncertainty=450, games=2)
    found = rows_of_csv(client)
    names = "rank name rating uncertainty provisional games last_game program".split()
    values = "1 p119 1619 90 no 40 2026-11-20T14:02:00Z no".split()
    assert [*found[0].items()] == [*zip(names, values, strict=True)]
    assert len(found) == 121
    (carol,) = (row for row in found if row["name"] == "carol")
    assert (carol["rank"], carol["provisional"]) == ("", "yes")
    assert [row["rank"] for row in found if row["rank"]] == [str(rank) for rank in range(1, 121)]
    body = client.ask(f"{LADDER}.csv").body
    assert body.count("\r\n") == body.count("\n") == 122


def test_no_name_can_be_a_formula_in_somebodys_spreadsheet(client: Client) -> None:
    for sign in "=+-@\t\r,;\"'|_":
        assert names.letters_problem(f"{sign}cmd") is not None
    for level in LEVELS:
        assert level.replace("-plus", "").isalpha()
    rate(client, "ultimate", "0-1_A", -250)
    (row,) = rows_of_csv(client)
    assert (row["name"], row["rating"]) == ("0-1_A", "-250")


# From games to ladders


def test_a_rated_game_brings_both_players_onto_the_ladder(client: Client) -> None:
    url = start(client, "numeric", "invite")
    client.get(link(client.get(url, BOB), "/join"), BOB)
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    part = under(client.get("/players/ladder/numeric"), "Not ranked yet")
    odd, even = updated(INITIAL, INITIAL, (0, 1))
    assert standings(part) == [f"bob, {even.text}, 1 game", f"alice, {odd.text}, 1 game"]
    assert links(part)[f"bob, {even.text}, 1 game"] == "/players/bob"
    assert url not in client.get("/players/ladder/numeric", ALICE)
