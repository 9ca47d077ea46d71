"""A player's settings: pages, language, ratings, public lists, messages and the private feed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import activity_queries, player_queries
from capsule.accounts.model import NewsKind
from capsule.ui.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.model import Player, Settings
    from capsule.context import Transaction


def _enable(kind: NewsKind, settings: Settings) -> Settings:
    disabled = (each for each in settings.disabled_news if each is not kind)
    return replace(settings, disabled_news=tuple(disabled))


def _disable(kind: NewsKind, settings: Settings) -> Settings:
    disabled = (each for each in NewsKind if each is kind or each in settings.disabled_news)
    return replace(settings, disabled_news=tuple(disabled))


def _speak(language: str, settings: Settings) -> Settings:
    return replace(settings, language=language)


CHOICES: Mapping[str, Mapping[str, Callable[[Settings], Settings]]] = {
    "boards": {
        "ascii": lambda settings: replace(settings, unicode_boards=False),
        "unicode": lambda settings: replace(settings, unicode_boards=True),
    },
    "rulers": {
        "on": lambda settings: replace(settings, rulers=True),
        "off": lambda settings: replace(settings, rulers=False),
    },
    "words": {
        "first": lambda settings: replace(settings, words_first=True),
        "apart": lambda settings: replace(settings, words_first=False),
    },
    "narrow": {
        "on": lambda settings: replace(settings, narrow=True, width_chosen=True),
        "off": lambda settings: replace(settings, narrow=False, width_chosen=True),
    },
    "language": {key: partial(_speak, key) for key in LANGUAGES},
    "messages": {
        "on": lambda settings: replace(settings, takes_messages=True),
        "off": lambda settings: replace(settings, takes_messages=False),
    },
    "rated-bots": {
        "on": lambda settings: replace(settings, rated_against_bots=True),
        "off": lambda settings: replace(settings, rated_against_bots=False),
    },
    "activity": {
        "on": lambda settings: replace(settings, shows_activity=True),
        "off": lambda settings: replace(settings, shows_activity=False),
    },
    "lists": {
        "on": lambda settings: replace(settings, lists_games=True),
        "off": lambda settings: replace(settings, lists_games=False),
    },
    "lists-bots": {
        "on": lambda settings: replace(settings, lists_bot_games=True),
        "off": lambda settings: replace(settings, lists_bot_games=False),
    },
    "featured": {
        "on": lambda settings: replace(settings, may_be_featured=True),
        "off": lambda settings: replace(settings, may_be_featured=False),
    },
    **{
        f"news-{kind}": {"on": partial(_enable, kind), "off": partial(_disable, kind)}
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
    player_queries.save_settings(transaction.connection, player.id, settings)
    if not settings.shows_activity:
        activity_queries.forget_day(transaction.connection, player.id)
