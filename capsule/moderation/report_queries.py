"""Reading and writing reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, or_, select, update

from capsule.db.schema.moderation import reports
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import tournaments
from capsule.moderation.model import Report, ReportedEvent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select

    from capsule.db.schema.base import AnyRow
    from capsule.moderation.model import NewReport


_REPORTERS = players.alias("reporters")
_REPORT = (
    select(
        reports.c.id,
        reports.c.made_at,
        _REPORTERS.c.name.label("reporter_name"),
        reports.c.reported_id,
        players.c.name.label("reported_name"),
        reports.c.game_id,
        reports.c.tournament_id,
        reports.c.comment_id,
        reports.c.annotation_number,
        tournaments.c.title,
        reports.c.text,
        reports.c.closed_at,
    )
    .join(_REPORTERS, _REPORTERS.c.id == reports.c.reporter_id)
    .join(players, players.c.id == reports.c.reported_id)
    .outerjoin(tournaments, tournaments.c.id == reports.c.tournament_id)
    .order_by(reports.c.id)
)


def all_reports(connection: Connection, *, also_closed: bool = False) -> Sequence[Report]:
    """Return the open reports, or all, in the order in which they were made."""
    statement = _REPORT if also_closed else _REPORT.where(reports.c.closed_at.is_(None))
    return [_report(row) for row in connection.execute(statement)]


def reports_by(connection: Connection, reporter_id: int) -> Sequence[Report]:
    """Return every report that a player has made, in order."""
    statement = _REPORT.where(reports.c.reporter_id == reporter_id)
    return [_report(row) for row in connection.execute(statement)]


def report_by_id(connection: Connection, report_id: int) -> Report | None:
    """Return the report with this number, or None."""
    row = connection.execute(_REPORT.where(reports.c.id == report_id)).first()
    return None if row is None else _report(row)


def times_by(reporter_id: int) -> Select[datetime]:
    """Return the statement that selects when a player made their reports."""
    return select(reports.c.made_at).where(reports.c.reporter_id == reporter_id)


def add_report(connection: Connection, new: NewReport) -> None:
    """Store a report."""
    connection.execute(
        insert(reports).values(
            reporter_id=new.reporter_id,
            reported_id=new.reported_id,
            game_id=new.event.game_id,
            tournament_id=new.event.tournament_id,
            comment_id=new.event.comment_id,
            annotation_number=new.event.annotation_number,
            text=new.text,
            made_at=new.made_at,
        )
    )


def close_report(connection: Connection, report_id: int, now: datetime) -> None:
    """Close a report."""
    connection.execute(update(reports).where(reports.c.id == report_id).values(closed_at=now))


def erase_reports(connection: Connection, player_id: int) -> None:
    """Erase every report by and about a player."""
    connection.execute(
        delete(reports).where(
            or_(reports.c.reporter_id == player_id, reports.c.reported_id == player_id)
        )
    )


def _report(row: AnyRow) -> Report:
    return Report(
        id=row.id,
        made_at=row.made_at,
        reporter_name=row.reporter_name,
        reported_id=row.reported_id,
        reported_name=row.reported_name,
        event=ReportedEvent(row.game_id, row.comment_id, row.tournament_id, row.annotation_number),
        title=row.title,
        text=row.text,
        closed_at=row.closed_at,
    )
