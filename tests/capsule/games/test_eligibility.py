"""The people who count: a game against a person, or three against bots, and known for a day."""

from datetime import timedelta

from sqlalchemy import update

from capsule.accounts import queries as account_queries
from capsule.db.schema.players import players
from capsule.games.eligibility import is_eligible
from capsule.gemini.types import Certificate
from tests.support.client import Client
from tests.support.console import Console
from tests.support.seasons import store_game
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, WON_GAMES, play, start, start_between


def counts(client: Client, who: Certificate) -> bool:
    with client.database.reading() as connection:
        player = account_queries.player_by_certificate(connection, who.fingerprint)
        assert player is not None
        return is_eligible(connection, player, client.now)


def play_against_bots(client: Client, count: int, *, start_ply: int = 0) -> None:
    for _ in range(count):
        store_game(client, ALICE, None, o_bot="casual", start_ply=start_ply)


def test_who_has_finished_a_game_against_a_person_counts_a_day_after_they_came(
    client: Client,
) -> None:
    url = start_between(client, "tinc")
    client.now += timedelta(days=2)
    assert not counts(client, ALICE)
    play(client, url, WON_GAMES["tinc"].split(), ALICE, BOB)
    assert counts(client, ALICE)
    assert counts(client, BOB)


def test_nobody_counts_on_their_first_day(client: Client) -> None:
    play(client, start_between(client, "tinc"), WON_GAMES["tinc"].split(), ALICE, BOB)
    client.now += timedelta(hours=23)
    assert not counts(client, ALICE)
    client.now += timedelta(hours=1)
    assert counts(client, ALICE)


def test_three_whole_games_against_bots_stand_for_one_against_a_person(client: Client) -> None:
    start(client, "tinc", "solo")
    client.now += timedelta(days=1)
    play_against_bots(client, 2)
    play_against_bots(client, 3, start_ply=3)
    assert not counts(client, ALICE)
    play_against_bots(client, 1)
    assert counts(client, ALICE)


def test_programs_never_count_and_do_not_count_as_people(client: Client) -> None:
    url = start_between(client, "tinc")
    with client.database.writing() as connection:
        connection.execute(
            update(players)
            .where(players.c.id == player_id(client, BOB))
            .values(program_since=client.now)
        )
    play(client, url, WON_GAMES["tinc"].split(), ALICE, BOB)
    client.now += timedelta(days=1)
    assert not counts(client, ALICE)
    assert not counts(client, BOB)


def test_nobody_counts_while_they_are_banned(client: Client, console: Console) -> None:
    play(client, start_between(client, "tinc"), WON_GAMES["tinc"].split(), ALICE, BOB)
    client.now += timedelta(days=1)
    console.admin("ban alice cheating --days 2")
    assert not counts(client, ALICE)
    assert counts(client, BOB)
    client.now += timedelta(days=2)
    assert counts(client, ALICE)


def test_games_with_oneself_count_for_nothing(client: Client) -> None:
    url = start(client, "tinc", "solo")
    client.now += timedelta(days=1)
    play(client, url, WON_GAMES["tinc"].split(), ALICE)
    assert not counts(client, ALICE)
