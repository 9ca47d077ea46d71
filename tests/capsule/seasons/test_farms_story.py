"""Ways to farm points, each played as somebody would who wants to: none passes the caps."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.capsule.puzzles.test_daily_story import answer, position_of
from tests.support.client import Client, link, links
from tests.support.people import declare
from tests.support.puzzles import answer as answer_puzzle, wrong_move
from tests.support.seasons import score, settle, store_bot_game, store_game, table
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    bot_plays,
    play,
    record,
    start,
    start_between,
)

NOBODY: dict[str, tuple[int, int]] = {}
TINC = WON_GAMES["tinc"].split()


@pytest.fixture(autouse=True)
def settled(client: Client) -> None:
    settle(client, ALICE, BOB, CAROL)


# Games that are none


@pytest.mark.parametrize("way", ["invite", "bot-master"])
def test_a_position_set_up_on_a_board_earns_nothing(client: Client, way: str) -> None:
    board = client.get("/board/numeric/a1=5,a2=8,c1=1")
    page = client.get(link(board, "?from=a1=5,a2=8,c1=1&side=o"), ALICE)
    if way == "invite":
        started = next(each.split()[1] for each in page.splitlines() if "/invite?" in each)
    else:
        started = link(client.get(link(page, "/bots"), ALICE), "/bot-master")
    url = client.ask(started, ALICE).meta
    if way == "invite":
        client.get(link(client.get(url, BOB), "/join"), BOB)
    play(client, url, ["a3=2"], ALICE, BOB)
    assert record(client, url)["status"] == "finished"
    assert table(client) == NOBODY


def test_a_game_between_people_with_a_move_taken_back_earns_nothing(client: Client) -> None:
    url = start_between(client, "tinc")
    play(client, url, TINC[:2], ALICE, BOB)
    client.get(link(client.get(url, ALICE), "/takeback"), ALICE)
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    play(client, url, TINC, ALICE, BOB)
    assert record(client, url)["winner"] == "X"
    assert table(client) == NOBODY


# Bots


def beat(client: Client, help_of: str | None = None) -> None:
    """Let alice beat a bot, after a hint or a takeback if it is named."""
    url = start(client, "tinc", "bot-master")
    if help_of == "hint":
        client.get(link(client.get(url, ALICE), "/hint"), ALICE)
    if help_of == "takeback":
        play(client, url, TINC[:1], ALICE)
        client.get(link(client.get(url, ALICE), "/takeback"), ALICE)
    for number, move in enumerate(TINC):
        if number % 2:
            bot_plays(client, url, move)
        else:
            play(client, url, [move], ALICE)
    assert record(client, url)["winner"] == "X"


@pytest.mark.parametrize("help_of", ["hint", None, "takeback"])
def test_only_a_win_without_help_against_a_bot_is_a_point(
    client: Client, help_of: str | None
) -> None:
    beat(client, help_of)
    assert table(client) == (NOBODY if help_of else {"alice": (1, 1)})


def test_the_weakest_level_brings_points_until_it_is_beaten_twice(client: Client) -> None:
    for _ in range(6):
        client.now += timedelta(days=1)
        store_bot_game(client, CAROL, "novice")
        score(client)
    assert table(client) == {"carol": (2, 2)}


def test_losing_on_purpose_until_a_weak_level_is_suggested_is_a_point_a_day(client: Client) -> None:
    client.now = datetime(2027, 1, 1, 12, 0, tzinfo=UTC)
    for _ in range(2):
        store_bot_game(client, CAROL, "novice", due=False)
    for _ in range(5):
        client.now += timedelta(days=1)
        for _ in range(3):
            for _ in range(2):
                client.now += timedelta(minutes=1)
                store_bot_game(client, CAROL, "novice", is_won=False)
            client.now += timedelta(minutes=1)
            store_bot_game(client, CAROL, "novice")
    assert table(client) == {"carol": (5, 5)}


# Positions of the day


def test_a_position_known_before_its_day_is_no_point_and_one_tried_in_vain_is(
    client: Client,
) -> None:
    tomorrow = position_of(client.now.date() + timedelta(days=1))
    answer_puzzle(client, tomorrow, tomorrow.solutions[0], ALICE)
    page = answer_puzzle(client, tomorrow, wrong_move(tomorrow), BOB)
    client.get(links(page)["Show the solution: it counts as not found"], BOB)
    answer_puzzle(client, tomorrow, wrong_move(tomorrow), CAROL)
    client.now += timedelta(days=1)
    for who in (ALICE, BOB, CAROL):
        answer_puzzle(client, tomorrow, tomorrow.solutions[0], who)
    assert "You have found it" in client.get("/play/daily/", ALICE)
    assert table(client) == {"carol": (1, 0)}


# Programs


def test_whoever_becomes_a_program_leaves_the_table_with_what_others_earned(client: Client) -> None:
    store_game(client, BOB, ALICE)
    store_game(client, CAROL, ALICE)
    answer(client, BOB)
    assert table(client) == {"bob": (4, 1), "carol": (3, 1), "alice": (2, 2)}
    declare(client, BOB)
    assert table(client) == {"carol": (3, 1), "alice": (1, 1)}
