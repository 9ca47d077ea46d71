"""Reading and writing the operator's actions, and their effects on players and their words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, or_, select, update

from capsule.db.schema.moderation import operator_actions, reports
from capsule.db.schema.players import certificates, players
from capsule.db.schema.social import comments, messages
from capsule.moderation.model import (
    ActionKind,
    LineKind,
    LoggedLine,
    OperatorAction,
    PlayerCounts,
)
from capsule.social import comment_queries, message_queries

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Select, Table

    from capsule.accounts.model import Player, Sanctions
    from capsule.db.schema.base import AnyRow


def _logged(table: Table, is_removed: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    return (
        select(
            table.c.id,
            table.c.game_id,
            table.c.player_id,
            players.c.name,
            table.c.sent_at,
            table.c.text,
            is_removed.label("is_removed"),
        )
        .join(players, players.c.id == table.c.player_id)
        .order_by(table.c.id)
    )


_MESSAGE = _logged(messages, messages.c.removed)
_COMMENT = _logged(comments, or_(comments.c.removed, comments.c.withdrawn))
_BY_NUMBER = {
    LineKind.MESSAGE: _MESSAGE.where(messages.c.id == bindparam("number")),
    LineKind.COMMENT: _COMMENT.where(comments.c.id == bindparam("number")),
}
_ACTION = (
    select(
        operator_actions.c.taken_at,
        operator_actions.c.action,
        operator_actions.c.player_id,
        operator_actions.c.player_name,
        players.c.name,
        operator_actions.c.detail,
    )
    .outerjoin(players, players.c.id == operator_actions.c.player_id)
    .order_by(operator_actions.c.id)
)


def messages_of_game(connection: Connection, game_id: str) -> Sequence[LoggedLine]:
    """Return all messages under a game in order, including those hidden from most readers."""
    statement = _MESSAGE.where(messages.c.game_id == game_id)
    return [_logged_line(row) for row in connection.execute(statement)]


def line_by_number(connection: Connection, kind: LineKind, number: int) -> LoggedLine | None:
    """Return the line of a kind with this number, or None."""
    row = connection.execute(_BY_NUMBER[kind], {"number": number}).first()
    return None if row is None else _logged_line(row)


def remove_line(connection: Connection, kind: LineKind, line: LoggedLine) -> None:
    """Delete the text of a line of a kind; its place under the game stays."""
    if kind is LineKind.COMMENT:
        comment_queries.remove_comment(connection, line.game_id, line.id)
    else:
        message_queries.remove_message(connection, line.id)


def save_sanctions(connection: Connection, player_id: int, sanctions: Sanctions) -> None:
    """Store the measures against a player; the links on the player's open pages become outdated."""
    connection.execute(
        update(players)
        .where(players.c.id == player_id)
        .values(
            warning=sanctions.notices,
            silenced_until=sanctions.muted_until,
            banned_for=sanctions.ban_reason,
            banned_until=sanctions.banned_until,
            actions=players.c.actions + 1,
        )
    )


def clear_notices(connection: Connection, player_id: int) -> None:
    """Delete the notices that a player has read."""
    connection.execute(update(players).where(players.c.id == player_id).values(warning=None))


def record_action(
    connection: Connection, now: datetime, kind: ActionKind, player: Player | None, detail: str
) -> None:
    """Record an action of the operator that concerns a player or nobody."""
    connection.execute(
        insert(operator_actions).values(
            taken_at=now,
            action=kind.value,
            player_id=player and player.id,
            player_name=(player and player.name) or None,
            detail=detail,
        )
    )


def actions_taken(connection: Connection, player_id: int | None = None) -> Sequence[OperatorAction]:
    """Return the operator's actions in order: those about one player, or all of them."""
    statement = (
        _ACTION if player_id is None else _ACTION.where(operator_actions.c.player_id == player_id)
    )
    return [_action(row) for row in connection.execute(statement)]


def forget_actions(connection: Connection, player_id: int) -> None:
    """Erase the name and the details from the operator's actions about a player.

    The kinds of the actions and their times stay on record.
    """
    connection.execute(
        update(operator_actions)
        .where(operator_actions.c.player_id == player_id)
        .values(player_name=None, detail="")
    )


def counts_of(connection: Connection, player_id: int) -> PlayerCounts:
    """Count a player's certificates, and the reports by and about them."""

    def count(*conditions: ColumnElement[bool]) -> int:
        return connection.execute(select(func.count()).where(*conditions)).scalar_one()

    is_about = reports.c.reported_id == player_id
    return PlayerCounts(
        certificates=count(certificates.c.player_id == player_id),
        reports_by=count(reports.c.reporter_id == player_id),
        reports_about=count(is_about),
        open_reports_about=count(is_about, reports.c.closed_at.is_(None)),
    )


def _logged_line(row: AnyRow) -> LoggedLine:
    return LoggedLine(
        id=row.id,
        game_id=row.game_id,
        author_id=row.player_id,
        author_name=row.name,
        sent_at=row.sent_at,
        text=row.text,
        is_removed=row.is_removed,
    )


def _action(row: AnyRow) -> OperatorAction:
    return OperatorAction(
        taken_at=row.taken_at,
        kind=ActionKind(row.action),
        player_id=row.player_id,
        name_then=row.player_name,
        name_now=row.name,
        detail=row.detail,
    )
