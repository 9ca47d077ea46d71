"""Ratings computed anew from the games alone, in the order in which they counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.games import rated
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import INITIAL, POINTS_PER_MU, Rating, RatingChange
from capsule.ratings.update import updated_ratings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.db.database import Database
    from capsule.games.model import StoredGame
    from capsule.ratings.model import Holder
    from engine import Side

BATCH_SIZE = 500
"""Games read in one go."""


@dataclass(frozen=True)
class Recomputed:
    """What came of it: how many games counted, and how many ratings they make.

    `differing` counts the ratings, and the ratings after each game, that were stored otherwise, not
    at all, or without a game; `largest` is by how many points a rating or its uncertainty was off.
    """

    games: int
    ratings: int
    differing: int
    largest: float

    def __str__(self) -> str:
        found = f"{self.games} rated games make {self.ratings} ratings of players and bots"
        if not self.differing:
            return f"{found}: identical to what is stored"
        gap = f", by {self.largest:.3g} points at the most" if self.largest else ""
        return f"{found}: {self.differing} figures are stored otherwise or not at all{gap}"


@dataclass
class _Progress:
    """How far the games have been gone through, and what has been found until there.

    `wrong` has what games make of ratings and is not stored so, with the mean and deviation that
    are; `undue` the games and sides of which something is stored that should not be.
    """

    number: int = 0
    games: int = 0
    ratings: dict[Holder, Rating] = field(default_factory=dict)
    changed_at: dict[Holder, datetime] = field(default_factory=dict)
    wrong: list[tuple[RatingChange, Rating | None]] = field(default_factory=list)
    undue: list[tuple[str, Side]] = field(default_factory=list)


def recompute(database: Database, *, check: bool = False) -> Recomputed:
    """Compute all ratings from the games, in the order of their numbers, and store what differs.

    To `check` is to store nothing. All that is stored is stored at once. Games that end meanwhile
    wait for that alone, not while those before them are gone through.
    """
    progress = _Progress()
    with database.reading() as connection:
        _go_on(connection, progress)
    with database.writing() as connection:
        rating_queries.hold_numbers(connection)
        _go_on(connection, progress)
        erased = rating_queries.erased_players(connection)
        due = {
            holder: rating
            for holder, rating in progress.ratings.items()
            if holder.player_id not in erased
        }
        progress.wrong = [pair for pair in progress.wrong if pair[0].holder.player_id not in erased]
        known = rating_queries.all_ratings(connection)
        if not check:
            _store(connection, progress, due, known)
    wrong = [holder for holder, rating in due.items() if known.get(holder) != rating]
    return Recomputed(
        games=progress.games,
        ratings=len(due),
        differing=len(wrong)
        + len(known.keys() - due.keys())
        + len(progress.wrong)
        + len(progress.undue),
        largest=max(_gaps(progress, due, known), default=0.0),
    )


def _go_on(connection: Connection, progress: _Progress) -> None:
    erased = rating_queries.erased_players(connection)
    while games := game_queries.rated_games(connection, progress.number, BATCH_SIZE):
        known = rating_queries.ratings_after(connection, [game.id for game in games])
        for game in games:
            progress.number = game.rating_number or 0
            after = _after(progress, game)
            for side, holder in rated.holders_of(game).items():
                rating = None if holder.player_id in erased else after.get(side)
                is_known = known.get((game.id, side))
                if rating is None:
                    progress.undue += [(game.id, side)] if is_known else []
                elif is_known is None or (is_known.mu, is_known.sigma) != (rating.mu, rating.sigma):
                    change = RatingChange(game.id, side, progress.number, holder, rating)
                    progress.wrong.append((change, is_known))


def _after(progress: _Progress, game: StoredGame) -> Mapping[Side, Rating]:
    """Let a game change the ratings, and return what it makes of them by side: none if undue."""
    if not rated.counts(game):
        return {}
    holders = rated.holders_of(game)
    x, o = (progress.ratings.get(holder, INITIAL) for holder in holders.values())
    result = rated.result_of(game)
    after = updated_ratings(result.points, x, o)
    progress.games += 1
    for side, holder in holders.items():
        progress.ratings[holder] = after[side]
        progress.changed_at[holder] = game.moved_at
    return after


def _store(
    connection: Connection,
    progress: _Progress,
    due: Mapping[Holder, Rating],
    known: Mapping[Holder, Rating],
) -> None:
    for holder, rating in due.items():
        if known.get(holder) != rating:
            rating_queries.keep_rating(connection, holder, rating, progress.changed_at[holder])
    for holder in known.keys() - due.keys():
        rating_queries.drop_rating(connection, holder)
    wrong = [change for change, _ in progress.wrong]
    not_so = [(change.game_id, change.side) for change in wrong]
    rating_queries.drop_changes(connection, [*progress.undue, *not_so])
    rating_queries.add_changes(connection, wrong)


def _gaps(
    progress: _Progress, due: Mapping[Holder, Rating], known: Mapping[Holder, Rating]
) -> Iterator[float]:
    pairs = [(rating, known[holder]) for holder, rating in due.items() if holder in known]
    pairs += [(change.rating, other) for change, other in progress.wrong if other]
    for rating, other in pairs:
        yield POINTS_PER_MU * abs(rating.mu - other.mu)
        yield POINTS_PER_MU * 2 * abs(rating.sigma - other.sigma)
