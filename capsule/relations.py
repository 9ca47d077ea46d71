"""Whom players want to hear less of: muting, blocking, and what a block keeps apart.

Who has muted another is not shown that one's messages, and the other is not told. A block is more:
the two send each other no messages and begin no games with each other. Games that they are playing
go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.game import ABORTED, CHALLENGED, end, game_at
from capsule.refusal import Refused
from capsule.seating import MOST_UNFINISHED, count_action
from capsule.store import games as stored_games
from capsule.store import lists as stored_lists
from capsule.store import relations as stored
from capsule.store.names import player_called
from capsule.store.relations import BLOCK, MUTE, are_apart, blocked_ids
from engine.bots.levels import LEVELS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.site import Site
    from capsule.store.players import Player
    from capsule.store.relations import Relation

__all__ = [
    "BLOCK",
    "MUTE",
    "RelationRefused",
    "are_apart",
    "block",
    "blocked_ids",
    "forgive",
    "mute",
    "people_of",
]

MOST_RELATIONS = 200
"""Players whom one player may have muted or blocked at once: they all stand on one page."""


class RelationRefused(Refused):
    """Somebody who cannot be muted, blocked or forgiven; `message` says why."""


def people_of(site: Site, player: Player) -> Sequence[Relation]:
    """Return whom the player has muted and blocked, the latest first."""
    with site.store.reading() as connection:
        return stored.relations_of(connection, player.id)


def mute(site: Site, player: Player, name: str) -> None:
    """Show the player no more messages of somebody.

    Raises `RelationRefused`, and `OutdatedAction` where the player has acted since `player` was
    read.
    """
    with site.store.writing() as connection:
        count_action(connection, player)
        _keep(site, connection, player, name, MUTE)


def block(site: Site, player: Player, name: str) -> None:
    """Keep somebody from sharing anything with the player; challenges between the two end.

    Raises as `mute` does.
    """
    with site.store.writing() as connection:
        count_action(connection, player)
        other = _keep(site, connection, player, name, BLOCK)
        _end_challenges(site, connection, player, other)
        _end_challenges(site, connection, other, player)


def forgive(site: Site, player: Player, name: str, kind: str) -> None:
    """Undo that the player has muted or blocked somebody, as `kind` says; raises as `mute` does."""
    with site.store.writing() as connection:
        count_action(connection, player)
        other = _named(site, connection, player, name)
        if stored.kind_of_relation(connection, player.id, other.id) != kind:
            reason = (
                message("You have not muted {name}", name=other.name)
                if kind == MUTE
                else message("You have not blocked {name}", name=other.name)
            )
            raise RelationRefused(reason)
        stored.drop_relation(connection, player.id, other.id)


def _keep(site: Site, connection: Connection, player: Player, name: str, kind: str) -> Player:
    other = _named(site, connection, player, name)
    known = stored.kind_of_relation(connection, player.id, other.id)
    if known == BLOCK:
        raise RelationRefused(message("You have blocked {name} already", name=other.name))
    if known == kind:
        raise RelationRefused(message("You have muted {name} already", name=other.name))
    if known is None and len(stored.relations_of(connection, player.id)) >= MOST_RELATIONS:
        raise RelationRefused(
            message(
                "You have muted or blocked {count} players, which is as many as anyone may",
                count=MOST_RELATIONS,
            )
        )
    stored.keep_relation(connection, player.id, other.id, kind, site.clock())
    return other


def _named(site: Site, connection: Connection, player: Player, name: str) -> Player:
    name = name.strip()
    other = player_called(connection, name, site.clock())
    if other is None and name.lower().removesuffix(" bot") in LEVELS:
        raise RelationRefused(message("{name} is a bot, and bots leave people alone", name=name))
    if other is None:
        raise RelationRefused(message("Nobody here is called {name}", name=name))
    if other.id == player.id:
        raise RelationRefused(message("{name} is you", name=player.name))
    return other


def _end_challenges(
    site: Site, connection: Connection, challenged: Player, challenger: Player
) -> None:
    """Decline what one player has challenged another to."""
    found = stored_lists.challenges_to(connection, challenged.id, MOST_UNFINISHED)
    for game in found:
        if challenger.id in (game.x_player_id, game.o_player_id):
            held = stored_games.game_by_id(connection, game.id, to_change=True)
            known = game_at(site, connection, held or game, game.ply)
            if known.stored.status == CHALLENGED:
                end(connection, known, {"status": ABORTED})
