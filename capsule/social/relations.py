"""Whom players want to hear less of: muting, blocking, and what a block keeps apart.

Who has muted another is not shown that one's messages, and the other is not told. A block is more:
the two send each other no messages and begin no games with each other. Games that they are playing
go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import relation_queries
from capsule.accounts.actions import consume_action
from capsule.accounts.model import BLOCK, MUTE
from capsule.accounts.name_queries import player_called
from capsule.errors import Refused
from capsule.games import list_queries
from capsule.games import queries as game_queries
from capsule.games.finish import end
from capsule.games.quota import MAX_UNFINISHED_GAMES
from capsule.games.reading import load_game
from capsule.games.status import Ending, GameStatus
from engine.bots.levels import LEVELS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player, Relation
    from capsule.context import AppContext


MAX_RELATIONS = 200
"""Players whom one player may have muted or blocked at once: they all stand on one page."""


class RelationRefused(Refused):
    """Somebody who cannot be muted, blocked or forgiven; `message` says why."""


def people_of(context: AppContext, player: Player) -> Sequence[Relation]:
    """Return whom the player has muted and blocked, the latest first."""
    with context.database.reading() as connection:
        return relation_queries.relations_of(connection, player.id)


def mute(context: AppContext, player: Player, name: str) -> None:
    """Show the player no more messages of somebody.

    Raises `RelationRefused`, and `OutdatedAction` where the player has acted since `player` was
    read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        _keep(context, connection, player, name, MUTE)


def block(context: AppContext, player: Player, name: str) -> None:
    """Keep somebody from sharing anything with the player; challenges between the two end.

    Raises as `mute` does.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        other = _keep(context, connection, player, name, BLOCK)
        _end_challenges(context, connection, player, other)
        _end_challenges(context, connection, other, player)


def remove_relation(context: AppContext, player: Player, name: str, kind: str) -> None:
    """Undo that the player has muted or blocked somebody, as `kind` says; raises as `mute` does."""
    with context.database.writing() as connection:
        consume_action(connection, player)
        other = _named(context, connection, player, name)
        if relation_queries.kind_of_relation(connection, player.id, other.id) != kind:
            reason = (
                message("You have not muted {name}", name=other.name)
                if kind == MUTE
                else message("You have not blocked {name}", name=other.name)
            )
            raise RelationRefused(reason)
        relation_queries.drop_relation(connection, player.id, other.id)


def _keep(
    context: AppContext, connection: Connection, player: Player, name: str, kind: str
) -> Player:
    other = _named(context, connection, player, name)
    known = relation_queries.kind_of_relation(connection, player.id, other.id)
    if known == BLOCK:
        raise RelationRefused(message("You have blocked {name} already", name=other.name))
    if known == kind:
        raise RelationRefused(message("You have muted {name} already", name=other.name))
    if known is None and len(relation_queries.relations_of(connection, player.id)) >= MAX_RELATIONS:
        raise RelationRefused(
            message(
                "You have muted or blocked {count} players, which is as many as anyone may",
                count=MAX_RELATIONS,
            )
        )
    relation_queries.keep_relation(connection, player.id, other.id, kind, context.clock())
    return other


def _named(context: AppContext, connection: Connection, player: Player, name: str) -> Player:
    name = name.strip()
    other = player_called(connection, name, context.clock())
    if other is None and name.lower().removesuffix(" bot") in LEVELS:
        raise RelationRefused(message("{name} is a bot, and bots leave people alone", name=name))
    if other is None:
        raise RelationRefused(message("Nobody here is called {name}", name=name))
    if other.id == player.id:
        raise RelationRefused(message("{name} is you", name=player.name))
    return other


def _end_challenges(
    context: AppContext, connection: Connection, challenged: Player, challenger: Player
) -> None:
    """Decline what one player has challenged another to."""
    found = list_queries.challenges_to(connection, challenged.id, MAX_UNFINISHED_GAMES)
    for game in found:
        if challenger.id in (game.x.player_id, game.o.player_id):
            held = game_queries.game_by_id(connection, game.id, to_change=True)
            known = load_game(context, connection, held or game, game.ply)
            if known.stored.status is GameStatus.CHALLENGED:
                end(connection, known, Ending.called_off())
