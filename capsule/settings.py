"""What players choose for themselves: how they want their pages, and whether messages come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.seating import count_action
from capsule.store import settings as stored

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capsule.site import Site
    from capsule.store.players import Player

CHOICES: Mapping[str, Mapping[str, Mapping[str, bool]]] = {
    "boards": {"ascii": {"unicode_boards": False}, "unicode": {"unicode_boards": True}},
    "rulers": {"on": {"rulers": True}, "off": {"rulers": False}},
    "words": {"first": {"words_first": True}, "apart": {"words_first": False}},
    "messages": {"on": {"takes_messages": True}, "off": {"takes_messages": False}},
}
"""The settings by their names, the values of each, and what these mean for a player's columns."""


def choose(site: Site, player: Player, name: str, value: str) -> None:
    """Keep a player's choice, one of `CHOICES`.

    Raises `OutdatedAction` where the player has acted since `player` was read.
    """
    _change(site, player, CHOICES[name][value])


def choose_time_zone(site: Site, player: Player, zone: str) -> None:
    """Keep a player's time zone, a name that `time_zones.find` has returned.

    Raises `OutdatedAction` where the player has acted since `player` was read.
    """
    _change(site, player, {"time_zone": zone})


def _change(site: Site, player: Player, values: Mapping[str, bool | str]) -> None:
    with site.store.writing() as connection:
        count_action(connection, player)
        stored.change_settings(connection, player.id, values)


def told(player: Player) -> dict[str, bool | str]:
    """Return what a player has chosen, fit for JSON."""
    return {name: getattr(player, name) for name in stored.AT_FIRST}
