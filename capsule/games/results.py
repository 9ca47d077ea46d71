"""Scores between two people, and the level of a bot that a player's results suggest."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.games import deadlines, player_queries
from capsule.games.model import StoredGame
from engine import VARIANTS, Variant
from engine.bots import levels_of

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
    transaction: Transaction, player: Player, other_id: int, name: str
) -> Mapping[str, Score]:
    """Return the scores of a player against another, by variant in the order of the variants."""
    unstored = deadlines.ended_unstored(transaction, player)
    found = _scores(transaction.connection, player, {other_id: name}, unstored)
    return {key: found[key, other_id] for key in VARIANTS if (key, other_id) in found}


def _scores(
    connection: sa.Connection,
    player: Player,
    names: Mapping[int, str],
    unstored: Sequence[StoredGame],
) -> Mapping[tuple[str, int], Score]:
    """Return the scores of a player against others with these names, by variant and other."""
    rows = player_queries.results_between(connection, player.id, [*names], MAX_COUNTED)
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


def score_in(transaction: Transaction, game: StoredGame, player: Player | None) -> Score | None:
    """Return the score between the two people who have played a game, for one of them.

    It is None for other readers, while the game is running, and against a former player.
    """
    opponent = None if player is None else _opponent_in(game, player)
    if player is None or opponent is None:
        return None
    other_id, name = opponent
    return scores_against(transaction, player, other_id, name).get(game.variant.key)


def last_scores(
    transaction: Transaction,
    games: Sequence[StoredGame],
    player: Player,
    unstored: Sequence[StoredGame] | None,
) -> Sequence[Score]:
    """Return the scores in the last of some games with people, each of them in a variant once.

    At most `MAX_AGAIN`, and only with players who are present and not separated by a block.
    `unstored` are the player's games whose end is not stored yet; they are read if it is None.
    """
    connection = transaction.connection
    opponents = [(game.variant.key, _opponent_in(game, player)) for game in games]
    people = [(variant, opponent) for variant, opponent in opponents if opponent is not None]
    if not people:
        return ()
    ids = {other_id for _, (other_id, _) in people}
    welcome = account_queries.welcome_among(connection, player.id, ids, transaction.now)
    met = {(variant, *opponent): None for variant, opponent in people if opponent[0] in welcome}
    last = [*islice(met, MAX_AGAIN)]
    if not last:
        return ()
    if unstored is None:
        unstored = deadlines.ended_unstored(transaction, player)
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


WINS = 2
"""The number of games won against a level before the next one is suggested."""

LOSSES = 2
"""The number of games lost in a row after which a lower level is suggested."""

LOOKED_AT = 10
"""The number of last games, of each variant, level and side, that count for this."""


def suggested_in(
    connection: sa.Connection,
    player_id: int | None,
    variants: Iterable[str],
    before: datetime | None = None,
) -> Mapping[str, str]:
    """Return the level suggested to a player in each variant; None is a newcomer.

    With `before`, only the games that had ended before that time count.
    """
    levels = {variant: tuple(levels_of(variant)) for variant in variants}
    results: Sequence[player_queries.BotResult] = ()
    if player_id is not None:
        results = player_queries.results_against_bots(
            connection, player_id, levels, LOOKED_AT, before
        )
    return {
        variant: suggested_level(names, [each for each in results if each.variant == variant])
        for variant, names in levels.items()
    }


def suggested_level(levels: Sequence[str], results: Sequence[player_queries.BotResult]) -> str:
    """Return which of a variant's levels is suggested after these results in it.

    It is the lowest that has not been beaten twice, and one lower after two losses in a row.

    >>> suggested_level(["novice", "casual"], [])
    'novice'
    """
    won = Counter(each.level for each in results if each.is_won)
    unbeaten = [index for index, level in enumerate(levels) if won[level] < WINS]
    index = unbeaten[0] if unbeaten else len(levels) - 1
    last = sorted(results, key=lambda each: each.ended_at)[-LOSSES:]
    is_losing = len(last) == LOSSES and all(each.is_won is False for each in last)
    return levels[max(0, index - is_losing)]


def is_suggested_or_above(
    connection: sa.Connection, player_id: int, variant: str, level: str, before: datetime
) -> bool:
    """Return whether a bot was at least of the level that was suggested before a time."""
    levels = tuple(levels_of(variant))
    if level not in levels:
        return False
    suggested = suggested_in(connection, player_id, [variant], before)[variant]
    return levels.index(level) >= levels.index(suggested)
