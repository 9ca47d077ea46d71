"""Steps that the operator's actions share: refusals, players by their names, notices, records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import name_queries, player_queries
from capsule.accounts.names import is_name_of_our_bot
from capsule.moderation import queries as moderation_queries
from capsule.moderation.notices import with_notice
from capsule.ui.user_text import TextRefused, clean_line

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.moderation.model import ActionKind, Notice


class OperatorRefused(ValueError):
    """Something that the operator cannot do; the text is a sentence that says why."""


def fit_reason(text: str) -> str:
    """Return a reason as it is stored and shown; refuse one that is unfit."""
    try:
        return clean_line(text)
    except TextRefused as error:
        raise OperatorRefused(f"That cannot be the reason. {error}.") from error


def player_called(context: AppContext, connection: Connection, name: str) -> Player:
    """Return the player who has a name, in upper or lower case, or is still found by it."""
    found = player_queries.player_by_name(connection, name)
    if found is None:
        found = name_queries.player_once_called(connection, name, context.clock())
    if found is not None:
        return found
    if is_name_of_our_bot(name):
        raise OperatorRefused(f"{name} is a bot, not a player.")
    raise OperatorRefused(f"Nobody here is called {name}.")


def player_to_change(context: AppContext, connection: Connection, name: str) -> Player:
    """Return the player with a name, whom nobody else changes until the transaction ends."""
    player = player_called(context, connection, name)
    player_queries.lock_player(connection, player.id)
    # Read again, since others may have changed them while this waited to hold them.
    return player_queries.player_by_id(connection, player.id) or player


def notify(connection: Connection, player: Player, notice: Notice) -> None:
    """Give a player a notice, unless they were erased."""
    if player.name:
        sanctions = with_notice(player.sanctions, notice)
        moderation_queries.save_sanctions(connection, player.id, sanctions)


def record(
    context: AppContext,
    connection: Connection,
    kind: ActionKind,
    player: Player | None,
    detail: str,
) -> None:
    """Record an action, and the player concerned if there is one."""
    moderation_queries.record_action(connection, context.clock(), kind, player, detail)
