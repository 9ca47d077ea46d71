"""A player's declaration that it is a program, and the challenges that it takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.accounts.actions import consume_action
from capsule.errors import Refused
from capsule.programs import queries
from engine.game import message

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


class DeclarationRefused(Refused):
    """Somebody cannot become a program any more; `message` says why."""


def may_declare(connection: Connection, player: Player | None) -> bool:
    """Return whether a player, None for a newcomer, can still declare themselves a program."""
    if player is None:
        return True
    return not player.is_program and not queries.has_played_rated(connection, player.id)


def declare(context: AppContext, player: Player) -> None:
    """Make a player a program, for good.

    Raises `DeclarationRefused` if they have played for ratings, or are one already, and
    `OutdatedAction` if they have acted since `player` was read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        if not may_declare(connection, player):
            raise DeclarationRefused(
                message("You have played rated games as a person: use another certificate")
            )
        player_queries.keep_program(connection, player.id, context.clock())


def take_challenges(context: AppContext, player: Player, word: str, *, takes: bool) -> None:
    """Let a program take or decline the challenges that a word of `model.declinable` names.

    Raises `OutdatedAction` if they have acted since `player` was read.
    """
    others = tuple(each for each in player.settings.declines if each != word)
    with context.database.writing() as connection:
        consume_action(connection, player)
        declines = others if takes else (*others, word)
        settings = replace(player.settings, declines=declines)
        player_queries.keep_settings(connection, player.id, settings)
