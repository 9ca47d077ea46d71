"""Choosing the game of the week: once a week by the sweep, or by the operator at the console.

A week begins on Monday, in UTC. Its row decides that it is chosen once, however many processes
there are. A week in which there is nothing to choose has a row, too. The operator's game stays for
seven days; only then the week is decided in which these end.
"""

from datetime import date, datetime

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.context import AppContext
from capsule.feature import Feature
from capsule.featured import queries
from capsule.featured.queries import WAIT, WEEK, beginning_of, week_of
from capsule.games import queries as game_queries
from capsule.games.model import DECIDED, StoredGame
from capsule.moderation import queries as moderation_queries
from capsule.moderation.actions import OperatorRefused, fit_reason
from capsule.moderation.model import ActionKind
from engine.bots import analysis

MAX_CONSIDERED = 500
"""The number of games that are considered, those that ended last."""


def choose_if_due(context: AppContext) -> None:
    """Choose the game of this week, unless it is chosen already or the operator's game stays.

    It is the game of the seven days before Monday with the most turning points; of several, the
    game that ended last.
    """
    now = context.clock.deadline_time()
    week = week_of(now)
    with context.database.reading() as connection:
        if (
            queries.is_decided(connection, week)
            or queries.is_picked_since(connection, now - WEEK)
            or _must_wait(connection, week, now)
        ):
            return
        game_id, turning_points = _best_before(connection, week, now)
    with context.database.writing() as connection:
        queries.decide(connection, week, game_id, turning_points)


def pick(context: AppContext, game_id: str, why: str) -> None:
    """Make a game the game of the week from now on, for the operator, and record it."""
    why = fit_reason(why)
    now = context.clock()
    with context.database.writing() as connection:
        _check(connection, game_queries.game_by_id(connection, game_id), now)
        queries.pick(connection, now, week_of(now), game_id, why)
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


def _must_wait(connection: sa.Connection, week: date, now: datetime) -> bool:
    begins_at = beginning_of(week)
    return now < begins_at + WAIT and queries.waits_for_analyses(connection, begins_at)


def _best_before(connection: sa.Connection, week: date, now: datetime) -> tuple[str | None, int]:
    until = beginning_of(week)
    best, most = None, 0
    for game_id, content in queries.analyses_between(
        connection, until - WEEK, until, now, MAX_CONSIDERED
    ):
        turning_points = len(analysis.from_json(content).findings)
        if turning_points > most:
            best, most = game_id, turning_points
    return best, most


FEATURE = Feature(sweep=((choose_if_due, "The game of the week could not be chosen"),))
