"""The one place where games end, however they end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.games import plan_queries, rated
from capsule.games import queries as game_queries
from capsule.ratings import update as rating_update

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.games.model import Game, StoredGame
    from capsule.games.status import Ending


def finish(connection: Connection, before: StoredGame, after: StoredGame) -> StoredGame:
    """Store the end of a game and all that follows from it; return the game as it is then.

    `before` is the game as it was read, which the transaction holds, and `after` the same game
    with its ending, from `StoredGame.ended`. The plans of both players go, and both ratings change
    where the game counts. Its entry in feeds, the standings of its tournament and the analysis that
    is due are read from what is stored here, so that nobody else has to be told.
    """
    if rated.counts(after):
        after = replace(
            after, rating_number=rating_update.apply(connection, rated.result_of(after))
        )
    game_queries.save_changes(connection, before, after)
    plan_queries.drop_plans(connection, before.id)
    return after


def end(connection: Connection, game: Game, ending: Ending) -> StoredGame:
    """End a running game now, in a transaction that holds it; return it as it is then."""
    return finish(connection, game.stored, game.stored.ended(ending, game.now))
