"""Which games count for ratings, and what they do to them when they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import updated
from capsule.ratings.queries import Change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.context import AppContext
    from capsule.games.queries import StoredGame
    from capsule.ratings.model import Rating


MIN_PLIES = 2
"""A game counts from that move on after which it can no longer be called off."""


def may_count(game: StoredGame) -> bool:
    """Tell whether a game is a rated one, and nothing yet keeps it from counting when it ends.

    It counts between two who are not the same: two players, a player and a bot, or two bots of
    different levels. Where a move was taken back or a hint asked for, it does not.
    """
    x, o = rating_queries.holders_of(game).values()
    return game.rated and game.takebacks == 0 and game.hints == 0 and x != o


def counts(game: StoredGame) -> bool:
    """Tell whether a game counts: a rated one, played to an end in which there are points.

    So it does not where it was called off, nor where it was over before its second move.
    """
    return (
        may_count(game)
        and game.x_points is not None
        and game.o_points is not None
        and game.ply >= MIN_PLIES
    )


def apply(connection: Connection, game: StoredGame) -> None:
    """Let a game that has just ended change the ratings of both sides, if it counts.

    Called in the transaction that stores the end, which holds the game; so no game counts twice.
    The number that it gets is held until that transaction ends: of two games that end at once,
    whichever process they end in, the second waits for the first and goes by its ratings. Who holds
    several games takes all of them before the first one ends, so that nobody waits in a circle.
    """
    if game.rating_number is not None or not counts(game):
        return
    number = rating_queries.next_number(connection)
    game_queries.change_game(connection, game.id, rating_number=number)
    holders = rating_queries.holders_of(game)
    x, o = (rating_queries.rating_of(connection, holder) for holder in holders.values())
    changes = [
        Change(game.id, side, number, holders[side], rating)
        for side, rating in updated_ratings(game, x, o).items()
    ]
    for change in changes:
        rating_queries.keep_rating(connection, change.holder, change.rating, game.moved_at)
    rating_queries.add_changes(connection, changes)


def updated_ratings(game: StoredGame, x: Rating, o: Rating) -> Mapping[str, Rating]:
    """Return what a game that counts makes of X's and O's ratings, by side."""
    new_x, new_o = updated(x, o, (game.x_points or 0.0, game.o_points or 0.0))
    return {"X": new_x, "O": new_o}


def changes_of(context: AppContext, game: StoredGame) -> Mapping[str, tuple[Rating, Rating]]:
    """Return the ratings before and after a game, by side; none where it did not count.

    The side of somebody who was erased is not there either.
    """
    if game.rating_number is None:
        return {}
    with context.database.reading() as connection:
        return rating_queries.changes_of_game(connection, game)
