"""A player's favourites: others whom they like to find again.

Nobody else sees them, and nobody learns that they are one. The list says of each favourite no more
than public pages do, and like them leaves out who is banned. A block removes nobody from it: its
owner would learn of the block. It only leaves out the open seats that are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import activity, relation_queries
from capsule.accounts.actions import consume_action
from capsule.accounts.activity import LastHere
from capsule.accounts.name_queries import player_called
from capsule.accounts.names import bot_name
from capsule.errors import Refused
from capsule.social import favourite_queries
from capsule.social.model import Favourite
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


MAX_FAVOURITES = 100
"""The number of a player's favourites: one page lists them all."""

_ORDER = (LastHere.TODAY, LastHere.THIS_WEEK, None)


class FavouriteRefused(Refused):
    """Somebody who cannot be added to favourites, or removed; `message` says why."""


def favourites_of(context: AppContext, player: Player) -> Sequence[Favourite]:
    """Return the player's favourites: those who were here last first, else by name."""
    now = context.clock()
    with context.database.reading() as connection:
        apart = relation_queries.blocked_ids(connection, player.id)
        found = favourite_queries.favourites_of(connection, player.id, now)
    listed = [
        Favourite(
            other.name,
            bot_name(other.name) if other.is_program else other.name,
            activity.last_here(other, now),
            None if other.id in apart else seat,
        )
        for other, seat in found
    ]
    return sorted(listed, key=lambda each: (_ORDER.index(each.last_here), each.name.lower()))


def is_favourite(context: AppContext, player: Player, other: Player) -> bool:
    """Return whether another is one of the player's favourites."""
    with context.database.reading() as connection:
        return favourite_queries.is_favourite(connection, player.id, other.id)


def player_with(context: AppContext, name: str) -> Player | None:
    """Return the player whom a name in an address means, None if it is nobody's."""
    with context.database.reading() as connection:
        return player_called(connection, name, context.clock())


def add(context: AppContext, player: Player, name: str) -> None:
    """Add the one with a name to the player's favourites.

    Raises `FavouriteRefused` if that cannot be, and `OutdatedAction` if the player has acted since
    `player` was read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        other = _other_player(context, connection, player, name)
        if favourite_queries.is_favourite(connection, player.id, other.id):
            return
        count = favourite_queries.number_of_favourites(connection, player.id, context.clock())
        if count >= MAX_FAVOURITES:
            raise FavouriteRefused(
                message(
                    "You have {count} favourites, which is the limit. Remove one before you add "
                    "{name}",
                    count=MAX_FAVOURITES,
                    name=other.name,
                )
            )
        favourite_queries.add_favourite(connection, player.id, other.id, context.clock())


def remove(context: AppContext, player: Player, name: str) -> None:
    """Remove the one with a name from the player's favourites, if they are one.

    Raises as `add` does.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        other = _other_player(context, connection, player, name)
        favourite_queries.remove_favourite(connection, player.id, other.id)


def _other_player(context: AppContext, connection: Connection, player: Player, name: str) -> Player:
    other = player_called(connection, name, context.clock())
    if other is None:
        raise FavouriteRefused(message("Nobody here is called {name}", name=name))
    if other.id == player.id:
        raise FavouriteRefused(message("{name} is you", name=player.name))
    return other
