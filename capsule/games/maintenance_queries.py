"""Reading and changing all games: to verify them, and to move times when a variant was absent."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from capsule.db.schema.games import absent_variants, games
from capsule.db.schema.tournaments import tournaments
from capsule.games.model import RUNNING, StoredGame
from capsule.games.queries import GAME, STORED_GAME


def variants_in_use(connection: sa.Connection) -> set[str]:
    """Return the keys of all variants that there are games or tournaments of."""
    statement = sa.union(sa.select(games.c.variant), sa.select(tournaments.c.variant))
    return set(connection.execute(statement).scalars())


def absent_keys(connection: sa.Connection) -> set[str]:
    """Return the keys of the variants that are noted as absent."""
    return set(connection.execute(sa.select(absent_variants.c.variant)).scalars())


def add_absence(connection: sa.Connection, variant: str, since: datetime) -> None:
    """Note that a variant is absent."""
    connection.execute(sa.insert(absent_variants).values(variant=variant, since=since))


def end_absence(connection: sa.Connection, variant: str) -> datetime | None:
    """Forget that a variant was absent; return since when, None if somebody was faster."""
    statement = sa.delete(absent_variants).where(absent_variants.c.variant == variant)
    return connection.execute(statement.returning(absent_variants.c.since)).scalar_one_or_none()


def running_games_of(connection: sa.Connection, variant: str) -> Sequence[StoredGame]:
    """Return the running games of a variant, which nobody else can change meanwhile."""
    statement = GAME.where(games.c.variant == variant, games.c.status.in_(RUNNING))
    held = statement.order_by(games.c.id).with_for_update(of=games, key_share=True)
    return STORED_GAME.fetch_all(connection, held)


def delay_tournaments(
    connection: sa.Connection, variant: str, since: datetime, now: datetime
) -> None:
    """Give a variant's announced tournaments the time between two moments again.

    One whose day came between them starts as much later; any other keeps its day.
    """
    announced = sa.select(
        tournaments.c.id, tournaments.c.created_at, tournaments.c.starts_at
    ).where(tournaments.c.variant == variant, tournaments.c.status == "announced")
    for row in connection.execute(announced).all():
        starts_at = row.starts_at
        if starts_at is not None and since <= starts_at <= now:
            starts_at += now - since
        connection.execute(
            sa.update(tournaments)
            .where(tournaments.c.id == row.id)
            .values(created_at=row.created_at + (now - since), starts_at=starts_at)
        )


def count_by_variant(connection: sa.Connection) -> Mapping[str, int]:
    """Return the number of games of each variant that has any."""
    number = sa.func.count().label("number")
    rows = connection.execute(sa.select(games.c.variant, number).group_by(games.c.variant))
    return {row.variant: row.number for row in rows}


def ids_after(connection: sa.Connection, game_id: str, limit: int) -> Sequence[str]:
    """Return up to `limit` ids of games, in ascending order, after `game_id`."""
    statement = sa.select(games.c.id).where(games.c.id > game_id).order_by(games.c.id).limit(limit)
    return connection.execute(statement).scalars().all()
