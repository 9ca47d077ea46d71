"""Databases of all releases open, their games are played on, and all that they promised is kept.

`tests.support.release` says what the files of a release are, and reads them.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import compress
from pathlib import Path

import pytest
from sqlalchemy import text

from capsule.db.migrating import MIGRATIONS
from capsule.games.maintenance import recompute
from capsule.gemini.types import Response
from capsule.languages.model import CHINESE, ENGLISH, PORTUGUESE, Language
from capsule.ratings import queries as rating_queries
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import INITIAL, Holder, Rating, format_change
from engine.puzzles.registry import SOURCES
from engine.record import from_json, from_text
from tests.support.client import Client, action, links
from tests.support.feeds import addresses, ids
from tests.support.quick_database import started_database
from tests.support.release.kept import FIRST, RELEASES, Release
from tests.support.release.recording import digest_of
from tests.support.stories import record

pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

HOUSEKEEPING = {"alembic_version", "changes", "sqlite_sequence"}
"""The tables whose rows are no records."""

CHANGED = {"0.1.0": {"x_offered_at_turn", "o_offered_at_turn"}}
"""By release, the columns that later ones use otherwise."""

SINCE = {(release, "counters"): "name <> 'seasons'" for release in ("0.1.0", "0.2.0")}
"""By release and table, the condition that leaves out rows that later releases add at once."""


@pytest.fixture(params=RELEASES, ids=str)
def release(request: pytest.FixtureRequest) -> Release:
    """Each release."""
    found = request.param
    assert isinstance(found, Release)
    return found


@pytest.fixture
def client(release: Release, tmp_path: Path) -> Iterator[Client]:
    """The capsule of today, started on the database of a release."""
    made = release.client(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def client_of_first(tmp_path: Path) -> Iterator[Client]:
    """The capsule of today, started on the database of release 0.1.0."""
    made = FIRST.client(tmp_path)
    yield made
    made.database.close()


def replaced_bots(client: Client) -> set[tuple[str, str | None]]:
    """Return the variants and levels of the bots whose levels have begun new ratings since."""
    with client.database.reading() as connection:
        former = rating_queries.all_former_bots(connection)
    return {(each.holder.variant, each.holder.bot) for each in former}


def test_every_row_is_kept_as_the_release_wrote_it(client: Client, release: Release) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.row_factory = sqlite3.Row
        connection.executescript(release.sql)
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        rows = {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]
            for (table,) in tables.fetchall()
            if table not in HOUSEKEEPING
        }
    assert sum(map(len, rows.values())) > 600
    replaced = replaced_bots(client)
    for table in rows.keys() & {"ratings", "first_ratings"}:
        rows[table] = [row for row in rows[table] if (row["variant"], row["bot"]) not in replaced]
    with client.database.reading() as connection:
        for table, old in rows.items():
            since = SINCE.get((release.version, table), "true")
            found = connection.execute(
                text(f"SELECT * FROM {table} WHERE {since} ORDER BY 1, 2")
            ).mappings()
            for before, after in zip(old, found, strict=True):
                changed = {name for name in before if before[name] != after[name]}
                assert changed <= CHANGED.get(release.version, set()), table


def test_a_takeback_asked_for_does_not_pass_for_a_draw_that_was_declined(tmp_path: Path) -> None:
    FIRST.put_into(tmp_path)
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection, connection:
        asked, offered = connection.execute(
            "SELECT id FROM games WHERE status = 'playing' ORDER BY id LIMIT 2"
        ).fetchall()
        noted = "turn_counter = 7, x_offered_at_turn = 7, o_offered_at_turn = 5"
        takeback = "takeback_asked_by = 'X', draw_offered_by = NULL"
        draw = "takeback_asked_by = NULL, draw_offered_by = 'X'"
        connection.execute(f"UPDATE games SET {noted}, {takeback} WHERE id = ?", asked)
        connection.execute(f"UPDATE games SET {noted}, {draw} WHERE id = ?", offered)
    database = started_database(f"sqlite:///{tmp_path}/oxonaut.db", bytes)
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


def test_every_game_is_as_the_release_recorded_it(client: Client, release: Release) -> None:
    for game in release.record["games"]:
        data = record(client, f"/play/{game['id']}")
        assert data["variant"] == game["variant"]
        assert data["status"] == game["status"], game
        assert data["moves"] == game["moves"].split()
        assert data["winner"] == game["winner"]
        assert data["points"] == game["points"]
        assert data["players"] == {"X": game["X"], "O": game["O"]}


def test_records_of_games_are_written_and_read_the_same(client: Client, release: Release) -> None:
    for url, known in release.record.get("records", {}).items():
        assert client.get(f"{url}/record.txt") == known
        assert from_text(known) == from_json(client.get(f"{url}/record.json"))


def test_its_ratings_recompute_to_the_last_bit(client: Client, release: Release) -> None:
    found = recompute(client.database, check=True)
    assert release.record["ratings_check"].startswith(f"{found.games} rated games make ")
    assert found.differing == 0
    with client.database.reading() as connection:
        ratings = rating_queries.all_ratings(connection)
    replaced = replaced_bots(client)
    recorded = sorted(
        (each["variant"], each["mu"], each["sigma"])
        for each in release.record["ratings"]
        if (each["variant"], each["bot"]) not in replaced
    )
    assert sorted((who.variant, each.mu, each.sigma) for who, each in ratings.items()) == recorded
    assert replaced.isdisjoint((who.variant, who.bot) for who in ratings)


def test_the_bots_that_have_replaced_those_of_0_1_0_begin_as_measured(
    client_of_first: Client,
) -> None:
    rated = [(each["variant"], each["bot"]) for each in FIRST.record["ratings"] if each["bot"]]
    with client_of_first.database.reading() as connection:
        former = rating_queries.all_former_bots(connection)
        assert rating_queries.all_first_ratings(connection) == measured()
        begun = rating_queries.ratings_of(connection, [each.holder for each in former])
    assert rated
    assert sorted((each.holder.variant, each.holder.bot) for each in former) == sorted(rated)
    assert {each.first for each in former} == {INITIAL}, "nothing had been measured by then"
    assert all(begun[holder] == measured()[holder] for holder in begun)


def test_games_with_bots_of_0_1_0_show_what_they_changed_then(client_of_first: Client) -> None:
    (master,) = (
        Rating(each["mu"], each["sigma"])
        for each in FIRST.record["ratings"]
        if (each["variant"], each["bot"], each["games"]) == ("quantum", "master", 1)
    )
    (game,) = (
        each["id"]
        for each in FIRST.record["games"]
        if each["variant"] == "quantum" and "master bot" in (each["X"], each["O"])
    )
    shown = f"master bot {master.short} ({format_change(INITIAL, master)})"
    assert shown in client_of_first.get(f"/play/{game}")


def test_a_game_of_0_1_0_that_ends_now_counts_for_the_bot_of_today(client_of_first: Client) -> None:
    url, erika = "/play/34nafun7mv", FIRST.certificate_of("erin")
    club = Holder("tinc", None, "club")
    page = client_of_first.get(url, erika)
    client_of_first.type(action(page, "resign"), "resign", erika)
    with client_of_first.database.reading() as connection:
        rating = rating_queries.ratings_of(connection, [club])[club]
    begun = measured()[club]
    assert (rating.games, rating.number > begun.number) == (1, True)
    shown = f"club bot {rating.short} ({format_change(begun, rating)})"
    assert shown in client_of_first.get(url)
    assert recompute(client_of_first.database, check=True).differing == 0


def test_links_from_its_pages_play_games_on(client: Client, release: Release) -> None:
    for running in release.record["running"]:
        who = release.certificate_of(running["who"])
        url = f"/play/{running['game']}"
        assert "Your turn." in client.get(url, who), running["name"]
        assert client.ask(running["prompt"], who).status == 10
        before = record(client, url)["moves"]
        assert client.ask(f"{running['prompt']}?{running['move']}", who) == Response(30, url)
        after = record(client, url)["moves"]
        assert after[: len(before) + 1] == [*before, running["move"]]


def instruction_in(asked: str) -> str:
    """Return a prompt without its last sentence, which names the side to move.

    In numeric the instruction named that side, too.
    """
    instruction, mark, _ = asked.rpartition(" Your move, ")
    assert mark, asked
    return instruction.replace("Odd places", "Place").replace("Even places", "Place")


def test_prompts_of_0_1_0_ask_for_the_same(client_of_first: Client) -> None:
    for running in FIRST.record["running"]:
        asked = client_of_first.ask(running["prompt"], FIRST.certificate_of(running["who"])).meta
        assert instruction_in(asked) == instruction_in(running["asked"])


def test_private_feeds_have_their_addresses_still(client: Client, release: Release) -> None:
    for name, address in release.record["feeds"].items():
        assert client.get(f"/feed/{address}").startswith(f"# Oxonaut: {name}\n")


def games_of_tournaments(client: Client) -> set[str]:
    """Return the last segments of the addresses of all games of tournaments, and of their ends."""
    with client.database.reading() as connection:
        found = connection.execute(text("SELECT id FROM games WHERE tournament_id IS NOT NULL"))
        return {f"{game}{end}" for game in found.scalars() for end in ("", "?end")}


def gone(client: Client, *, is_public: bool) -> set[str]:
    """Return the addresses that a feed's entries had up to 0.4.0 of what does not hold any more.

    A seat that is open or kept has an address of its own now, and so has the start of a tournament
    in public feeds. No private feed has a challenge that was answered.
    """
    tournaments = "SELECT id FROM tournaments WHERE status <> 'announced'"
    games = "SELECT id, start_ply FROM games WHERE {}"
    is_seat = "status IN ('waiting', 'challenged') OR status = 'aborted' AND started_at IS NULL"
    condition = is_seat if is_public else f"challenged_player_id IS NOT NULL OR {is_seat}"
    with client.database.reading() as connection:
        seats = connection.execute(text(games.format(condition))).all()
        begun = connection.execute(text(tournaments)).scalars() if is_public else ()
        return {
            *(f"/play/{game}/{ply}" for game, ply in seats),
            *(f"/play/{game}?challenge" for game, _ in seats),
            *(f"/play/tournaments/{each}?announced" for each in begun),
        }


def test_entries_of_feeds_have_the_addresses_by_which_readers_know_them(
    client: Client, release: Release
) -> None:
    entries = release.record["entries"]
    # In 0.1.0, readers knew entries by the addresses to which these led.
    known_ids = release.record.get("ids", entries)
    of_tournaments = games_of_tournaments(client)
    for path, every in entries.items():
        # Since 0.3.0 a tournament is one entry of public feeds at its beginning and one at its end.
        is_public = path == "/feed" or path.startswith(("/games/", "/players/"))
        left = gone(client, is_public=is_public)
        is_told = [
            not (is_public and of_tournaments & {*each.split("/")}) and each not in left
            for each in every
        ]
        known = [*compress(every, is_told)]
        known_as = [*compress(known_ids[path], is_told)]
        shown = addresses(client, path)
        # Entries of kinds that are newer than the release leave no room for the oldest ones.
        last = max((known.index(address) for address in shown if address in known), default=-1)
        assert last >= len(known) - 3, path
        assert [address for address in shown if address in known] == known[: last + 1]
        leading = dict(zip(shown, ids(client, path), strict=True))
        assert [leading[address] for address in known[: last + 1]] == known_as[: last + 1]


def test_what_happens_after_the_upgrade_has_addresses_of_its_own(
    client: Client, release: Release
) -> None:
    alice = release.certificate_of("alice")
    shown = client.get("/play/", alice).partition("## Your turn\n")[2]
    game = next(iter(links(shown).values())).partition("?")[0]
    client.type(action(client.get(game, alice), "resign"), "resign", alice)
    assert addresses(client, f"{game}/feed")[0] == f"{game}?end"
    assert ids(client, f"{game}/feed")[0] == game


def test_tournaments_are_where_they_were(client: Client, release: Release) -> None:
    for url in release.record["tournaments"].values():
        assert client.ask(url).status == 20


def test_devices_are_known(client: Client, release: Release) -> None:
    for name, known in release.record["certificates"].items():
        answer = client.ask("/play/", release.certificate_of(name))
        if known["player"] is None:
            assert answer.body.startswith("# Welcome to Oxonaut"), "an erased player is new"
        elif known.get("banned"):
            assert answer.status == 61
        else:
            assert f" {known['player']}." in answer.body, "signed in, in whatever language"


@pytest.mark.parametrize("kind", ["pages", "actions"])
def test_addresses_of_its_pages_and_actions_answer(
    client: Client, release: Release, kind: str
) -> None:
    for reader, known in release.record.get(kind, {}).items():
        who = release.certificate_of(reader) if reader else None
        for address in known:
            assert client.ask(address, who).status in (10, 11, 20, 30), (reader, address)


@pytest.mark.parametrize("language", [PORTUGUESE, CHINESE], ids=["pt", "zh"])
def test_its_public_pages_are_there_in_other_languages(
    client: Client, release: Release, language: Language
) -> None:
    found = 0
    for address in release.record.get("pages", {}).get("", [])[::5]:
        english = client.ask(address)
        if english.meta == ENGLISH.gemtext and not address.startswith("/play/"):
            assert client.ask(f"{language.prefix}{address}").meta == language.gemtext, address
            found += 1
    assert found or "pages" not in release.record


def test_its_puzzles_are_the_same(release: Release) -> None:
    for variant, known in release.record.get("puzzles", {}).items():
        lines = SOURCES[variant].file.read_bytes().splitlines(keepends=True)
        assert digest_of(lines[: known["count"]]) == known["sha256"], variant


def test_its_migrations_are_the_same(release: Release) -> None:
    for name, known in release.record.get("migrations", {}).items():
        path = MIGRATIONS / name if name == "notes.py" else MIGRATIONS / "versions" / name
        assert digest_of([path.read_bytes()]) == known, name
