"""A player's favourites: others whom they like to find again.

Nobody else sees them, and nobody learns that they are one. The list says of each favourite no more
than public pages do, and like them leaves out who is banned. A block removes nobody from it: its
owner would learn of the block. It only leaves out the open seats that are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import activity, relation_queries
from capsule.accounts.activity import LastHere
from capsule.accounts.name_queries import player_called
from capsule.accounts.names import bot_name
from capsule.errors import Refused
from capsule.social import favourite_queries
from capsule.social.model import Favourite
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.model import Player
    from capsule.context import Transaction


MAX_FAVOURITES = 100
"""The number of a player's favourites: one page lists them all."""

_ORDER = (LastHere.TODAY, LastHere.THIS_WEEK, None)


class FavouriteRefused(Refused):
    """Somebody who cannot be added to favourites, or removed; `message` says why."""


def favourites_of(transaction: Transaction, player: Player) -> Sequence[Favourite]:
    """Return the player's favourites: those who were here last first, else by name."""
    connection, now = transaction.connection, transaction.now
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


def add(transaction: Transaction, player: Player, name: str) -> Player:
    """Add the one with a name to the player's favourites, and return that one.

    Raises `FavouriteRefused` if that cannot be.
    """
    connection, now = transaction.connection, transaction.now
    other = _other_player(transaction, player, name)
    if favourite_queries.is_favourite(connection, player.id, other.id):
        return other
    if favourite_queries.number_of_favourites(connection, player.id, now) >= MAX_FAVOURITES:
        raise FavouriteRefused(
            message(
                "You have {count} favourites, which is the limit. Remove one before you add {name}",
                count=MAX_FAVOURITES,
                name=other.name,
            )
        )
    favourite_queries.add_favourite(connection, player.id, other.id, now)
    return other


def remove(transaction: Transaction, player: Player, name: str) -> Player:
    """Remove the one with a name from the player's favourites, if they are one, and return them.

    Raises as `add` does.
    """
    other = _other_player(transaction, player, name)
    favourite_queries.remove_favourite(transaction.connection, player.id, other.id)
    return other


def _other_player(transaction: Transaction, player: Player, name: str) -> Player:
    other = player_called(transaction.connection, name, transaction.now)
    if other is None:
        raise FavouriteRefused(message("Nobody here is called {name}", name=name))
    if other.id == player.id:
        raise FavouriteRefused(message("{name} is you", name=player.name))
    return other
