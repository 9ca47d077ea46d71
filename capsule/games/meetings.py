"""The score between two people, which nobody else is shown.

It counts all of their games that ended with a result, listed or not, since both of them know these.
Those count as well that a deadline has ended, although no sweep has stored it yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
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
    found = _scores(connection, player, {other_id: name}, unstored)
    return {key: found[key, other_id] for key in VARIANTS if (key, other_id) in found}


def _scores(
    connection: Connection,
    player: Player,
    names: Mapping[int, str],
    unstored: Sequence[StoredGame],
) -> Mapping[tuple[str, int], Score]:
    """Return the scores of a player against others with these names, by variant and other."""
    rows = meeting_queries.results_between(connection, player.id, [*names], MAX_COUNTED)
    points = {(row.variant, row.other_id): (row.points, row.games - row.points) for row in rows}
    for game in unstored:
        opponent = _opponent_in(game, player)
        if opponent is not None and opponent[0] in names:
            with_whom = game.variant.key, opponent[0]
            own, others = points.get(with_whom, (0, 0))
            won = 0.5 if game.winner is None else float(game.winner is game.side_of(player.id))
            points[with_whom] = (own + won, others + 1 - won)
    return {
        (variant, other_id): Score(VARIANTS[variant], names[other_id], own, others)
        for (variant, other_id), (own, others) in points.items()
        if variant in VARIANTS
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
    other_id, name = opponent
    return scores_against(context, connection, player, other_id, name).get(game.variant.key)


def last_scores(
    context: AppContext,
    connection: Connection,
    games: Sequence[StoredGame],
    player: Player,
    unstored: Sequence[StoredGame] | None,
) -> Sequence[Score]:
    """Return the scores in the last of some games with people, each of them in a variant once.

    At most `MAX_AGAIN`, and only with those who are present and whom no block keeps from playing.
    `unstored` are the player's games whose end is not stored yet, None if they are to be read.
    """
    opponents = [(game.variant.key, _opponent_in(game, player)) for game in games]
    people = [(variant, opponent) for variant, opponent in opponents if opponent is not None]
    if not people:
        return ()
    ids = {other_id for _, (other_id, _) in people}
    welcome = relation_queries.welcome_among(connection, player.id, ids, context.clock())
    met = {(variant, *opponent): None for variant, opponent in people if opponent[0] in welcome}
    last = [*islice(met, MAX_AGAIN)]
    if not last:
        return ()
    if unstored is None:
        unstored = deadlines.ended_unstored(context, connection, player)
    names = {other_id: name for _, other_id, name in last}
    found = _scores(connection, player, names, unstored)
    return [
        found[variant, other_id] for variant, other_id, _ in last if (variant, other_id) in found
    ]


def _opponent_in(game: StoredGame, player: Player) -> tuple[int, str] | None:
    """Return the id and the name of the player's opponent in a game with a result, or None."""
    side = game.side_of(player.id)
    if side is None or not game.is_decided or not game.is_between_people:
        return None
    seat = game.seat(side.other)
    if seat.player_id is None or not seat.player_name:
        return None
    return seat.player_id, seat.player_name
