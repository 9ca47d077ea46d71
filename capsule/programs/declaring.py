"""Declaring a player a program, and choosing the challenges that it accepts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.accounts.actions import consume_action
from capsule.errors import Refused
from capsule.everyone import queries as vote_queries
from capsule.programs import queries
from capsule.seasons import departures as season_departures
from engine.game import message

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


class DeclarationRefused(Refused):
    """A player may not become a program; `message` says why."""


def may_declare(connection: Connection, player: Player | None) -> bool:
    """Return whether a player can still become a program; `player` is None for a new visitor."""
    if player is None:
        return True
    return not player.is_program and not queries.has_played_rated(connection, player.id)


def declare(context: AppContext, player: Player) -> None:
    """Make a player a program, for good.

    Programs leave the lists, the votes and the season to people.

    Raises `DeclarationRefused` if the player has played rated games or is a program already, and
    `OutdatedAction` if the player has acted since `player` was read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        if not may_declare(connection, player):
            raise DeclarationRefused(
                message("You have played rated games as a person. Use another certificate")
            )
        player_queries.save_program_since(connection, player.id, context.clock())
        queries.unlist_games_without_person(connection, player.id)
        vote_queries.withdraw_votes(connection, player.id)
        season_departures.take_off_program(connection, player.id, context.clock())


def take_challenges(context: AppContext, player: Player, word: str, *, takes: bool) -> None:
    """Accept or decline, from now on, the challenges that `word` names in `model.declinable`.

    Raises `OutdatedAction` if the player has acted since `player` was read.
    """
    others = tuple(each for each in player.settings.declines if each != word)
    with context.database.writing() as connection:
        consume_action(connection, player)
        declines = others if takes else (*others, word)
        settings = replace(player.settings, declines=declines)
        player_queries.save_settings(connection, player.id, settings)
