"""Every column that refers to a player: handed out to them, and gone once they are erased."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import Boolean, Column, Date, String, Table, insert, select, update

from capsule import app
from capsule.accounts import personal_data, queries as account_queries
from capsule.accounts.model import Player
from capsule.db.schema import base, mail, players, ratings, social, tournaments
from capsule.db.schema.base import Moment, WordList
from capsule.db.schema.personal import Detail, Owner, personal_columns
from capsule.gemini.types import Certificate
from capsule.puzzles import daily, queries as puzzle_queries
from capsule.seasons import scoring
from engine.puzzles import Puzzle
from tests.support import everyone
from tests.support.acting import meanwhile
from tests.support.client import BEGINNING, Client, context_of, link, links
from tests.support.comments import comment, public_game, resigned_game
from tests.support.console import Console
from tests.support.conversation import say
from tests.support.mail import Post
from tests.support.people import erase
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between
from tests.support.tournaments import announce, join

STAY = {
    "games.x_player_id",
    "games.o_player_id",
    "games.seat_taken_by",
    "games.challenged_player_id",
    "messages.recipient_id",
    "comments.x_recipient_id",
    "comments.o_recipient_id",
    "operator_actions.player_id",
    "season_events.opponent_id",
    "season_standings.player_id",
    "tournaments.announced_by",
    "cup_entries.player_id",
    "cup_winners.player_id",
    "tournament_seats.player_id",
}
"""Columns that name a former player for good: no other may."""

LONG = 24
"""The least length of a text that a player may have written."""

OWN_WORDS = "words that nobody else has written"

KEYS = {
    "": "active_on activity_shown_from created line name private_feed program_since website",
    "operator": "banned_for banned_until no_messages_until unread",
    "operator.actions": "action at detail name",
    "certificates": "first_used label last_used sha256_of_public_key valid_until",
    "code_for_another_device": "begins made tries_left",
    "former_names": "kept_until name",
    "muted_and_blocked": "kind name since",
    "mail": "address hour kinds refused_by_relay since turns",
    "mail_address_to_confirm": "address tries_left typed",
    "mail_codes_requested": "",
    "letters": "kind state told written",
    "seasons.months": "games month points reached",
    "seasons.events": "at kind points source",
    "seasons.banned_from": "",
    "reports": "about comment game made notes text tournament",
    "favourites": "name since",
    "messages": "game sent text",
    "comments": "game text written",
    "notes": "game published text written",
    "annotated_games": "game published",
    "ratings": "games history mu provisional rating sigma uncertainty variant",
    "vacations": "begins ends",
    "games": "created ended id moves players points status variant winner",
    "puzzles.tries": "answer number variant",
    "puzzles.days": "day solved",
    "puzzles.mistakes": "game move solved",
    "puzzles.rating": "mu provisional rating sigma uncertainty",
    "puzzles.answers": "answered first_answer had_hint number rating_after right solution_shown"
    " solved variant",
    "votes": "cast game move number",
    "cup_entries": "by_the_capsule entered group month stayed",
    "cups_won": "group month",
    "tournaments_announced": "announced id status title variant",
    "tournament_seats": "left results_count seat taken tournament",
}
"""What the file says of each thing, which programs may rely on; "" where it is a plain value."""

WORDS_OF_A_FULL_LIFE = 7
"""The comment, the message, the note, the report, the line, the title, the operator's warning."""


def columns_with_players() -> dict[str, Column[int]]:
    """Return every column of the database that says which player, by its name."""
    return {
        f"{table.name}.{column.name}": column
        for table in base.metadata.sorted_tables
        for column in table.columns
        if column is mail.mail_due.c.player_id
        or any(key.column.table is players.players for key in column.foreign_keys)
    }


def tables_of_players() -> list[Table]:
    """Return every table with a column that says which player, and that of the players."""
    return [players.players, *dict.fromkeys(each.table for each in columns_with_players().values())]


def player_of(client: Client, who: Certificate) -> Player:
    with client.database.reading() as connection:
        found = account_queries.player_by_certificate(connection, who.fingerprint)
    assert found is not None
    return found


