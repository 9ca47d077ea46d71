"""Muting and blocking other players, and favourites."""

from collections.abc import Sequence

from capsule.accounts import activity, names, queries as account_queries
from capsule.accounts.model import Player, RelationKind
from capsule.context import Transaction
from capsule.errors import OverLimit, Refused
from capsule.games import eligibility, finish, list_queries, queries as game_queries, reading
from capsule.games.model import Ending, EndReason
from capsule.social import model, queries
from engine import message

MAX_RELATIONS = 200
"""The number of players one player may have muted or blocked: one page lists them all."""


def relate(transaction: Transaction, player: Player, name: str, kind: RelationKind) -> None:
    """Mute or block the player with a name, as `kind` says. A block ends their challenges.

    Raises `Refused` or `OverLimit` if that cannot be.
    """
    other = require_relatable(transaction, player, name, kind)
    account_queries.save_relation(
        transaction.connection, player.id, other.id, kind, transaction.now
    )
    if kind is RelationKind.BLOCK:
        _end_challenges(transaction, player, other)


def remove_relation(
    transaction: Transaction, player: Player, name: str, kind: RelationKind
) -> None:
    """Unmute or unblock the player with a name, as `kind` says; raises `Refused`."""
    connection = transaction.connection
    other = _person_called(transaction, player, name)
    if account_queries.kind_of_relation(connection, player.id, other.id) is not kind:
        reason = (
            message("You have not muted {name}", name=other.name)
            if kind is RelationKind.MUTE
            else message("You have not blocked {name}", name=other.name)
        )
        raise Refused(reason)
    account_queries.drop_relation(connection, player.id, other.id)


def require_relatable(
    transaction: Transaction, player: Player, name: str, kind: RelationKind
) -> Player:
    """Return the player with a name, whom this one can mute or block, as `kind` says.

    Raises as `relate` does.
    """
    connection = transaction.connection
    other = _person_called(transaction, player, name)
    known = account_queries.kind_of_relation(connection, player.id, other.id)
    if known is RelationKind.BLOCK:
        raise Refused(message("You have blocked {name} already", name=other.name))
    if known is kind:
        raise Refused(message("You have muted {name} already", name=other.name))
    if known is None and len(account_queries.relations_of(connection, player.id)) >= MAX_RELATIONS:
        raise OverLimit(
            message(
                "You have muted or blocked {count} players, which is the limit", count=MAX_RELATIONS
            )
        )
    return other


def _person_called(transaction: Transaction, player: Player, name: str) -> Player:
    """Return another player with a name; our bots are refused for another reason."""
    if names.is_name_of_our_bot(name) and not account_queries.player_called(
        transaction.connection, name, transaction.now
    ):
        raise Refused(message("{name} is a bot, and bots leave people alone", name=name))
    return _other_player(transaction, player, name)


def _end_challenges(transaction: Transaction, player: Player, other: Player) -> None:
    """End the challenges between two players: the first declines the other's, and withdraws."""
    connection = transaction.connection
    reasons = {
        game.id: reason
        for challenged, challenger, reason in (
            (player, other, EndReason.DECLINED),
            (other, player, EndReason.WITHDRAWN),
        )
        for game in list_queries.challenges_to(
            connection, challenged.id, eligibility.MAX_UNFINISHED_GAMES
        )
        if game.has_player(challenger.id)
    }
    for held in game_queries.games_with(connection, reasons, to_change=True):
        known = reading.load_game(transaction, held)
        side, reason = known.stored.reserved_side, reasons[held.id]
        if side is not None:
            ended_by = side if reason is EndReason.DECLINED else side.other
            finish.end(connection, known, Ending.aborted(reason, ended_by))


MAX_FAVOURITES = 100
"""The number of a player's favourites: one page lists them all."""

_ORDER = (activity.LastHere.TODAY, activity.LastHere.THIS_WEEK, None)


def favourites_of(transaction: Transaction, player: Player) -> Sequence[model.Favourite]:
    """Return the player's favourites: by the day of their last visit, then by name."""
    connection, now = transaction.connection, transaction.now
    apart = account_queries.blocked_ids(connection, player.id)
    found = queries.favourites_of(connection, player.id, now)
    listed = [
        model.Favourite(other, activity.last_here(other, now), None if other.id in apart else seat)
        for other, seat in found
    ]
    return sorted(listed, key=lambda each: (_ORDER.index(each.last_here), each.player.name.lower()))


def add(transaction: Transaction, player: Player, name: str) -> Player:
    """Add the player with a name to another's favourites, and return the added player.

    Raises `Refused` if that cannot be.
    """
    connection, now = transaction.connection, transaction.now
    other = _other_player(transaction, player, name)
    if queries.is_favourite(connection, player.id, other.id):
        return other
    if len(queries.favourites_of(connection, player.id, now)) >= MAX_FAVOURITES:
        raise Refused(
            message(
                "You have {count} favourites, which is the limit. Remove one before you add {name}",
                count=MAX_FAVOURITES,
                name=other.name,
            )
        )
    queries.add_favourite(connection, player.id, other.id, now)
    return other


def remove(transaction: Transaction, player: Player, name: str) -> Player:
    """Remove the player with a name from another's favourites, and return that player.

    Raises as `add` does.
    """
    other = _other_player(transaction, player, name)
    queries.remove_favourite(transaction.connection, player.id, other.id)
    return other


def _other_player(transaction: Transaction, player: Player, name: str) -> Player:
    other = account_queries.player_called(transaction.connection, name, transaction.now)
    if other is None:
        raise Refused(message("Nobody here is called {name}", name=name))
    if other.id == player.id:
        raise Refused(message("{name} is you", name=player.name))
    return other
