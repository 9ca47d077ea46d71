"""The points of a season: what earns them, how many, and what does not."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from capsule.db.schema.players import players
from capsule.db.schema.ratings import season_events
from capsule.games import deadlines
from tests.capsule.puzzles.test_daily_story import answer, position_of
from tests.support.client import Client, context_of
from tests.support.puzzles import wrong_move
from tests.support.seasons import score, settle, store_bot_game, store_game, table, win
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, open_game, play, start_between
from tests.support.tournaments import DAVE, agree_on_draw, resign

NOBODY: dict[str, tuple[int, int]] = {}


@pytest.fixture(autouse=True)
def settled(client: Client) -> None:
    settle(client, ALICE, BOB, CAROL)


def test_a_game_won_on_the_board_is_three_points_and_lost_one(client: Client) -> None:
    win(client)
    assert table(client) == {"alice": (3, 1), "bob": (1, 1)}
    page = client.get("/season/")
    assert "\n=> /players/alice 1. alice: 3 points, 1 game\n" in page
    assert "\n=> /players/bob 2. bob: 1 point, 1 game\n" in page


def test_games_that_are_not_played_out_count_from_six_moves_on(client: Client) -> None:
    for plies, counted in ((5, NOBODY), (6, {"alice": (5, 2), "bob": (3, 2)})):
        for ending in ("resigned", "drawn"):
            url = start_between(client, "ultimate")
            play(client, url, WON_GAMES["ultimate"].split()[:plies], ALICE, BOB)
            if ending == "resigned":
                resign(client, url, BOB)
            else:
                agree_on_draw(client, url, *((ALICE, BOB) if plies % 2 == 0 else (BOB, ALICE)))
        assert table(client) == counted


@pytest.mark.parametrize(("plies", "counted"), [(5, False), (6, True)])
def test_whose_time_runs_out_gets_nothing_and_the_end_is_when_it_did(
    client: Client, plies: int, *, counted: bool
) -> None:
    url = open_game(client, "ultimate")
    play(client, url, WON_GAMES["ultimate"].split()[:plies], ALICE, BOB)
    client.now += timedelta(days=60)
    deadlines.end_overdue(context_of(client))
    winner = "bob" if plies % 2 == 0 else "alice"
    assert table(client) == NOBODY, "it ended long ago"
    if counted:
        assert table(client, "/season/2026-12") == {winner: (3, 1)}
    else:
        assert client.ask("/season/2026-12").status == 51


def test_a_game_is_dated_by_its_end(client: Client) -> None:
    client.now = datetime(2026, 11, 30, 23, 50, tzinfo=UTC)
    url = start_between(client, "numeric")
    moves = WON_GAMES["numeric"].split()
    play(client, url, moves[:2], ALICE, BOB)
    client.now = datetime(2026, 12, 1, 0, 0, tzinfo=UTC)
    play(client, url, moves[2:], ALICE, BOB)
    assert table(client) == {"bob": (3, 1), "alice": (1, 1)}
    assert client.ask("/season/2026-11").status == 51


def test_programs_earn_nothing_and_are_no_people(client: Client) -> None:
    win(client)
    with client.database.writing() as connection:
        connection.execute(
            update(players)
            .where(players.c.id == player_id(client, BOB))
            .values(program_since=client.now)
        )
    score(client)
    assert table(client) == NOBODY
    with client.database.reading() as connection:
        assert not connection.execute(select(season_events)).all(), "nothing that may count later"


def test_of_two_people_two_games_a_day_and_six_a_month_count(client: Client) -> None:
    for _ in range(4):
        store_game(client, ALICE, BOB)
    assert table(client) == {"alice": (6, 2), "bob": (2, 2)}
    for _ in range(2):
        client.now += timedelta(days=1)
        for _ in range(3):
            store_game(client, BOB, ALICE)
    assert table(client) == {"bob": (14, 6), "alice": (10, 6)}
    client.now += timedelta(days=1)
    store_game(client, ALICE, BOB)
    assert table(client) == {"bob": (14, 6), "alice": (10, 6)}
    store_game(client, ALICE, CAROL)
    assert table(client)["carol"] == (1, 1), "others are not concerned"
    client.now = datetime(2026, 12, 1, tzinfo=UTC)
    store_game(client, ALICE, BOB)
    assert table(client) == {"alice": (3, 1), "bob": (1, 1)}, "each month begins without points"


def test_the_first_games_of_a_day_count_in_whichever_order_they_are_stored(client: Client) -> None:
    now = client.now
    store_game(client, BOB, ALICE, now)
    store_game(client, BOB, ALICE, now - timedelta(minutes=1))
    assert table(client) == {"bob": (6, 2), "alice": (2, 2)}
    store_game(client, ALICE, BOB, now - timedelta(minutes=3))
    store_game(client, ALICE, BOB, now - timedelta(minutes=2))
    assert table(client) == {"alice": (6, 2), "bob": (2, 2)}


# The position of the day, and bots


def test_the_position_of_the_day_is_one_point_a_day(client: Client) -> None:
    answer(client, ALICE, wrong_move(position_of(client.now.date())))
    assert table(client) == NOBODY
    answer(client, ALICE)
    assert table(client) == {"alice": (1, 0)}
    client.ask(f"/play/daily/{client.now.date()}", ALICE)
    assert table(client) == {"alice": (1, 0)}
    client.now += timedelta(days=1)
    answer(client, ALICE)
    assert table(client) == {"alice": (2, 0)}


def test_a_win_against_a_bot_of_the_level_suggested_is_one_point_a_day(client: Client) -> None:
    for _ in range(3):
        store_bot_game(client, ALICE, "master")
    assert table(client) == {"alice": (1, 1)}
    client.now += timedelta(days=1)
    store_bot_game(client, ALICE, "master")
    assert table(client) == {"alice": (2, 2)}


# Who counts


def test_nobody_earns_points_on_the_first_day(client: Client) -> None:
    win(client, CAROL, DAVE)
    assert table(client) == {"carol": (3, 1)}
    client.now += timedelta(days=1)
    assert table(client) == {"carol": (3, 1)}
    win(client, DAVE, CAROL)
    assert table(client) == {"carol": (4, 2), "dave": (3, 1)}


def test_what_happened_counts_as_of_its_time_and_not_of_the_sweep(client: Client) -> None:
    win(client, CAROL, DAVE)
    client.now += timedelta(days=3)
    assert table(client) == {"carol": (3, 1)}


def test_a_newcomer_can_lead_by_the_twentieth(client: Client) -> None:
    client.now = datetime(2027, 1, 1, 12, 0, tzinfo=UTC)
    for day in range(2, 9):
        client.now = datetime(2027, 1, day, 12, 0, tzinfo=UTC)
        store_game(client, ALICE, BOB)
    assert table(client) == {"alice": (18, 6), "bob": (6, 6)}
    settle(client, DAVE)
    for opponent in (ALICE, BOB, CAROL):
        client.now += timedelta(days=2)
        store_game(client, DAVE, opponent)
        store_game(client, DAVE, opponent)
        answer(client, DAVE)
        store_bot_game(client, DAVE, "master")
    assert client.now.day == 16
    assert next(iter(table(client).items())) == ("dave", (24, 9))
