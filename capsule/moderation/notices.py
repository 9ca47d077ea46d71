"""What the operator has to say to a player, until the player has read it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from capsule.accounts.actions import consume_action
from capsule.moderation import queries as moderation_queries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext


WARNED, RENAMED, SILENCED, REMOVED = "warned", "renamed", "silenced", "removed"


@dataclass(frozen=True)
class Notice:
    """That the operator warned, renamed or silenced a player or removed a message, and why.

    `old` and `new` are names, `until` is when the silence ends, in ISO 8601, and `game_id` is where
    the message was.
    """

    kind: str
    reason: str
    old: str = ""
    new: str = ""
    until: str = ""
    game_id: str = ""

    @property
    def ends(self) -> datetime:
        """When the silence ends."""
        return datetime.fromisoformat(self.until)


def notices_for(player: Player) -> Sequence[Notice]:
    """Return what the player has not read yet, the oldest first."""
    return [] if player.warning is None else [Notice(**each) for each in json.loads(player.warning)]


def with_notice(player: Player, notice: Notice) -> str:
    """Return what is to be kept as the player's `warning` when another notice is given."""
    return _written([*notices_for(player), notice])


def without(player: Player, kind: str) -> str | None:
    """Return what is to be kept as the player's `warning` when notices of a kind are void."""
    return _written([each for each in notices_for(player) if each.kind != kind]) or None


def acknowledge(context: AppContext, player: Player) -> None:
    """Forget the notices that the player has read.

    Raises `OutdatedAction` where the player has acted since `player` was read, or there is more to
    read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        moderation_queries.clear_warning(connection, player.id)


def _written(notices: Sequence[Notice]) -> str:
    told = [{name: text for name, text in asdict(each).items() if text} for each in notices]
    return json.dumps(told, ensure_ascii=False) if told else ""
