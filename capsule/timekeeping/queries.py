"""The newest time seen and the time of the upgrade, as they are stored."""

from datetime import datetime

import sqlalchemy as sa

from capsule.db.mapper import Mapper
from capsule.db.schema.base import clock
from capsule.timekeeping.trusted_clock import SeenTime

_SEEN = Mapper(SeenTime, clock, at=clock.c.seen_at)


def seen_time(connection: sa.Connection) -> SeenTime:
    """Return the newest time seen."""
    return _SEEN.read(connection.execute(_SEEN.select).one())


def upgrade_time(connection: sa.Connection) -> datetime | None:
    """Return the time of the last event before the upgrade from release 0.1.0, None if none."""
    upgraded_at: datetime | None = connection.execute(sa.select(clock.c.upgraded_at)).scalar_one()
    return upgraded_at


def replace_seen_time(connection: sa.Connection, before: SeenTime, seen: SeenTime) -> None:
    """Store the newest time seen, unless another process has stored one since `before`."""
    connection.execute(
        sa.update(clock).where(clock.c.seen_at == before.at).values(_SEEN.values(seen))
    )