def a_full_life(client: Client) -> int:
    """Let bob leave something in every place where a player can, and return his number."""
    public = public_game(client)
    comment(client, public, OWN_WORDS, BOB)
    for commented in (public, resigned_game(client, BOB, ALICE)):
        comment(client, commented, "to bob", ALICE)
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    scoring.score_due(context_of(client))
    say(client, url, OWN_WORDS, BOB)
    say(client, url, "to bob", ALICE)
    client.type(link(client.get(f"{url}/more", BOB), "/note"), OWN_WORDS, BOB)
    client.get(link(client.get(f"{url}/more", BOB), "/publish"), BOB)
    client.type(link(client.get(f"{url}/messages", BOB), "/report"), OWN_WORDS, BOB)
    client.type(link(client.get(f"{url}/messages", ALICE), "/report"), "about bob", ALICE)
    start(client, "tinc", "solo", CAROL)
    client.type(link(client.get("/play/new/tinc", CAROL), "/challenge"), "bob", CAROL)
    for who, other in ((BOB, "carol"), (CAROL, "bob")):
        client.type(link(client.get("/play/me/people", who), "/mute"), other, who)
        client.get(link(client.get(f"/play/players/{other}", who), "/add"), who)
    client.type(link(client.get("/play/", BOB), "/vacation"), "3", BOB)
    client.type(link(client.get("/play/me/", BOB), "/name"), "robert", BOB)
    client.type(link(client.get("/play/players/robert", BOB), "/line"), OWN_WORDS, BOB)
    client.get(link(client.get("/play/me/", BOB), "/code"), BOB)
    post = Post(client)
    post.subscribe(BOB, "bob@example.net")
    post.choose(BOB, "messages/on")
    client.get(start_between(client, "tinc", ALICE, BOB), BOB)
    client.now += timedelta(seconds=1)
    say(client, url, "to bob again", ALICE)
    assert post.deliver()
    post.type_address(BOB, f"{OWN_WORDS.replace(' ', '.')}@example.net")
    announced = announce(client, "seats=4", BOB, title=OWN_WORDS)
    join(client, announced, ALICE)
    alice, bob = player_id(client, ALICE), player_id(client, BOB)
    todays = links(client.get("/play/daily/", BOB))["Type your answer"]
    solution = position_of_today(client).solutions[0]
    client.get(f"{todays}?{quote(solution)}", BOB)
    everyone.advance(client)
    everyone.store_vote(client, bob, "a1")
    with client.database.writing() as connection:
        puzzle_queries.add_mistake_solved(connection, bob, url.removeprefix("/play/"), 1, BEGINNING)
        connection.execute(
            insert(tournaments.cups).values(month="2026-11", variant="tinc", status="finished")
        )
        for table in (tournaments.cup_entries, tournaments.cup_winners):
            group = {"group_number": 1, "month": "2026-11", "player_id": bob}
            is_entry = table is tournaments.cup_entries
            connection.execute(
                insert(table).values(group | ({"entered_at": BEGINNING} if is_entry else {}))
            )
        connection.execute(
            insert(social.operator_actions).values(
                taken_at=BEGINNING,
                action="warn",
                player_id=bob,
                player_name="bob",
                detail=OWN_WORDS,
            )
        )
        connection.execute(
            insert(social.reports).values(
                reporter_id=bob,
                reported_id=alice,
                comment_id=1,
                annotation_number=1,
                tournament_id=announced.rpartition("/")[2],
                text="all at once",
                made_at=BEGINNING,
            )
        )
        connection.execute(
            insert(ratings.season_bans).values(month=date(2026, 9, 1), player_id=bob)
        )
        connection.execute(
            update(players.players).where(players.players.c.id == bob).values(warning="[]")
        )
    return bob


def position_of_today(client: Client) -> Puzzle:
    found = daily.position_today(client.now)
    assert found is not None
    return found.puzzle


def rows_of(client: Client, column: Column[int], player: int) -> int:
    with client.database.reading() as connection:
        return len(connection.execute(select(column).where(column == player)).all())


def test_every_column_that_refers_to_a_player_says_what_becomes_of_it() -> None:
    found = columns_with_players()
    assert not [name for name, column in found.items() if "personal" not in column.info]
    assert {name for name, column in found.items() if column.info["personal"].stays} == STAY


def test_every_column_of_a_players_row_says_whether_it_is_handed_out() -> None:
    """Where the file has a row as one thing, such as a game, only words speak for themselves.

    A variant, a side or a cell are no words. Numbers of rows say nothing of anybody.
    """
    silent = [
        str(column)
        for table in tables_of_players()
        for column in table.columns
        if not (column.primary_key or "personal" in column.info)
        and (is_exported_by_column(table) or has_words(column))
    ]
    assert not silent


def is_exported_by_column(table: Table) -> bool:
    """Return whether the file has a table's columns one by one, or has none of it."""
    declared = [how for _, how in personal_columns(table)]
    has_place = any(isinstance(how, Owner) and how.place for how in declared)
    return not has_place or any(
        isinstance(how, Detail) and how.name is not None for how in declared
    )


def has_words(column: Column[Any]) -> bool:
    """Return whether a column may have words that a player wrote."""
    is_text = isinstance(column.type, String | WordList) and not column.foreign_keys
    return is_text and (column.type.length or LONG) >= LONG


def test_every_table_that_refers_to_players_is_somebodys() -> None:
    named = {table for feature in app.FEATURES for table in feature.tables}
    assert {*tables_of_players()} == named


