"""Variants that are absent: noted when the capsule starts without their plug-in.

Their games stand still from then on. Once the plug-in is back, each player to move has as much time
left as then; vacations only add to it. The time for which the capsule did not serve counts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from capsule.db.retrying import retry
from capsule.games import absence_queries as queries
from capsule.games.deadlines import vacations_in
from capsule.games.queries import save_changes
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.db.database import Database
    from capsule.games.clock import Vacations
    from capsule.games.model import StoredGame


def note_absences(database: Database, now: datetime) -> AbstractSet[str]:
    """Note which variants are absent, and let games of those that are back go on.

    Return the keys of the absent ones. To be called at the start, before anybody asks for a game.
    """
    with database.reading() as connection:
        absent = queries.variants_in_use(connection) - VARIANTS.keys()
        noted = queries.absent_keys(connection)
    if absent != noted:
        retry(partial(_note, database, absent, now))
    return absent


def _note(database: Database, absent: AbstractSet[str], now: datetime) -> None:
    with database.writing() as connection:
        noted = queries.absent_keys(connection)
        for variant in noted - absent:
            since = queries.end_absence(connection, variant)
            # A clock that was set back meanwhile takes no time from anybody.
            if since is not None and since < now:
                _go_on(connection, variant, since, now)
        for variant in absent - noted:
            queries.add_absence(connection, variant, now)


def _go_on(connection: Connection, variant: str, since: datetime, now: datetime) -> None:
    """Resume the games and tournaments of a variant that was absent from `since` to `now`."""
    running = queries.running_games_of(connection, variant)
    vacations = vacations_in(connection, running)
    for game in running:
        save_changes(connection, game, _delayed(game, vacations, since, now))
    queries.delay_tournaments(connection, variant, since, now)


def _delayed(game: StoredGame, vacations: Vacations, since: datetime, now: datetime) -> StoredGame:
    """Return a game whose clock, or whose offer, has `now` the time left that it had at `since`."""
    if game.lapses_at is not None:
        return replace(game, created_at=game.created_at + (now - since))
    clock = game.clock(vacations)
    return game if clock is None else replace(game, moved_at=now - clock.elapsed(since))
