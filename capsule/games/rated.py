"""The rules by which a game counts for ratings, and whose ratings it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.model import MIN_PLIES
from capsule.ratings.model import Holder, RatedResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capsule.games.model import StoredGame
    from engine import Side


def may_count(game: StoredGame) -> bool:
    """Return whether a game is rated and will count for ratings once it ends.

    It must be between two different holders of a rating: two players, a player and a bot, or bots
    of two levels. A takeback or a hint keeps it from counting, and so does a start of its own.
    """
    x, o = holders_of(game).values()
    is_whole = game.start_ply == 0 and game.takebacks == 0 and game.hints == 0
    return game.rated and is_whole and x != o


def counts(game: StoredGame) -> bool:
    """Return whether a game counts: it may, and it has a result and at least `MIN_PLIES` moves."""
    return may_count(game) and game.points is not None and game.plies_played >= MIN_PLIES


def holders_of(game: StoredGame) -> Mapping[Side, Holder]:
    """Return the holders of the ratings that a game may change, by side."""
    return {
        side: Holder(game.variant.key, seat.player_id, seat.bot)
        for side, seat in game.seats.items()
    }


def result_of(game: StoredGame) -> RatedResult:
    """Return the result of a game that counts; raises `ValueError` for a game without points."""
    if game.points is None:
        raise ValueError("a game without points changes no rating")
    return RatedResult(game.id, holders_of(game), game.points, game.moved_at)
