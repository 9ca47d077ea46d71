"""Changes of the database are noticed, whichever connection makes them."""

import pytest
from sqlalchemy import text

from capsule.db import changes
from capsule.db.schema import metadata
from capsule.db.schema.players import certificates as certificate_table, players as player_table
from capsule.gemini.types import Account, Certificate, PlayerGames
from tests.support.client import Client, link
from tests.support.people import known_player
from tests.support.stories import ALICE, BOB, CAROL, play, start, start_between

pytestmark = pytest.mark.sqlite  # PostgreSQL is asked otherwise

EVENTS = ("insert", "update", "delete")
NOTES_NOTHING = {
    "carried_out",
    "changes",
    "explored_positions",
    "mail_code_requests",
    "mail_codes",
    "mail_due",
    "mail_letters",
    "mail_looks",
    "mail_schedule",
    "mail_stops",
    "mail_subscriptions",
    "mail_told",
}
"""The notes themselves, what changes together with games, and what no cached page shows."""


def watched(client: Client) -> changes.GameChanges:
    """Return the changes of a database, those from now on."""
    found = changes.GameChanges(client.database.engine)
    assert found.changed() is None, "at first nothing is known"
    return found


def game_id(url: str) -> str:
    return url.removeprefix("/play/")


def test_every_change_of_every_table_is_noted(client: Client) -> None:
    with client.database.reading() as connection:
        triggers = connection.execute(
            text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        ).scalars()
        assert set(triggers) == {"changes_insert_due"} | {
            f"{table}_{event}_noted"
            for table in metadata.tables.keys() - NOTES_NOTHING
            for event in EVENTS
        }


def test_while_nothing_happens_nothing_has_changed(client: Client) -> None:
    news = watched(client)
    client.get("/", ALICE)
    assert news.changed() == ()


def numbers(client: Client, *people: Certificate) -> set[int]:
    found = {known_player(client.context, who) for who in people}
    return {player.id for player in found if player is not None}


def players(client: Client, *people: Certificate) -> set[PlayerGames]:
    return {PlayerGames(number) for number in numbers(client, *people)}


def test_a_move_changes_its_game_and_its_players_games_alone(client: Client) -> None:
    url, _ = start_between(client, "ultimate"), start_between(client, "tinc", BOB, CAROL)
    news = watched(client)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    assert news.changed() == {game_id(url), *players(client, ALICE, BOB)}
    assert news.changed() == ()


def test_who_is_no_longer_challenged_is_concerned(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    ask = link(client.get("/play/new/ultimate", BOB), "/challenge")
    url = client.type(ask, "alice", BOB).meta
    concerned = players(client, ALICE, BOB)
    news = watched(client)
    with client.database.writing() as connection:
        connection.execute(
            text(f"UPDATE games SET challenged_player_id = NULL WHERE id = '{game_id(url)}'")
        )
    assert news.changed() == {game_id(url), *concerned}


def test_a_message_concerns_both_players_of_its_game(client: Client) -> None:
    url = start_between(client, "ultimate")
    news = watched(client)
    client.type(link(client.get(url, BOB), "/say"), "Hello", BOB)
    assert news.changed() == {game_id(url), *players(client, ALICE, BOB)}


SHOWN_TO_OTHERS = {
    "players.name",
    "players.likeness",
    "players.takes_messages",
    "players.program_since",
    "players.declines",
    "players.silenced_until",
    "players.banned_for",
    "players.banned_until",
}
"""The columns on which others' cached pages depend; a setting is the reader's own unless here."""


@pytest.mark.parametrize(
    ("table", "column"),
    [
        pytest.param(table.name, column.name, id=f"{table.name}.{column.name}")
        for table in (player_table, certificate_table)
        for column in table.c
        if not column.foreign_keys and not column.primary_key and column.name != "created_at"
    ],
)
def test_a_column_changes_others_pages_only_if_they_show_it(
    client: Client, table: str, column: str
) -> None:
    start(client, "tinc", "solo", ALICE)
    news = watched(client)
    (alice,) = numbers(client, ALICE)
    value = "'2026-12-01 00:00:00'" if column.endswith(("_at", "until")) else "'7'"
    with client.database.writing() as connection:
        connection.execute(text(f"UPDATE {table} SET {column} = {value}"))
    is_shown = f"{table}.{column}" in SHOWN_TO_OTHERS
    assert news.changed() == (None if is_shown else {Account(alice)})


def test_what_is_not_about_a_game_may_concern_any(client: Client) -> None:
    news = watched(client)
    start(client, "tinc", "solo", ALICE)
    assert news.changed() is None, "alice became a player"


def test_a_checkpoint_changes_nothing(client: Client) -> None:
    url = start_between(client, "ultimate")
    news = watched(client)
    play(client, url, ["e5"], ALICE)
    assert client.database.checkpoint()
    assert news.changed() == {game_id(url), *players(client, ALICE, BOB)}
    assert client.database.checkpoint()
    assert news.changed() == ()


def test_what_was_rolled_back_has_not_changed(client: Client) -> None:
    url = start_between(client, "ultimate")
    news = watched(client)
    with client.database.engine.connect() as connection, connection.begin() as transaction:
        connection.execute(text("UPDATE games SET hints = 7"))
        transaction.rollback()
    assert news.changed() == ()
    play(client, url, ["e5"], ALICE)
    assert news.changed() == {game_id(url), *players(client, ALICE, BOB)}


def test_notes_that_were_deleted_unread_count_as_a_change_of_everything(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "KEPT_ROWS", 1)
    url = start_between(client, "ultimate")
    news = watched(client)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    changes.delete_old(client.database)
    with client.database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM changes")).scalar_one() == 1
    assert news.changed() is None
    play(client, url, ["a1"], ALICE)
    assert news.changed() == {game_id(url), *players(client, ALICE, BOB)}
