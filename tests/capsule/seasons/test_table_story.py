"""The table of a season: its order, its months, and what bans and erasures do to it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from capsule.db.schema.ratings import season_events
from capsule.languages.dates import Month
from capsule.seasons import queries, scoring
from capsule.seasons.model import Standing
from tests.capsule.puzzles.test_daily_story import answer
from tests.support.client import Client, certificate, context_of, link, links
from tests.support.console import Console
from tests.support.people import erase
from tests.support.query_log import recorded_queries
from tests.support.results import player_called
from tests.support.seasons import score, settle, store_bot_game, store_game, table, win
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between
from tests.support.tournaments import DAVE, resign

NOVEMBER, DECEMBER = "/season/2026-11", "/season/2026-12"
MONTHS_END = datetime(2026, 12, 1, tzinfo=UTC)
FREEZE = datetime(2026, 12, 4, tzinfo=UTC)
MOMENT = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def settled(client: Client) -> None:
    settle(client, ALICE, BOB, CAROL)


def store_standings(client: Client, number: int, month: Month) -> None:
    for place in range(1, number + 1):
        standing = Standing(1_000 - place, 1, client.now)
        player = player_called(client, f"player{place}")
        with client.database.writing() as connection:
            queries.save_standing(connection, month, player, standing)


# The order


def test_of_equal_points_fewer_games_are_first(client: Client) -> None:
    for day in range(3):
        client.now += timedelta(days=1)
        if day:
            answer(client, CAROL)
        store_bot_game(client, ALICE, "master")
    store_game(client, CAROL, None, o_bot="master")
    answer(client, BOB)
    client.now += timedelta(days=1)
    answer(client, BOB)
    store_bot_game(client, BOB, "master")
    assert table(client) == {"carol": (3, 1), "bob": (3, 1), "alice": (3, 3)}


def test_of_equal_points_and_games_who_came_to_them_first_is_first(client: Client) -> None:
    answer(client, BOB)
    client.now += MOMENT
    answer(client, ALICE)
    client.now += MOMENT
    answer(client, CAROL)
    assert [*table(client)] == ["bob", "alice", "carol"]


def test_a_long_table_has_pages(client: Client) -> None:
    store_standings(client, 120, Month.of(client.now))
    first = client.get("/season/")
    assert "50. player50: 950 points, 1 game" in first
    assert "player51" not in first
    second = client.get(links(first)["Lower on the table"])
    assert "\n=> /players/player51 51. player51: 949 points, 1 game\n" in second
    assert "How you earn points" not in second
    third = client.get(links(second)["Lower on the table"])
    assert "120. player120: 880 points, 1 game" in third
    assert "Lower on the table" not in links(third)
    assert client.get(links(third)["Higher on the table"]) == second
    assert client.get(links(second)["Higher on the table"]) == first
    assert client.get("/season/?lower-1-1") == first


def test_a_player_sees_their_own_place(client: Client) -> None:
    assert client.ask("/play/season/").meta == "/play/?season/"
    own = client.get("/play/season/", ALICE)
    assert "You have no points yet this month." in own
    assert "Nothing counts for you yet" not in own
    store_standings(client, 60, Month.of(client.now))
    win(client)
    score(client)
    own = client.get("/play/season/", ALICE)
    assert "\n61. alice: 3 points, 1 game.\n" in own
    around = client.get(links(own)["The table from your place down"])
    assert "\n=> /players/alice 61. alice: 3 points, 1 game\n" in around
    assert "60. player60" not in around


@pytest.mark.sqlite
def test_the_page_with_ones_own_place_says_at_once_that_games_count(client: Client) -> None:
    nothing = "Nothing counts for you yet."
    start(client, "tinc", "solo", DAVE)
    client.now += timedelta(hours=23, minutes=59)
    url = start_between(client, "ultimate", ALICE, DAVE)
    page = client.get("/play/season/", DAVE)
    assert nothing in page
    assert "You earn points once you have been here for a day." in page
    play(client, url, WON_GAMES["ultimate"].split()[:4], ALICE, DAVE)
    resign(client, url, DAVE)
    assert nothing in client.get("/play/season/", DAVE), "a minute is missing"
    client.now += timedelta(minutes=1)
    assert nothing not in client.get("/play/season/", DAVE)
    erin = certificate("erin")
    start(client, "tinc", "solo", erin)
    client.now += timedelta(days=2)
    assert nothing in client.get("/play/season/", erin)
    url = start_between(client, "ultimate", ALICE, erin)
    play(client, url, WON_GAMES["ultimate"].split()[:4], ALICE, erin)
    resign(client, url, erin)
    assert nothing not in client.get("/play/season/", erin)


# The months


def test_a_month_ends_at_midnight_and_freezes_three_days_later(client: Client) -> None:
    win(client)
    score(client)
    client.now = MONTHS_END - MOMENT
    assert client.get("/season/").startswith("# Season table: November 2026\n")
    assert client.ask(DECEMBER).status == 51
    client.now = MONTHS_END
    page = client.get("/season/")
    assert page.startswith("# Season table: December 2026\n")
    assert "Nobody has points yet." in page
    assert links(page)["November 2026, final on 4 December 2026 at 00:00 UTC"] == NOVEMBER
    assert "This table can still change until 4 December 2026 at 00:00 UTC." in client.get(NOVEMBER)
    client.now = FREEZE - MOMENT
    assert "can still change" in client.get(NOVEMBER)
    client.now = FREEZE
    assert "This table is final." in client.get(NOVEMBER)
    page = client.get("/season/")
    assert "The leaders of November 2026:" in page
    assert "\n=> /players/alice 1. alice: 3 points, 1 game\n" in page
    assert links(page)["November 2026, the whole table"] == NOVEMBER


def test_the_first_three_of_the_last_frozen_month_stand_on_the_page(client: Client) -> None:
    store_standings(client, 5, Month(2026, 11))
    for now in (FREEZE, datetime(2027, 1, 3, 23, 59, tzinfo=UTC)):
        client.now = now
        last = client.get("/season/").partition("## Earlier months")[2]
        assert "3. player3: 997 points, 1 game" in last
        assert "player4" not in last
    client.now = datetime(2027, 1, 4, tzinfo=UTC)
    assert "## Earlier months" not in client.get("/season/"), "nobody had points in December"
    assert links(client.get(DECEMBER))["The table of November 2026"] == NOVEMBER


@pytest.mark.parametrize(
    "month", ["2026-10", "2026-12", "2026-13", "2026-00", "0000-01", "9999-12", "0001-01"]
)
def test_a_month_without_a_table_is_not_there(client: Client, month: str) -> None:
    win(client)
    score(client)
    assert client.ask(f"/season/{month}").status == 51


def test_after_a_stop_of_days_all_counts_by_its_date(client: Client) -> None:
    client.now = MONTHS_END - MOMENT
    win(client)
    client.now = MONTHS_END
    win(client, CAROL, BOB)
    client.now = FREEZE + timedelta(days=9)
    client.restart()
    assert table(client, NOVEMBER) == {"alice": (3, 1), "bob": (1, 1)}
    assert table(client) == {"carol": (3, 1), "bob": (1, 1)}


def test_nothing_counts_twice_whoever_sweeps(client: Client) -> None:
    for number in range(12):
        store_game(client, ALICE, BOB, client.now - timedelta(hours=number))
    answer(client, CAROL)
    contexts = [context_of(client) for _ in range(3)]
    with ThreadPoolExecutor() as pool:
        for _ in pool.map(scoring.score_due, contexts):
            pass
    assert score(client) == 0
    assert {*table(client)} == {"alice", "bob", "carol"}
    with client.database.reading() as connection:
        events = connection.execute(select(func.count()).select_from(season_events)).scalar_one()
    assert events == 25
    assert table(client)["carol"] == (1, 0)


def test_an_interrupted_step_gives_all_or_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    win(client)
    with monkeypatch.context() as patch:
        patch.setattr(scoring, "refresh", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            score(client)
    assert "Nobody has points yet" in client.get("/season/")
    assert table(client) == {"alice": (3, 1), "bob": (1, 1)}


@pytest.mark.sqlite
def test_the_page_is_kept_until_somebody_gets_points(client: Client) -> None:
    before = client.get("/season/")
    with recorded_queries(client) as recorded:
        assert client.get("/season/") == before
    assert not recorded
    win(client)
    scoring.score_due(context_of(client))
    assert "1. alice: 3 points" in client.get("/season/")


@pytest.mark.sqlite
def test_kept_pages_lose_a_name_as_soon_as_its_player_does(client: Client) -> None:
    win(client)
    score(client)
    client.now = FREEZE
    pages = ("/season/", NOVEMBER)
    assert all("1. alice: 3 points" in client.get(page) for page in pages)
    client.type(link(client.get("/play/me/", ALICE), "/name"), "alicia", ALICE)
    assert all("1. alicia: 3 points" in client.get(page) for page in pages)
    erase(client, ALICE)
    assert all("1. a former player: 3 points" in client.get(page) for page in pages)


# Bans and erasures


def test_a_ban_takes_off_the_table_what_others_earned_too(client: Client, console: Console) -> None:
    win(client, BOB, ALICE)
    win(client, CAROL, ALICE)
    answer(client, CAROL)
    assert table(client) == {"carol": (4, 1), "bob": (3, 1), "alice": (2, 2)}
    console.admin("ban bob cheating --days 2")
    assert table(client) == {"carol": (4, 1), "alice": (1, 1)}
    client.now += timedelta(days=2)
    win(client, BOB, ALICE)
    assert table(client) == {"carol": (4, 1), "alice": (1, 1)}, "it is for the whole month"
    client.now = MONTHS_END
    win(client, BOB, ALICE)
    assert table(client) == {"bob": (3, 1), "alice": (1, 1)}


def test_games_that_a_ban_ends_earn_nobody_points(client: Client, console: Console) -> None:
    url = start_between(client, "ultimate")
    play(client, url, WON_GAMES["ultimate"].split()[:8], ALICE, BOB)
    console.admin("ban bob cheating")
    assert table(client) == {}


def test_a_ban_that_is_lifted_gives_back_the_points(client: Client, console: Console) -> None:
    win(client)
    assert table(client) == {"alice": (3, 1), "bob": (1, 1)}
    console.admin("ban bob cheating")
    assert table(client) == {}
    console.admin("unban bob")
    assert table(client) == {"alice": (3, 1), "bob": (1, 1)}


def test_an_erased_player_goes_and_the_points_of_opponents_stay(client: Client) -> None:
    win(client)
    running = start_between(client, "ultimate")
    play(client, running, WON_GAMES["ultimate"].split()[:8], ALICE, BOB)
    score(client)
    erase(client, BOB)
    assert table(client) == {"alice": (6, 2)}


def test_in_a_frozen_table_an_erased_player_is_a_former_player_and_a_banned_one_stays(
    client: Client, console: Console
) -> None:
    win(client)
    score(client)
    client.now = FREEZE
    erase(client, ALICE)
    console.admin("ban bob cheating")
    assert table(client, NOVEMBER) == {"a former player": (3, 1), "bob": (1, 1)}
    assert "\n* 1. a former player: 3 points, 1 game\n" in client.get("/season/")
