"""The public side of players: names, ratings, results, and their listed games.

The result of a rated game is public, as are the ratings that come of it, even if the game is not
listed; but its address appears nowhere. A casual game that is not listed stays private.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from capsule.accounts import activity, names, queries as account_queries
from capsule.accounts.activity import ActivePlayer, LastHere
from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.cups.model import Cup
from capsule.games import public_lists, results
from capsule.games.feed_entries import OwnEndedGame, own_results
from capsule.games.model import StoredGame
from capsule.games.results import Score
from capsule.lobby import queries
from capsule.lobby.queries import AllOpponents, RatingHistory, ResultCounts
from capsule.ratings import ladders
from capsule.ratings.ladders import LadderEntry
from capsule.social import queries as social_queries
from capsule.social.model import Acquaintance
from capsule.ui.drawings import MAX_RANGES
from engine import VARIANTS
from engine.bots.levels import LEVELS

MAX_GAMES = 20
"""The numbers of running and of ended games on a profile."""

MAX_OPPONENTS = 20
"""The number of opponents on a profile."""

MIN_PLOTTED_GAMES = 5
"""The number of rated games from which a plot is worth drawing."""

MAX_ACTIVE, MAX_PLAYERS = 20, 10
"""The numbers of recently active and of new players on the page of all players."""

MAX_NAMES = 20
"""The number of similar names in the result of a search."""

_NAME_START = re.compile("[A-Za-z0-9_-]{1,24}")


@dataclass(frozen=True, slots=True)
class Streaks:
    """Streaks against people: consecutive games won, and not lost, now and at best."""

    winning: int
    longest_winning: int
    unbeaten: int
    longest_unbeaten: int


@dataclass(frozen=True, slots=True)
class Profile:
    """The public side of a player: what they say, ratings, results, listed games, cups.

    The results are by variant, by the level of bots, and by opponent. The `scores` are those of the
    reader against the player, in the order of the variants. A player who `is_banned` is offered no
    game.
    """

    acquaintance: Acquaintance
    last_here: LastHere | None
    ratings: Mapping[str, LadderEntry]
    histories: Mapping[str, RatingHistory]
    by_variant: Mapping[str, ResultCounts]
    by_level: Mapping[str, ResultCounts]
    opponents: AllOpponents
    streaks: Streaks
    running: Sequence[StoredGame]
    ended: Sequence[OwnEndedGame]
    cups_won: Sequence[Cup]
    scores: Sequence[Score]
    is_banned: bool

    @property
    def player(self) -> Player:
        """The player."""
        return self.acquaintance.player


def find_profile(
    transaction: Transaction, name: str, reader: Player | None = None
) -> Profile | None:
    """Return the profile of the player with a name, in upper or lower case, or None.

    With a `reader`, it has what is between the two.
    """
    connection, now = transaction.connection, transaction.now
    acquaintance = social_queries.acquaintance_called(connection, name, reader)
    if acquaintance is None:
        return None
    player = acquaintance.player
    games = public_lists.games_of_player(
        transaction.context, connection, player, MAX_GAMES, MAX_GAMES
    )
    entries = ladders.entries_of(transaction, player)
    histories = queries.rating_histories(
        connection, player.id, MAX_RANGES, ladders.MAX_RANKED_SIGMA
    )
    by_variant, by_level = queries.results_by_variant_and_level(connection, player.id)
    return Profile(
        acquaintance,
        last_here=activity.last_here(player, now),
        ratings=entries,
        histories={variant: histories[variant] for variant in entries if variant in histories},
        by_variant=_in_order(by_variant, VARIANTS),
        by_level=_in_order(by_level, LEVELS),
        opponents=queries.results_by_opponent(connection, player.id, MAX_OPPONENTS),
        streaks=streaks(queries.winning_margins(connection, player.id)),
        running=[game for game in games if game.is_running],
        ended=own_results([game for game in games if game.is_decided][:MAX_GAMES], player.id),
        cups_won=cups_won_by(connection, player.id),
        scores=_scores(transaction, reader, player),
        is_banned=player.is_banned(now),
    )


def _scores(transaction: Transaction, reader: Player | None, player: Player) -> Sequence[Score]:
    if reader is None or reader.id == player.id:
        return ()
    found = results.scores_against(
        transaction.context, transaction.connection, reader, player.id, player.name
    )
    return [*found.values()]


def newest_besides(transaction: Transaction, active: Collection[ActivePlayer]) -> Mapping[str, str]:
    """Return the newest players besides active ones: their names on pages by those in addresses."""
    newest = queries.newest(transaction.connection, transaction.now, MAX_PLAYERS + MAX_ACTIVE)
    known = {each.name for each in active}
    others = ((name, shown) for name, shown in newest.items() if name not in known)
    return dict(islice(others, MAX_PLAYERS))


def search_name(transaction: Transaction, text: str) -> tuple[str | None, Sequence[str]]:
    """Return the name of the player whom a typed one means, or else those that begin like it.

    A name means the player who has it, or one that looks like it, or who had it until lately.
    """
    skeleton = names.skeleton(text)
    if not skeleton or _NAME_START.fullmatch(text) is None:
        return None, ()
    connection, now = transaction.connection, transaction.now
    player = account_queries.player_called(connection, text, now)
    if player is not None and player.name:
        return player.name, ()
    return None, queries.similar_names(connection, skeleton, now, MAX_NAMES)


def streaks(margins: Sequence[float]) -> Streaks:
    """Return the streaks in games that were won by these margins, in order.

    >>> streaks([1, 1, 0, 0.5, -1, 1])
    Streaks(winning=1, longest_winning=2, unbeaten=1, longest_unbeaten=4)
    """
    won = [*accumulate(margins, lambda run, margin: run + 1 if margin > 0 else 0, initial=0)]
    unbeaten = [*accumulate(margins, lambda run, margin: run + 1 if margin >= 0 else 0, initial=0)]
    return Streaks(int(won[-1]), int(max(won)), int(unbeaten[-1]), int(max(unbeaten)))


def _in_order(
    results: Mapping[str, ResultCounts], keys: Iterable[str]
) -> Mapping[str, ResultCounts]:
    return {key: results[key] for key in keys if key in results}
