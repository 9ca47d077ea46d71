"""The score between two people, which nobody else is shown.

It counts all of their games that ended with a result, listed or not, since both of them know these.
Those count as well that a deadline has ended, although no sweep has stored it yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import relation_queries
from capsule.games import deadlines, meeting_queries
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from engine import Variant


MAX_COUNTED = 300
"""The number of games between two people that their scores count: the last ones."""


MAX_AGAIN = 3
"""The number of games that a player's own page offers to play again."""


@dataclass(frozen=True, slots=True)
class Score:
    """A player's score against another, called `name`, in a variant.

    A win counts 1 and a draw ½ for each of the two.
    """

    variant: Variant
    name: str
    own: float
    others: float


def scores_against(
    context: AppContext, connection: Connection, player: Player, other_id: int, name: str
) -> Mapping[str, Score]:
    """Return the scores of a player against another, by variant in the order of the variants."""
    unstored = deadlines.ended_unstored(context, connection, player)
    return _scores(connection, player, other_id, name, unstored)


def _scores(
    connection: Connection,
    player: Player,
    other_id: int,
    name: str,
    unstored: Sequence[StoredGame],
) -> Mapping[str, Score]:
    rows = meeting_queries.results_between(connection, player.id, other_id, MAX_COUNTED)
    points = {row.variant: (row.points, row.games - row.points) for row in rows}
    for game in unstored:
        if game.is_decided and game.has_player(other_id):
            own, others = points.get(game.variant.key, (0, 0))
            won = 0.5 if game.winner is None else float(game.winner is game.side_of(player.id))
            points[game.variant.key] = (own + won, others + 1 - won)
    return {
        key: Score(variant, name, *points[key])
        for key, variant in VARIANTS.items()
        if key in points
    }


def score_in(
    context: AppContext, connection: Connection, game: StoredGame, player: Player | None
) -> Score | None:
    """Return the score between the two people who have played a game, for one of them.

    None for anybody else, while the game is running, and against a former player.
    """
    opponent = None if player is None else _opponent_in(game, player)
    if player is None or opponent is None:
        return None
    unstored = deadlines.ended_unstored(context, connection, player)
    return _scores(connection, player, *opponent, unstored).get(game.variant.key)


def last_scores(
    context: AppContext, connection: Connection, games: Sequence[StoredGame], player: Player
) -> Sequence[Score]:
    """Return the scores in the last of some games with people, each of them in a variant once.

    At most `MAX_AGAIN`; those are left out with whom a block keeps the player from playing.
    """
    opponents = [(game, _opponent_in(game, player)) for game in games]
    people = [(game, opponent) for game, opponent in opponents if opponent is not None]
    if not people:
        return ()
    blocked = relation_queries.blocked_ids(connection, player.id)
    unstored = deadlines.ended_unstored(context, connection, player)
    found: dict[tuple[str, int], Score] = {}
    for game, (other_id, name) in people:
        with_whom = (game.variant.key, other_id)
        if len(found) < MAX_AGAIN and other_id not in blocked and with_whom not in found:
            score = _scores(connection, player, other_id, name, unstored).get(game.variant.key)
            if score is not None:
                found[with_whom] = score
    return [*found.values()]


def _opponent_in(game: StoredGame, player: Player) -> tuple[int, str] | None:
    """Return the id and the name of the player's opponent in a game with a result, or None."""
    side = game.side_of(player.id)
    if side is None or not game.is_decided or not game.is_between_people:
        return None
    seat = game.seat(side.other)
    if seat.player_id is None or not seat.player_name:
        return None
    return seat.player_id, seat.player_name
