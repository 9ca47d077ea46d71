"""Reading and writing which variants are absent, and moving the times of those that are back.

The tables of tournaments are read here, as in `quota_queries`, since both stand still together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, union, update

from capsule.db.schema.absences import absent_variants
from capsule.db.schema.games import games
from capsule.db.schema.tournaments import tournaments
from capsule.games.row_queries import GAME, STORED_GAME
from capsule.games.status import RUNNING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame


def variants_in_use(connection: Connection) -> set[str]:
    """Return the keys of all variants that there are games or tournaments of."""
    statement = union(select(games.c.variant), select(tournaments.c.variant))
    return set(connection.execute(statement).scalars())


def absent_keys(connection: Connection) -> set[str]:
    """Return the keys of the variants that are noted as absent."""
    return set(connection.execute(select(absent_variants.c.variant)).scalars())


def add_absence(connection: Connection, variant: str, since: datetime) -> None:
    """Note that a variant is absent."""
    connection.execute(insert(absent_variants).values(variant=variant, since=since))


def end_absence(connection: Connection, variant: str) -> datetime | None:
    """Forget that a variant was absent; return since when, None if somebody was faster."""
    statement = delete(absent_variants).where(absent_variants.c.variant == variant)
    return connection.execute(statement.returning(absent_variants.c.since)).scalar_one_or_none()


def running_games_of(connection: Connection, variant: str) -> Sequence[StoredGame]:
    """Return the running games of a variant, which nobody else can change meanwhile."""
    statement = GAME.where(games.c.variant == variant, games.c.status.in_(RUNNING))
    held = statement.order_by(games.c.id).with_for_update(of=games, key_share=True)
    return STORED_GAME.fetch_all(connection, held)


def delay_tournaments(connection: Connection, variant: str, since: datetime, now: datetime) -> None:
    """Give a variant's announced tournaments the time between two moments again.

    One whose day came between them starts as much later; any other keeps its day.
    """
    announced = select(tournaments.c.id, tournaments.c.created_at, tournaments.c.starts_at).where(
        tournaments.c.variant == variant, tournaments.c.status == "announced"
    )
    for row in connection.execute(announced).all():
        starts_at = row.starts_at
        if starts_at is not None and since <= starts_at <= now:
            starts_at += now - since
        connection.execute(
            update(tournaments)
            .where(tournaments.c.id == row.id)
            .values(created_at=row.created_at + (now - since), starts_at=starts_at)
        )
