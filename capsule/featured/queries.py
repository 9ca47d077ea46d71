"""Reading and writing the games of the weeks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.context import Transaction
from capsule.db.expressions import insertion, save
from capsule.db.mapper import Mapper
from capsule.db.schema.games import analyses, featured_games, games, is_present
from capsule.db.schema.players import players
from capsule.games.model import DECIDED, StoredGame
from capsule.games.queries import GAME, STORED_GAME

WEEK = timedelta(days=7)
"""The time for which the operator's game stays."""

WAIT = timedelta(hours=1)
"""The time after midnight for which the choice waits for analyses that are due."""


@dataclass(frozen=True, slots=True)
class FeaturedGame:
    """A game of the week, with the operator's reason, or else the number of its turning points."""

    stored: StoredGame
    why: str
    turning_points: int


def week_of(moment: datetime) -> date:
    """Return the Monday of a moment's week.

    >>> week_of(datetime(2026, 11, 20, 14, 2, tzinfo=UTC)).isoformat()
    '2026-11-16'
    """
    day = moment.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def beginning_of(week: date) -> datetime:
    """Return the moment at which a week begins, given its Monday."""
    return datetime.combine(week, time(), UTC)


def _is_unfit(player_id: sa.ColumnElement[int | None]) -> sa.ColumnElement[bool]:
    """The condition that a player, if there is one, bars a game from being shown at `now`."""
    player = players.alias()
    return sa.exists().where(
        player.c.id == player_id,
        sa.or_(~player.c.may_be_featured, ~account_queries.is_present(player)),
    )


def _is_person(player_id: sa.ColumnElement[int | None]) -> sa.ColumnElement[bool]:
    player = players.alias()
    return sa.exists().where(player.c.id == player_id, player.c.program_since.is_(None))


_FEATURED = Mapper(FeaturedGame, featured_games, stored=STORED_GAME)
_NEWEST = (
    GAME.with_only_columns(*_FEATURED.columns)
    .join(featured_games, featured_games.c.game_id == games.c.id)
    .where(
        featured_games.c.week == sa.select(sa.func.max(featured_games.c.week)).scalar_subquery(),
        games.c.listed,
        is_present(games.c.variant),
        ~_is_unfit(games.c.x_player_id),
        ~_is_unfit(games.c.o_player_id),
    )
)


def featured_game(transaction: Transaction) -> FeaturedGame | None:
    """Return the newest game of the week, None if the newest week has none to show."""
    return _FEATURED.fetch_first(transaction.connection, _NEWEST, {"now": transaction.now})


def is_decided(connection: sa.Connection, week: date) -> bool:
    """Return whether a week has been decided, be it without a game."""
    return _exists(connection, featured_games.c.week == week)


def decide(connection: sa.Connection, week: date, game_id: str | None, turning_points: int) -> None:
    """Store the game of a week, or that it has none, unless the week has been decided."""
    statement = insertion(connection, featured_games).values(
        week=week, game_id=game_id, turning_points=turning_points
    )
    connection.execute(statement.on_conflict_do_nothing())


def pick(connection: sa.Connection, now: datetime, week: date, game_id: str, why: str) -> None:
    """Store the operator's game of a week, in place of another."""
    values = {"game_id": game_id, "picked_at": now, "why": why, "turning_points": 0}
    save(connection, featured_games, {"week": week, **values})


def is_picked_since(connection: sa.Connection, since: datetime) -> bool:
    """Return whether the operator has picked a game after a time."""
    return _exists(connection, featured_games.c.picked_at > since)


def waits_for_analyses(connection: sa.Connection, until: datetime) -> bool:
    """Return whether a public game that ended before a time awaits its analysis."""
    return _exists(
        connection,
        games.c.analysis_due,
        games.c.ended_at < until,
        games.c.listed,
        is_present(games.c.variant),
    )


def _exists(connection: sa.Connection, *conditions: sa.ColumnElement[bool]) -> bool:
    return connection.execute(sa.select(sa.exists().where(*conditions))).scalar_one()


def analyses_between(
    connection: sa.Connection, since: datetime, until: datetime, now: datetime, limit: int
) -> Sequence[tuple[str, str]]:
    """Return games that ended in a period and their analyses, the latest first.

    They are public games between two people who let their games be chosen and are not banned.
    """
    statement = (
        sa.select(games.c.id, analyses.c.content)
        .join(analyses, analyses.c.game_id == games.c.id)
        .where(
            games.c.listed,
            games.c.status.in_(DECIDED),
            games.c.moved_at >= since,
            games.c.moved_at < until,
            games.c.x_player_id != games.c.o_player_id,
            *(
                test
                for player_id in (games.c.x_player_id, games.c.o_player_id)
                for test in (_is_person(player_id), ~_is_unfit(player_id))
            ),
            is_present(games.c.variant),
        )
        .order_by(games.c.moved_at.desc(), games.c.id.desc())
        .limit(limit)
    )
    return [(row.id, row.content) for row in connection.execute(statement, {"now": now})]