def test_all_of_it_is_in_the_file_of_a_full_life(client: Client) -> None:
    a_full_life(client)
    exported = json.loads(client.get("/play/me/export.json", BOB))
    for name, place in places().items():
        assert found_at(exported, place), name
    for place, keys in KEYS.items():
        thing = found_at(exported, place) if place else exported
        rows = thing if isinstance(thing, list) else [thing]
        assert rows[0], place
        found = {key for row in rows if isinstance(row, dict) for key in row}
        assert {*keys.split()} <= found, place
    assert json.dumps(exported).count(OWN_WORDS) == WORDS_OF_A_FULL_LIFE
    assert "about bob" not in json.dumps(exported), "what others have reported is theirs"
    assert "to bob" not in json.dumps(exported)


def places() -> dict[str, str]:
    """Return where the file has the rows of each column that refers to their player."""
    said = {name: column.info["personal"] for name, column in columns_with_players().items()}
    return {name: how.place for name, how in said.items() if isinstance(how, Owner) and how.place}


def found_at(exported: Any, place: str) -> object:  # noqa: ANN401 - it is what JSON holds
    """Return what stands in the file at a place such as `operator.actions`."""
    for key in place.split("."):
        exported = exported[key]
    return exported


def test_everything_that_goes_is_gone_everywhere(client: Client) -> None:
    bob = a_full_life(client)
    found = columns_with_players()
    empty = {name for name, column in found.items() if not rows_of(client, column, bob)}
    assert empty <= {"games.x_player_id", "tournament_seats.player_id"}, "nothing is shown by these"

    erase(client, BOB)

    left = {name for name, column in found.items() if rows_of(client, column, bob)}
    assert left <= STAY
    with client.database.reading() as connection:
        mine = players.players.c.id == bob
        (row,) = connection.execute(select(players.players).where(mine)).mappings()
    assert (row["name"], row["likeness"], row["look"]) == ("", f"former {bob}", None)
    for word in (OWN_WORDS, "bob", "robert"):
        assert not mentions(client, word), word


def test_nothing_else_is_left_in_the_row_of_an_erased_player(client: Client) -> None:
    """Whatever stood there: what they chose, and what the operator did about them."""
    start(client, "tinc", "solo", BOB)
    bob = player_of(client, BOB)
    own = {"id", "name", "likeness", "look", "look_number", "actions", "created_at"}
    columns = [each for each in players.players.columns if each.name not in own]
    examples = {Moment: BEGINNING, Date: BEGINNING.date(), WordList: ("turns",)}
    mine = players.players.c.id == bob.id
    with client.database.reading() as connection:
        before = connection.execute(select(*columns).where(mine)).mappings().one()
    changed = {
        each.name: not value
        if isinstance(each.type, Boolean)
        else examples.get(type(each.type), "pt")
        for each, value in zip(columns, before.values(), strict=True)
    }
    with client.database.writing() as connection:
        connection.execute(update(players.players).where(mine).values(changed))
    with context_of(client).writing() as transaction:
        personal_data.erase_player(transaction, bob)
    with client.database.reading() as connection:
        after = connection.execute(select(*columns).where(mine)).mappings().one()
    assert after == {**before, "active_on": None, "activity_shown_from": None}


def mentions(client: Client, word: str) -> list[str]:
    """Return the names of the tables that have a value which is this word."""
    with client.database.reading() as connection:
        return [
            table.name
            for table in base.metadata.sorted_tables
            for row in connection.execute(select(table))
            if word in map(str, row)
        ]


# What comes in at the very moment: it was asked for when the player was still there


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "action"),
    [("", "say"), ("/more", "note"), ("/comments", "comment"), ("/comments", "close-comments")],
)
def test_a_player_erased_at_the_same_moment_leaves_no_words(
    client: Client, monkeypatch: pytest.MonkeyPatch, page: str, action: str
) -> None:
    url = public_game(client)
    address = link(client.get(f"{url}{page}", BOB), f"/{action}")
    meanwhile(monkeypatch, lambda: erase(client, BOB))
    answer = client.ask(f"{address}?{quote(OWN_WORDS)}", BOB)
    assert answer.body.startswith(("Nothing was ", "That link was out of date"))
    assert not mentions(client, OWN_WORDS)
    assert "The players have closed the comments" not in client.get(f"{url}/comments")


@pytest.mark.parametrize(
    ("opened", "shown"),
    [
        (lambda client: start(client, "ultimate", "open"), "open seat (O)"),
        (lambda client: announce(client, "seats=3"), "Players: 1 of 3"),
    ],
)
def test_a_player_banned_at_the_same_moment_takes_no_seat(
    client: Client,
    console: Console,
    monkeypatch: pytest.MonkeyPatch,
    opened: Callable[[Client], str],
    shown: str,
) -> None:
    url = opened(client)
    start(client, "tinc", "solo", BOB)
    join = link(client.get(url, BOB), "/join")
    meanwhile(monkeypatch, lambda: console.admin("ban bob spam"))
    assert client.ask(join, BOB).status == 20
    assert shown in client.get(url)
