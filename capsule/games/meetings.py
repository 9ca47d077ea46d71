"""The score between two people, which nobody else is shown.

It counts all of their games that ended with a result, listed or not, since both of them know these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import relation_queries
from capsule.games import meeting_queries
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
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
    connection: Connection, player: Player, other_id: int, name: str
) -> Mapping[str, Score]:
    """Return the scores of a player against another, by variant in the order of the variants."""
    found = {
        row.variant: row
        for row in meeting_queries.results_between(connection, player.id, other_id, MAX_COUNTED)
    }
    return {
        key: Score(variant, name, found[key].points, found[key].games - found[key].points)
        for key, variant in VARIANTS.items()
        if key in found
    }


def score_in(connection: Connection, game: StoredGame, player: Player | None) -> Score | None:
    """Return the score between the two people who have played a game, for one of them.

    None for anybody else, while the game is running, and against a former player.
    """
    if player is None or not game.is_decided or not game.is_between_people:
        return None
    side = game.side_of(player.id)
    opponent = None if side is None else game.seat(side.other)
    if opponent is None or opponent.player_id is None or not opponent.player_name:
        return None
    scores = scores_against(connection, player, opponent.player_id, opponent.player_name)
    return scores.get(game.variant.key)


def last_scores(
    connection: Connection, games: Sequence[StoredGame], player: Player
) -> Sequence[Score]:
    """Return the scores in the last of some games with people, each of them in a variant once.

    At most `MAX_AGAIN`; those are left out with whom a block keeps the player from playing.
    """
    people = [game for game in games if game.is_between_people and game.is_decided]
    blocked = relation_queries.blocked_ids(connection, player.id) if people else frozenset()
    found: dict[tuple[str, int | None], Score] = {}
    for game in people:
        side = game.side_of(player.id)
        other_id = None if side is None else game.seat(side.other).player_id
        with_whom = (game.variant.key, other_id)
        if len(found) < MAX_AGAIN and other_id not in blocked and with_whom not in found:
            score = score_in(connection, game, player)
            if score is not None:
                found[with_whom] = score
    return [*found.values()]
