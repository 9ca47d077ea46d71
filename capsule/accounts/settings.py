"""What players choose for themselves: how they want their pages, and whether messages come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.accounts.actions import consume_action

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capsule.accounts.model import Player
    from capsule.context import AppContext


CHOICES: Mapping[str, Mapping[str, Mapping[str, bool]]] = {
    "boards": {"ascii": {"unicode_boards": False}, "unicode": {"unicode_boards": True}},
    "rulers": {"on": {"rulers": True}, "off": {"rulers": False}},
    "words": {"first": {"words_first": True}, "apart": {"words_first": False}},
    "messages": {"on": {"takes_messages": True}, "off": {"takes_messages": False}},
}
"""The settings by their names, the values of each, and what these mean for a player's columns."""


def choose(context: AppContext, player: Player, name: str, value: str) -> None:
    """Keep a player's choice, one of `CHOICES`.

    Raises `OutdatedAction` where the player has acted since `player` was read.
    """
    _change(context, player, CHOICES[name][value])


def choose_time_zone(context: AppContext, player: Player, zone: str) -> None:
    """Keep a player's time zone, a name that `time_zones.find` has returned.

    Raises `OutdatedAction` where the player has acted since `player` was read.
    """
    _change(context, player, {"time_zone": zone})


def _change(context: AppContext, player: Player, values: Mapping[str, bool | str]) -> None:
    with context.database.writing() as connection:
        consume_action(connection, player)
        player_queries.change_settings(connection, player.id, values)


def told(player: Player) -> dict[str, bool | str]:
    """Return what a player has chosen, fit for JSON."""
    return {name: getattr(player, name) for name in player_queries.DEFAULT_SETTINGS}
