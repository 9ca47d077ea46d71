"""A database of release 0.1.0 opens, its games are played on, and its ratings are the same.

`0.1.0.sql` is the database as that release wrote it, `0.1.0.json` what that release said of it.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from capsule.db.database import open_database
from capsule.games.recomputation import recompute
from capsule.gemini.types import Certificate, Response
from capsule.ratings import queries as rating_queries
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import INITIAL, Holder, Rating, format_change
from tests.support.client import Client, action, links
from tests.support.feeds import addresses, ids
from tests.support.stories import record

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.sqlite

FOLDER = Path(__file__).parents[2] / "data" / "releases"
RECORDED: dict[str, Any] = json.loads((FOLDER / "0.1.0.json").read_text(encoding="utf-8"))


def certificate_of(name: str) -> Certificate:
    """Return the certificate that somebody used at the release."""
    known = RECORDED["certificates"][name]
    return Certificate(
        known["fingerprint"],
        known["common_name"],
        datetime.fromisoformat(known["not_before"]),
        datetime.fromisoformat(known["not_after"]),
    )


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """The capsule of today, started on the folder of the release."""
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection:
        connection.executescript((FOLDER / "0.1.0.sql").read_text(encoding="utf-8"))
    made = Client(tmp_path, now=datetime.fromisoformat(RECORDED["now"]))
    yield made
    made.database.close()


def test_every_row_is_kept_as_the_release_wrote_it(client: Client) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.row_factory = sqlite3.Row
        connection.executescript((FOLDER / "0.1.0.sql").read_text(encoding="utf-8"))
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            " AND name <> 'alembic_version'"
        ).fetchall()
        rows = {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]
            for (table,) in tables
        }
    assert sum(map(len, rows.values())) > 600
    # The bots of today begin ratings of their own.
    rows["ratings"] = [row for row in rows["ratings"] if row["bot"] is None]
    with client.database.reading() as connection:
        for table, old in rows.items():
            found = connection.execute(text(f"SELECT * FROM {table} ORDER BY 1, 2")).mappings()
            for before, after in zip(old, found, strict=True):
                changed = {name for name in before if before[name] != after[name]}
                assert changed <= {"x_offered_at_turn", "o_offered_at_turn"}, table


def test_a_takeback_asked_for_does_not_pass_for_a_draw_that_was_declined(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection, connection:
        connection.executescript((FOLDER / "0.1.0.sql").read_text(encoding="utf-8"))
        asked, offered = connection.execute(
            "SELECT id FROM games WHERE status = 'playing' ORDER BY id LIMIT 2"
        ).fetchall()
        noted = "turn_counter = 7, x_offered_at_turn = 7, o_offered_at_turn = 5"
        takeback = "takeback_asked_by = 'X', draw_offered_by = NULL"
        draw = "takeback_asked_by = NULL, draw_offered_by = 'X'"
        connection.execute(f"UPDATE games SET {noted}, {takeback} WHERE id = ?", asked)
        connection.execute(f"UPDATE games SET {noted}, {draw} WHERE id = ?", offered)
    database = open_database(f"sqlite:///{tmp_path}/oxonaut.db", bytes)
    columns = ", ".join(
        f"{side}_{what}_at_turn" for what in ("offered", "takeback_asked") for side in "xo"
    )
    with database.reading() as reading:
        found = {
            row[0]: tuple(row[1:])
            for row in reading.execute(text(f"SELECT id, {columns} FROM games"))
        }
    database.close()
    assert found[asked[0]] == (6, 5, 7, None)
    assert found[offered[0]] == (7, 5, None, None)


def test_every_game_is_as_the_release_recorded_it(client: Client) -> None:
    for game in RECORDED["games"]:
        data = record(client, f"/play/{game['id']}")
        assert data["variant"] == game["variant"]
        assert data["status"] == game["status"], game
        assert data["moves"] == game["moves"].split()
        assert data["winner"] == game["winner"]
        assert data["points"] == game["points"]
        assert data["players"] == {"X": game["X"], "O": game["O"]}


def test_its_ratings_of_players_recompute_to_the_last_bit(client: Client) -> None:
    found = recompute(client.database, check=True)
    assert RECORDED["ratings_check"].startswith(f"{found.games} rated games make ")
    assert found.differing == 0
    with client.database.reading() as connection:
        ratings = rating_queries.all_ratings(connection)
    recorded = sorted(
        (each["variant"], each["mu"], each["sigma"])
        for each in RECORDED["ratings"]
        if each["bot"] is None
    )
    assert sorted((who.variant, each.mu, each.sigma) for who, each in ratings.items()) == recorded
    assert {type(who.player_id) for who in ratings} == {int}


def test_the_bots_that_have_replaced_its_own_begin_as_measured(client: Client) -> None:
    rated = [(each["variant"], each["bot"]) for each in RECORDED["ratings"] if each["bot"]]
    with client.database.reading() as connection:
        former = rating_queries.all_former_bots(connection)
        assert rating_queries.all_first_ratings(connection) == measured()
        begun = rating_queries.ratings_of(connection, [each.holder for each in former])
    assert rated
    assert sorted((each.holder.variant, each.holder.bot) for each in former) == sorted(rated)
    assert {each.first for each in former} == {INITIAL}, "nothing had been measured by then"
    assert all(begun[holder] == measured()[holder] for holder in begun)


def test_its_games_with_bots_show_what_they_changed_then(client: Client) -> None:
    (master,) = (
        Rating(each["mu"], each["sigma"])
        for each in RECORDED["ratings"]
        if (each["variant"], each["bot"], each["games"]) == ("quantum", "master", 1)
    )
    (game,) = (
        each["id"]
        for each in RECORDED["games"]
        if each["variant"] == "quantum" and "master bot" in (each["X"], each["O"])
    )
    shown = f"master bot {master.short} ({format_change(INITIAL, master)})"
    assert shown in client.get(f"/play/{game}")


def test_a_game_that_ends_now_counts_for_the_bot_of_today(client: Client) -> None:
    url, erika = "/play/34nafun7mv", certificate_of("erin")
    club = Holder("tinc", None, "club")
    client.type(action(client.get(url, erika), "resign"), "resign", erika)
    with client.database.reading() as connection:
        rating = rating_queries.rating_of(connection, club)
    begun = measured()[club]
    assert (rating.games, rating.number > begun.number) == (1, True)
    assert f"club bot {rating.short} ({format_change(begun, rating)})" in client.get(url)
    assert recompute(client.database, check=True).differing == 0


def instruction_in(asked: str) -> str:
    """Return a prompt without its last sentence, which names the side to move.

    In numeric the instruction named that side, too.
    """
    instruction, mark, _ = asked.rpartition(" Your move, ")
    assert mark, asked
    return instruction.replace("Odd places", "Place").replace("Even places", "Place")


@pytest.mark.parametrize("running", RECORDED["running"], ids=lambda running: running["name"])
def test_a_link_from_a_page_of_the_release_plays_the_game_on(
    client: Client, running: dict[str, str]
) -> None:
    who = certificate_of(running["who"])
    url = f"/play/{running['game']}"
    assert "Your turn." in client.get(url, who)
    prompt = client.ask(running["prompt"], who)
    assert (prompt.status, instruction_in(prompt.meta)) == (10, instruction_in(running["asked"]))
    before = record(client, url)["moves"]
    assert client.ask(f"{running['prompt']}?{running['move']}", who) == Response(30, url)
    after = record(client, url)["moves"]
    assert after[: len(before) + 1] == [*before, running["move"]]


def test_private_feeds_have_their_addresses_still(client: Client) -> None:
    for name, address in RECORDED["feeds"].items():
        assert client.get(f"/feed/{address}").startswith(f"# Oxonaut: {name}\n")


@pytest.mark.parametrize("path", RECORDED["entries"])
def test_entries_of_feeds_have_the_addresses_by_which_readers_know_them(
    client: Client, path: str
) -> None:
    known, shown = RECORDED["entries"][path], addresses(client, path)
    # Entries of kinds that are newer than the release leave no room for the oldest ones.
    last = max(known.index(address) for address in shown if address in known)
    assert last >= len(known) - 3
    assert [address for address in shown if address in known] == known[: last + 1]
    leading = dict(zip(ids(client, path), shown, strict=True))
    assert all(leading[address] == address for address in known[: last + 1])


def test_what_happens_after_the_upgrade_has_addresses_of_its_own(client: Client) -> None:
    alice = certificate_of("alice")
    shown = client.get("/play/", alice).partition("## Your turn\n")[2]
    game = next(iter(links(shown).values())).partition("?")[0]
    client.type(action(client.get(game, alice), "resign"), "resign", alice)
    assert addresses(client, f"{game}/feed")[0] == f"{game}?end"
    assert ids(client, f"{game}/feed")[0] == game


def test_tournaments_are_where_they_were(client: Client) -> None:
    for url in RECORDED["tournaments"].values():
        assert client.ask(url).status == 20


def test_devices_are_known(client: Client) -> None:
    for name, known in RECORDED["certificates"].items():
        page = client.get("/play/", certificate_of(name))
        if known["player"] is None:
            assert page.startswith("# Welcome to Oxonaut"), "an erased player is new"
        else:
            assert f"You are signed in as {known['player']}." in page
