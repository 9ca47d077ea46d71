"""The one place where games end, however they end."""

from dataclasses import replace

import sqlalchemy as sa

from capsule.games import queries, rated
from capsule.games.game import Game
from capsule.games.model import Ending, StoredGame
from capsule.ratings import update as rating_update


def finish(connection: sa.Connection, before: StoredGame, after: StoredGame) -> StoredGame:
    """Store the end of a game with all its consequences; return the game as stored.

    `before` is the game as read by a transaction that has locked it, and `after` the same game with
    its ending, from `StoredGame.ended`. Both players' plans are deleted, and both ratings change if
    the game counts. Feeds, tournament standings and pending analyses are derived from
    what is stored here, so they need no notification.
    """
    if rated.counts(after):
        after = replace(
            after, rating_number=rating_update.apply(connection, rated.result_of(after))
        )
    queries.save_changes(connection, before, after)
    queries.delete_plans(connection, before.id)
    return after


def end(connection: sa.Connection, game: Game, ending: Ending) -> StoredGame:
    """End a running game now, in a transaction that has locked it; return the ended game."""
    return finish(connection, game.stored, game.stored.ended(ending, game.now))
