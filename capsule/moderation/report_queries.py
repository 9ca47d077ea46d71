"""Reading and writing what players tell the operator of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select

from capsule.db.schema.moderation import reports
from capsule.db.schema.players import players

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection


def reported_since(
    connection: Connection, reporter_id: int, since: datetime, most: int
) -> Sequence[datetime]:
    """Return when a player made the last reports after a time, newest first, `most` at the most."""
    statement = (
        select(reports.c.made_at)
        .where(reports.c.reporter_id == reporter_id, reports.c.made_at > since)
        .order_by(reports.c.made_at.desc())
        .limit(most)
    )
    return connection.execute(statement).scalars().all()


def add_report(connection: Connection, **values: Any) -> None:  # noqa: ANN401 - columns' types
    """Store a report; `values` are columns of the table."""
    connection.execute(insert(reports).values(**values))


def reports_by(connection: Connection, reporter_id: int) -> list[dict[str, str | None]]:
    """Return every report that a player has made, fit for JSON."""
    statement = (
        select(players.c.name, reports.c.game_id, reports.c.made_at, reports.c.text)
        .join(players, players.c.id == reports.c.reported_id)
        .where(reports.c.reporter_id == reporter_id)
        .order_by(reports.c.id)
    )
    return [
        {"about": name, "game": game_id, "made": made_at.isoformat(), "text": text}
        for name, game_id, made_at, text in connection.execute(statement)
    ]


def erase_reports(connection: Connection, reporter_id: int) -> None:
    """Erase every report that a player has made."""
    connection.execute(delete(reports).where(reports.c.reporter_id == reporter_id))
