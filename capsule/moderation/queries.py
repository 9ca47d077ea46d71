"""Reading and writing the operator's actions, and their effects on players and their words."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from capsule.accounts.model import Player, Sanctions
from capsule.accounts.queries import SANCTIONS
from capsule.db.mapper import Mapper
from capsule.db.schema.players import certificates, players
from capsule.db.schema.social import comments, messages, operator_actions, reports
from capsule.db.schema.tournaments import tournaments
from capsule.moderation import model
from capsule.social import line_queries


def _logged(table: sa.Table, is_removed: sa.ColumnElement[bool]) -> Mapper[model.LoggedLine]:
    return Mapper(
        model.LoggedLine,
        table,
        author_id=table.c.player_id,
        author_name=players.c.name,
        is_removed=is_removed,
    )


_TABLES = {model.LineKind.MESSAGE: messages, model.LineKind.COMMENT: comments}
_LINES = {
    model.LineKind.MESSAGE: _logged(messages, messages.c.removed),
    model.LineKind.COMMENT: _logged(comments, sa.or_(comments.c.removed, comments.c.withdrawn)),
}
_ACTION = Mapper(
    model.OperatorAction,
    operator_actions,
    kind=operator_actions.c.action,
    name_then=operator_actions.c.player_name,
    name_now=players.c.name,
)
_ACTIONS = _ACTION.select.outerjoin_from(
    operator_actions, players, players.c.id == operator_actions.c.player_id
).order_by(operator_actions.c.id)


def reported_lines(
    connection: sa.Connection, event: model.ReportedEvent
) -> Sequence[model.LoggedLine]:
    """Return the comment that is reported, or else all messages under the game, in order."""
    if event.line_kind is model.LineKind.COMMENT:
        return _logged_lines(connection, event.line_kind, comments.c.id == event.comment_id)
    return _logged_lines(connection, event.line_kind, messages.c.game_id == event.game_id)


def line_by_number(
    connection: sa.Connection, kind: model.LineKind, number: int
) -> model.LoggedLine | None:
    """Return the line of a kind with this number, or None."""
    return next(iter(_logged_lines(connection, kind, _TABLES[kind].c.id == number)), None)


def remove_line(connection: sa.Connection, kind: model.LineKind, line: model.LoggedLine) -> None:
    """Delete the text of a line of a kind; its place under the game stays."""
    is_comment = kind is model.LineKind.COMMENT
    lines = line_queries.COMMENTS if is_comment else line_queries.MESSAGES
    lines.empty(connection, line.game_id, line.id)


def save_sanctions(connection: sa.Connection, player_id: int, sanctions: Sanctions) -> None:
    """Store the measures against a player; the links on the player's open pages become outdated."""
    connection.execute(
        sa.update(players)
        .where(players.c.id == player_id)
        .values(**SANCTIONS.values(sanctions), actions=players.c.actions + 1)
    )


def clear_notices(connection: sa.Connection, player_id: int) -> None:
    """Delete the notices that a player has read."""
    connection.execute(sa.update(players).where(players.c.id == player_id).values(warning=None))


def record_action(
    connection: sa.Connection,
    now: datetime,
    kind: model.ActionKind,
    player: Player | None,
    detail: str,
) -> None:
    """Record an action of the operator that concerns a player or nobody."""
    connection.execute(
        sa.insert(operator_actions).values(
            taken_at=now,
            action=kind.value,
            player_id=player and player.id,
            player_name=(player and player.name) or None,
            detail=detail,
        )
    )


def actions_taken(
    connection: sa.Connection, player_id: int | None = None
) -> Sequence[model.OperatorAction]:
    """Return the operator's actions in order: those about one player, or all of them."""
    statement = _ACTIONS
    if player_id is not None:
        statement = statement.where(operator_actions.c.player_id == player_id)
    return _ACTION.fetch_all(connection, statement)


def counts_of(connection: sa.Connection, player_id: int) -> Sequence[int]:
    """Count a player's certificates, and reports by them, about them, and open ones of these."""

    def count(*conditions: sa.ColumnElement[bool]) -> int:
        return connection.execute(sa.select(sa.func.count()).where(*conditions)).scalar_one()

    is_about = reports.c.reported_id == player_id
    return (
        count(certificates.c.player_id == player_id),
        count(reports.c.reporter_id == player_id),
        count(is_about),
        count(is_about, reports.c.closed_at.is_(None)),
    )


def _logged_lines(
    connection: sa.Connection, kind: model.LineKind, condition: sa.ColumnElement[bool]
) -> Sequence[model.LoggedLine]:
    table, lines = _TABLES[kind], _LINES[kind]
    statement = lines.select.join_from(table, players, players.c.id == table.c.player_id)
    return lines.fetch_all(connection, statement.where(condition).order_by(table.c.id))


_REPORTERS = players.alias("reporters")
_REPORT = Mapper(
    model.Report,
    reports,
    reporter_name=_REPORTERS.c.name,
    reported_name=players.c.name,
    title=tournaments.c.title,
)
_EVENT = Mapper(model.ReportedEvent, reports)
_REPORTS = (
    _REPORT.select.select_from(reports)
    .join(_REPORTERS, _REPORTERS.c.id == reports.c.reporter_id)
    .join(players, players.c.id == reports.c.reported_id)
    .outerjoin(tournaments, tournaments.c.id == reports.c.tournament_id)
    .order_by(reports.c.id)
)


def all_reports(connection: sa.Connection, *, also_closed: bool = False) -> Sequence[model.Report]:
    """Return the open reports, or all, in the order in which they were made."""
    statement = _REPORTS if also_closed else _REPORTS.where(reports.c.closed_at.is_(None))
    return _REPORT.fetch_all(connection, statement)


def report_by_id(connection: sa.Connection, report_id: int) -> model.Report | None:
    """Return the report with this number, or None."""
    return _REPORT.fetch_first(connection, _REPORTS.where(reports.c.id == report_id))


def times_by(reporter_id: int) -> sa.Select[datetime]:
    """Return the statement that selects when a player made their reports."""
    return sa.select(reports.c.made_at).where(reports.c.reporter_id == reporter_id)


def add_report(connection: sa.Connection, event: model.ReportedEvent, **values: object) -> None:
    """Store a report: what it is about, and its other columns."""
    connection.execute(sa.insert(reports).values(**_EVENT.values(event), **values))


def close_report(connection: sa.Connection, report_id: int, now: datetime) -> None:
    """Close a report."""
    connection.execute(sa.update(reports).where(reports.c.id == report_id).values(closed_at=now))
