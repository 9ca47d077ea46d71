"""Choosing the game of the week: once a week by the sweep, or by the operator at the console.

A week begins on Monday, in UTC. Its row decides that it is chosen once, however many processes
there are. A week in which there is nothing to choose has a row, too. The operator's game stays for
seven days; only then the week is decided in which these end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.context import AppContext, Transaction, reading, writing
from capsule.db.expressions import exists, insertion, save
from capsule.db.mapper import Mapper
from capsule.db.schema.games import analyses, featured_games, games, is_present
from capsule.db.schema.players import players
from capsule.feature import Feature
from capsule.games import queries as game_queries
from capsule.games.model import DECIDED, StoredGame
from capsule.moderation import queries as moderation_queries
from capsule.moderation.actions import OperatorRefused, fit
from capsule.moderation.model import ActionKind
from engine.bots import analysis

WEEK = timedelta(days=7)
"""The time for which the operator's game stays."""

WAIT = timedelta(hours=1)
"""The time after midnight for which the choice waits for analyses that are due."""

MAX_CONSIDERED = 500
"""The number of games that are considered, those that ended last."""


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


_FEATURED = Mapper(FeaturedGame, featured_games, stored=game_queries.STORED_GAME)
_NEWEST = (
    game_queries.GAME.with_only_columns(*_FEATURED.columns)
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


def choose_if_due(context: AppContext) -> None:
    """Choose the game of this week, unless it is chosen already or the operator's game stays.

    It is the game of the seven days before Monday with the most turning points; of several, the
    game that ended last.
    """
    chosen = _choice(context)
    if chosen is not None:
        _store(context, chosen)


@reading
def _choice(transaction: Transaction) -> Mapping[str, object] | None:
    """Return the row of this week if it is time to choose, else None."""
    connection, now = transaction.connection, transaction.deadline_time
    week = week_of(now)
    if (
        exists(connection, featured_games.c.week == week)
        or exists(connection, featured_games.c.picked_at > now - WEEK)
        or _awaits_analyses(connection, week, now)
    ):
        return None
    game_id, turning_points = _best_before(connection, week, now)
    return {"week": week, "game_id": game_id, "turning_points": turning_points}


@writing
def _store(transaction: Transaction, chosen: Mapping[str, object]) -> None:
    connection = transaction.connection
    # Another process may have decided the week meanwhile.
    new = insertion(connection, featured_games).values(chosen).on_conflict_do_nothing()
    connection.execute(new)


def pick(transaction: Transaction, game_id: str, why: str) -> None:
    """Make a game the game of the week from now on, for the operator, and record it."""
    why = fit(why)
    connection, now = transaction.connection, transaction.now
    _check(connection, game_queries.game_by_id(connection, game_id), now)
    values = {"game_id": game_id, "picked_at": now, "why": why, "turning_points": 0}
    save(connection, featured_games, {"week": week_of(now), **values})
    moderation_queries.record_action(connection, now, ActionKind.FEATURE, None, game_id)


def _check(connection: sa.Connection, stored: StoredGame | None, now: datetime) -> None:
    if stored is None:
        raise OperatorRefused("There is no game with this id.")
    if not stored.listed or stored.status not in DECIDED:
        raise OperatorRefused("Only a public game with a result can be the game of the week.")
    for seat in (stored.x, stored.o):
        player = seat.player_id and account_queries.player_by_id(connection, seat.player_id)
        if not player:
            continue
        if player.is_banned(now):
            raise OperatorRefused("A player of this game is banned.")
        if not player.settings.may_be_featured:
            raise OperatorRefused(
                "A player of this game does not want their games to be game of the week."
            )


def _awaits_analyses(connection: sa.Connection, week: date, now: datetime) -> bool:
    """Return whether a public game that ended before a week awaits its analysis, early in it."""
    begins_at = beginning_of(week)
    return now < begins_at + WAIT and exists(
        connection,
        games.c.analysis_due,
        games.c.ended_at < begins_at,
        games.c.listed,
        is_present(games.c.variant),
    )


def _best_before(connection: sa.Connection, week: date, now: datetime) -> tuple[str | None, int]:
    """Return the best game of the week before one, and the number of its turning points.

    It is a public game between two people who let their games be chosen and are not banned.
    """
    until = beginning_of(week)
    statement = (
        sa.select(games.c.id, analyses.c.content)
        .join(analyses, analyses.c.game_id == games.c.id)
        .where(
            games.c.listed,
            games.c.status.in_(DECIDED),
            games.c.moved_at >= until - WEEK,
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
        .limit(MAX_CONSIDERED)
    )
    best, most = None, 0
    for game_id, content in connection.execute(statement, {"now": now}):
        turning_points = len(analysis.from_json(content).findings)
        if turning_points > most:
            best, most = game_id, turning_points
    return best, most


FEATURE = Feature(sweep=((choose_if_due, "The game of the week could not be chosen"),))
