"""Ratings can be computed again from the games alone, and come out as they are stored."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from capsule.__main__ import main
from capsule.app import build_context
from capsule.config import Config
from capsule.db.database import Database
from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.ratings import first_ratings, rating_changes, ratings
from capsule.games.maintenance import recompute
from capsule.games.model import DECIDED
from capsule.ratings.model import INITIAL, Rating, updated
from capsule.timekeeping.trusted_clock import RunningTime
from engine import VARIANTS
from tests.support.client import BEGINNING, Client
from tests.support.console import where
from tests.support.quick_database import leave_writing_to_the_system, started_database
from tests.support.random_games import LEVELS, Crowd
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start_between

Figures = dict[tuple[Any, ...], tuple[Any, ...]]


@pytest.fixture
def played(client: Client) -> Client:
    """Return a capsule where Alice, Bob and Carol have played three rated games."""
    for x, o in ((ALICE, BOB), (BOB, CAROL), (CAROL, ALICE)):
        play(client, start_between(client, "numeric", x, o), WON_GAMES["numeric"].split(), x, o)
    return client


def stored_figures(database: Database) -> tuple[Figures, Figures]:
    """Return all that is stored of ratings, and all that is stored of their history."""
    with database.reading() as connection:
        return {
            (row.variant, row.player_id, row.bot): (row.mu, row.sigma, row.games, row.changed_at)
            for row in connection.execute(select(ratings))
        }, {
            (row.game_id, row.side): (
                *(row.number, row.variant, row.player_id, row.bot),
                *(row.mu, row.sigma),
            )
            for row in connection.execute(select(rating_changes))
        }


def forget_everything(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(delete(ratings))
        connection.execute(delete(rating_changes))


def run(client: Client, *options: str) -> int:
    return main(["ratings", *where(client), *options])


IDENTICAL = "3 rated games make 3 ratings of players and bots: identical to what is stored.\n"


@pytest.mark.parametrize("options", [(), ("--check",)])
def test_the_command_finds_everything_as_it_is(
    played: Client, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    before = stored_figures(played.database)
    assert run(played, *options) == 0
    assert capsys.readouterr().out == IDENTICAL
    assert stored_figures(played.database) == before


def test_a_check_tells_what_differs_and_changes_nothing(
    played: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    with played.database.writing() as connection:
        connection.execute(update(ratings).where(ratings.c.id == 1).values(mu=ratings.c.mu + 0.5))
        connection.execute(delete(rating_changes).where(rating_changes.c.number == 2))
    before = stored_figures(played.database)
    assert run(played, "--check") == 1
    assert capsys.readouterr().out == (
        "3 rated games make 3 ratings of players and bots: 3 figures are stored differently or not "
        "at all, by at most 15 points. Nothing was changed.\n"
    )
    assert stored_figures(played.database) == before


def test_the_command_puts_right_what_differs(
    played: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    right = stored_figures(played.database)
    with played.database.writing() as connection:
        connection.execute(update(ratings).where(ratings.c.id == 1).values(sigma=1.0))
        connection.execute(update(ratings).where(ratings.c.id == 2).values(games=7))
        connection.execute(delete(ratings).where(ratings.c.id == 3))
        connection.execute(update(rating_changes).values(mu=25.0))
        connection.execute(
            insert(ratings).values(
                variant="tinc", bot="club", mu=30.0, sigma=2.0, games=9, changed_at=BEGINNING
            )
        )
    assert run(played) == 0
    report = capsys.readouterr().out
    assert ", by at most " in report
    assert report.endswith(" points. They are now as they should be.\n")
    assert stored_figures(played.database) == right
    assert run(played, "--check") == 0


def test_a_game_that_should_not_have_counted_is_left_out(played: Client) -> None:
    with played.database.writing() as connection:
        connection.execute(update(games).where(games.c.rating_number == 2).values(rated=False))
    found = recompute(played.database)
    assert (found.games, found.ratings) == (2, 3)
    (_, past) = stored_figures(played.database)
    assert sorted(number for number, *_ in past.values()) == [1, 1, 3, 3]
    assert recompute(played.database, check=True).differing == 0


def test_games_that_end_meanwhile_are_not_lost(
    played: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start_between(played, "numeric", ALICE, CAROL)
    *first, last = WON_GAMES["numeric"].split()
    play(played, url, first, ALICE, CAROL)
    read = played.database.reading

    @contextmanager
    def and_then_somebody_wins(_: Database) -> Iterator[Connection]:
        with read() as connection:
            yield connection
        monkeypatch.undo()
        play(played, url, [last], ALICE, CAROL)

    monkeypatch.setattr(Database, "reading", and_then_somebody_wins)
    found = recompute(played.database)
    assert (found.games, found.differing) == (4, 0)


@pytest.mark.deep
@pytest.mark.sqlite  # it has a database of its own
@pytest.mark.parametrize(
    ("count", "seed"),
    [pytest.param(120, 6, marks=pytest.mark.slow), pytest.param(350, 5, marks=pytest.mark.deep)],
)
def test_recomputed_ratings_equal_the_stored_ones_after_random_games(
    tmp_path: Path, count: int, seed: int
) -> None:
    with closing(
        started_database(f"sqlite:///{tmp_path}/test.db", Random(1).randbytes)
    ) as database:
        crowd = a_crowd(database, seed)
        crowd.play(count)
        with database.reading() as connection:
            rows = connection.execute(
                select(games)
                .where(games.c.rating_number.is_not(None))
                .order_by(games.c.rating_number)
            ).all()
            erased = connection.execute(select(players.c.id).where(players.c.name == "")).all()
            first = {
                (row.variant, None, row.bot): Rating(row.mu, row.sigma)
                for row in connection.execute(select(first_ratings))
            }

        assert {row.id for row in rows} == crowd.should_count
        assert [row.rating_number for row in rows] == list(range(1, len(rows) + 1))
        kept = stored_figures(database)
        assert by_hand(rows, first, {row.id for row in erased}) == {
            holder: (mu, sigma, count) for holder, (mu, sigma, count, _) in kept[0].items()
        }
        assert recompute(database, check=True).differing == 0
        forget_everything(database)
        assert recompute(database).differing == len(kept[0]) + len(kept[1])
        assert stored_figures(database) == kept, "every float is the same"
        assert recompute(database, check=True).differing == 0

    assert {row.status for row in rows} == set(DECIDED)
    assert {row.variant for row in rows} == set(VARIANTS)
    assert {bot for _, _, bot in kept[0]} == {None, *LEVELS}


def a_crowd(database: Database, seed: int) -> Crowd:
    """Return thirty players of a new capsule, whose clock goes on as they play."""
    now = BEGINNING

    def tick(time: timedelta) -> None:
        nonlocal now
        now += time

    rng = Random(seed)

    def gone_by() -> float:
        return (now - BEGINNING).total_seconds()

    context = build_context(
        Config(), database, lambda: now, rng.randbytes, RunningTime("boot", gone_by)
    )
    leave_writing_to_the_system(database.engine)
    crowd = Crowd(context, rng, tick)
    for _ in range(30):
        crowd.arrive()
    return crowd


def by_hand(rows: list[Any], first: dict[tuple[Any, ...], Any], erased: set[int]) -> Figures:
    """Return mean, deviation and games of each rating, computed game by game."""
    found = dict(first)
    for row in rows:
        x = (row.variant, row.x_player_id, row.x_bot)
        o = (row.variant, row.o_player_id, row.o_bot)
        points = (row.x_points, row.o_points)
        found[x], found[o] = updated(found.get(x, INITIAL), found.get(o, INITIAL), points)
    return {
        holder: (rating.mu, rating.sigma, rating.games)
        for holder, rating in found.items()
        if holder[1] not in erased and rating.games
    }
