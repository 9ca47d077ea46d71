"""The operator's steps, and the notices about them to those concerned."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player, Sanctions
from capsule.accounts.names import is_name_of_our_bot
from capsule.context import AppContext
from capsule.moderation import queries as moderation_queries
from capsule.moderation.model import ActionKind, Notice, NoticeKind
from capsule.ui.user_text import TextRefused, clean_line


def notices_for(player: Player) -> Sequence[Notice]:
    """Return the notices that a player has not acknowledged, the oldest first."""
    return _read(player.sanctions)


def with_notice(sanctions: Sanctions, notice: Notice) -> Sanctions:
    """Return a player's sanctions with one more notice."""
    return replace(sanctions, notices=_written([*_read(sanctions), notice]))


def without_notices(sanctions: Sanctions, kind: NoticeKind) -> Sanctions:
    """Return a player's sanctions without the notices of a kind, which are void."""
    others = [each for each in _read(sanctions) if each.kind is not kind]
    return replace(sanctions, notices=_written(others))


def _read(sanctions: Sanctions) -> Sequence[Notice]:
    stored: Sequence[dict[str, Any]] = json.loads(sanctions.notices or "[]")
    for each in stored:
        each["kind"] = NoticeKind(each["kind"])
        each["until"] = datetime.fromisoformat(each["until"]) if "until" in each else None
    return [Notice(**each) for each in stored]


def _written(notices: Iterable[Notice]) -> str | None:
    """Return notices as they are stored, None if there are none; empty values are left out."""
    filled = [{key: value for key, value in vars(each).items() if value} for each in notices]
    return json.dumps(filled, ensure_ascii=False, default=datetime.isoformat) if filled else None


class OperatorRefused(ValueError):
    """Something that the operator cannot do; the text is a sentence that says why."""


def fit_reason(text: str) -> str:
    """Return a reason as it is stored and shown; refuse one that is unfit."""
    try:
        return clean_line(text)
    except TextRefused as error:
        raise OperatorRefused(f"That cannot be the reason. {error}.") from error


def player_called(context: AppContext, connection: sa.Connection, name: str) -> Player:
    """Return the player who has a name, in upper or lower case, or is still found by it."""
    found = account_queries.player_by_name(connection, name)
    if found is None:
        found = account_queries.player_once_called(connection, name, context.clock())
    if found is not None:
        return found
    if is_name_of_our_bot(name):
        raise OperatorRefused(f"{name} is a bot, not a player.")
    raise OperatorRefused(f"Nobody here is called {name}.")


def player_to_change(context: AppContext, connection: sa.Connection, name: str) -> Player:
    """Return the player with a name, whom nobody else changes until the transaction ends."""
    player = player_called(context, connection, name)
    account_queries.lock_player(connection, player.id)
    # Read again, since others may have changed them while this waited to hold them.
    return account_queries.player_by_id(connection, player.id) or player


def notify(connection: sa.Connection, player: Player, notice: Notice) -> None:
    """Give a player a notice, unless they were erased."""
    if player.name:
        sanctions = with_notice(player.sanctions, notice)
        moderation_queries.save_sanctions(connection, player.id, sanctions)


def record(
    context: AppContext,
    connection: sa.Connection,
    kind: ActionKind,
    player: Player | None,
    detail: str,
) -> None:
    """Record an action, and the player concerned if there is one."""
    moderation_queries.record_action(connection, context.clock(), kind, player, detail)
