"""Reading and writing reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from capsule.db.mapper import Mapper
from capsule.db.schema.moderation import reports
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import tournaments
from capsule.moderation.model import NewReport, Report

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select


_REPORTERS = players.alias("reporters")
_REPORT = Mapper(
    Report,
    reports,
    reporter_name=_REPORTERS.c.name,
    reported_name=players.c.name,
    title=tournaments.c.title,
)
_NEW_REPORT = Mapper(NewReport, reports)
_REPORTS = (
    _REPORT.select.select_from(reports)
    .join(_REPORTERS, _REPORTERS.c.id == reports.c.reporter_id)
    .join(players, players.c.id == reports.c.reported_id)
    .outerjoin(tournaments, tournaments.c.id == reports.c.tournament_id)
    .order_by(reports.c.id)
)


def all_reports(connection: Connection, *, also_closed: bool = False) -> Sequence[Report]:
    """Return the open reports, or all, in the order in which they were made."""
    statement = _REPORTS if also_closed else _REPORTS.where(reports.c.closed_at.is_(None))
    return _REPORT.fetch_all(connection, statement)


def report_by_id(connection: Connection, report_id: int) -> Report | None:
    """Return the report with this number, or None."""
    return _REPORT.fetch_first(connection, _REPORTS.where(reports.c.id == report_id))


def times_by(reporter_id: int) -> Select[datetime]:
    """Return the statement that selects when a player made their reports."""
    return select(reports.c.made_at).where(reports.c.reporter_id == reporter_id)


def add_report(connection: Connection, new: NewReport) -> None:
    """Store a report."""
    connection.execute(insert(reports), _NEW_REPORT.values(new))


def close_report(connection: Connection, report_id: int, now: datetime) -> None:
    """Close a report."""
    connection.execute(update(reports).where(reports.c.id == report_id).values(closed_at=now))
