"""Reading and writing what the operator is told, and what the operator does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, select, update

from capsule.db.schema.moderation import operator_actions, reports
from capsule.db.schema.players import certificates, players
from capsule.db.schema.social import messages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player


@dataclass(frozen=True)
class Report:
    """What somebody told the operator of somebody else, perhaps of a game of theirs.

    A name is "" where the player was erased.
    """

    id: int
    made_at: datetime
    reporter: str
    reported_id: int
    reported: str
    game_id: str | None
    text: str
    closed_at: datetime | None


@dataclass(frozen=True)
class Said:
    """A message under a game; its text is "" where it was removed, its author where erased."""

    id: int
    game_id: str
    author_id: int
    author: str
    sent_at: datetime
    text: str
    removed: bool


@dataclass(frozen=True)
class Action:
    """Something that the operator did.

    The names are the player's then and now: None and "" where the player was erased.
    """

    taken_at: datetime
    action: str
    player_id: int | None
    name_then: str | None
    name_now: str | None
    detail: str


@dataclass(frozen=True)
class Counts:
    """How many certificates a player has, how many reports they made, and how many are of them."""

    certificates: int
    reports_by: int
    reports_about: int
    open_reports_about: int


_REPORTERS = players.alias("reporters")
_REPORTS = (
    select(
        reports.c.id,
        reports.c.made_at,
        _REPORTERS.c.name,
        reports.c.reported_id,
        players.c.name,
        reports.c.game_id,
        reports.c.text,
        reports.c.closed_at,
    )
    .join(_REPORTERS, _REPORTERS.c.id == reports.c.reporter_id)
    .join(players, players.c.id == reports.c.reported_id)
    .order_by(reports.c.id)
)
_SAID = (
    select(
        messages.c.id,
        messages.c.game_id,
        messages.c.player_id,
        players.c.name,
        messages.c.sent_at,
        messages.c.text,
        messages.c.removed,
    )
    .join(players, players.c.id == messages.c.player_id)
    .order_by(messages.c.id)
)


def reports_made(connection: Connection, *, also_closed: bool = False) -> Sequence[Report]:
    """Return the reports that are open, or all, in the order in which they were made."""
    statement = _REPORTS if also_closed else _REPORTS.where(reports.c.closed_at.is_(None))
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    return [Report(*row) for row in rows]


def report_of_number(connection: Connection, number: int) -> Report | None:
    """Return the report of a number, or None."""
    row: Sequence[Any] | None = connection.execute(_REPORTS.where(reports.c.id == number)).first()
    return Report(*row) if row else None


def close_report(connection: Connection, number: int, now: datetime) -> None:
    """Close a report."""
    connection.execute(update(reports).where(reports.c.id == number).values(closed_at=now))


def said_in(connection: Connection, game_id: str) -> Sequence[Said]:
    """Return all messages of a game in order, whoever may see them."""
    rows: Sequence[Sequence[Any]] = connection.execute(
        _SAID.where(messages.c.game_id == game_id)
    ).all()
    return [Said(*row) for row in rows]


def message_of_number(connection: Connection, number: int) -> Said | None:
    """Return the message of a number, or None."""
    row: Sequence[Any] | None = connection.execute(_SAID.where(messages.c.id == number)).first()
    return Said(*row) if row else None


def remove_message(connection: Connection, number: int) -> None:
    """Empty a message; its place stays."""
    connection.execute(
        update(messages).where(messages.c.id == number).values(text="", removed=True)
    )


def change_player(connection: Connection, player_id: int, **values: Any) -> None:  # noqa: ANN401
    """Set columns of a player, whose pages from before that cannot act any more."""
    connection.execute(
        update(players)
        .where(players.c.id == player_id)
        .values(**values, actions=players.c.actions + 1)
    )


def clear_warning(connection: Connection, player_id: int) -> None:
    """Forget what the operator had to say, since the player has read it."""
    connection.execute(update(players).where(players.c.id == player_id).values(warning=None))


def record_action(
    connection: Connection, now: datetime, action: str, player: Player, detail: str
) -> None:
    """Keep a trace of something that the operator did to a player or about one."""
    connection.execute(
        insert(operator_actions).values(
            taken_at=now,
            action=action,
            player_id=player.id,
            player_name=player.name or None,
            detail=detail,
        )
    )


def actions_taken(connection: Connection, player_id: int | None = None) -> Sequence[Action]:
    """Return what the operator did, to one player or to all, in order."""
    statement = (
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
    if player_id is not None:
        statement = statement.where(operator_actions.c.player_id == player_id)
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    return [Action(*row) for row in rows]


def counts_of(connection: Connection, player_id: int) -> Counts:
    """Return what there is of a player, in numbers."""
    about = select(func.count()).where(reports.c.reported_id == player_id)
    statements = (
        select(func.count()).where(certificates.c.player_id == player_id),
        select(func.count()).where(reports.c.reporter_id == player_id),
        about,
        about.where(reports.c.closed_at.is_(None)),
    )
    return Counts(*(connection.execute(statement).scalar_one() for statement in statements))


def kept_about(connection: Connection, player: Player) -> dict[str, Any]:
    """Return what is kept of a player by the operator's doing and of old names, fit for JSON."""
    return {
        "operator": {
            "unread": json.loads(player.warning or "[]"),
            "no_messages_until": _written(player.silenced_until),
            "banned_for": player.banned_for,
            "banned_until": _written(player.banned_until),
            "actions": [
                {
                    "at": each.taken_at.isoformat(),
                    "action": each.action,
                    "name": each.name_then,
                    "detail": each.detail,
                }
                for each in actions_taken(connection, player.id)
                # Who was reported is not told, here neither.
                if each.action != "close"
            ],
        },
    }


def forget(connection: Connection, player_id: int) -> None:
    """Erase what the operator's doing has left of a player, their old names, and reports of them.

    That something was done to a former player stays, and when; who that was, and what was said of
    it, goes.
    """
    connection.execute(delete(reports).where(reports.c.reported_id == player_id))
    connection.execute(
        update(operator_actions)
        .where(operator_actions.c.player_id == player_id)
        .values(player_name=None, detail="")
    )
    change_player(
        connection,
        player_id,
        warning=None,
        silenced_until=None,
        banned_for=None,
        banned_until=None,
    )


def _written(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
