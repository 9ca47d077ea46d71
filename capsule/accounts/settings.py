"""A player's settings: pages, language, ratings, public lists, messages and the private feed."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial

from capsule.accounts import queries
from capsule.accounts.model import NewsKind, Player, Settings
from capsule.context import Transaction
from capsule.ui.preferences import SWITCH


def _with_news(kind: NewsKind, is_enabled: bool, settings: Settings) -> Settings:  # noqa: FBT001 - a switch
    others = {*settings.disabled_news} - {kind}
    disabled = others if is_enabled else {*others, kind}
    return replace(settings, disabled_news=tuple(each for each in NewsKind if each in disabled))


CHOICES: Mapping[str, Mapping[str, Callable[[Settings], Settings]]] = {
    **{
        each.metadata["name"]: {
            word: partial(replace, **{each.name: value}, **each.metadata["also"])
            for word, value in each.metadata["values"].items()
        }
        for each in fields(Settings)
        if each.metadata
    },
    **{
        f"news-{kind}": {
            word: partial(_with_news, kind, is_enabled) for word, is_enabled in SWITCH.items()
        }
        for kind in NewsKind
    },
}
"""The change to a player's settings for each value of each setting, by their names in addresses."""


def choose(transaction: Transaction, player: Player, name: str, value: str) -> None:
    """Give a setting a value, a name and a value of `CHOICES`."""
    _change(transaction, player, CHOICES[name][value](player.settings))


def rates_bots(player: Player | None) -> bool:
    """Return whether a player lets games against bots count for ratings; None is a visitor."""
    return player is not None and player.settings.rated_against_bots


def choose_time_zone(transaction: Transaction, player: Player, zone: str) -> None:
    """Set the player's time zone to one that `time_zones.find` has returned."""
    _change(transaction, player, replace(player.settings, time_zone=zone))


def _change(transaction: Transaction, player: Player, settings: Settings) -> None:
    queries.save_settings(transaction.connection, player.id, settings)
    if not settings.shows_activity:
        queries.forget_day(transaction.connection, player.id)
