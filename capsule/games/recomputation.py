"""Recomputing all ratings from the games and bots' first ratings, in the order of the games."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from capsule.games import rated, rated_queries
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import POINTS_PER_MU, Rating, RatingChange
from capsule.ratings.update import updated_ratings
from capsule.ui.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.db.database import Database
    from capsule.games.model import StoredGame
    from capsule.ratings.model import FormerBot, Holder
    from engine import Side

BATCH_SIZE = 500
"""Games read at a time."""


@dataclass(frozen=True)
class Recomputed:
    """The result of a recomputation: the number of games that count, and of ratings they make.

    `differing` counts the ratings, and the ratings after each game, that were stored with another
    value, not at all, or without a game. `largest` is the greatest difference between a stored and
    a computed rating or uncertainty, in points.
    """

    games: int
    ratings: int
    differing: int
    largest: float

    def __str__(self) -> str:
        counts = (
            f"{counted(self.games, 'rated game')} {'makes' if self.games == 1 else 'make'} "
            f"{counted(self.ratings, 'rating')} of players and bots"
        )
        if not self.differing:
            return f"{counts}: identical to what is stored"
        points = f"{self.largest:.3g}"
        unit = "point" if points == "1" else "points"
        gap = f", by at most {points} {unit}" if self.largest else ""
        are = "is" if self.differing == 1 else "are"
        return (
            f"{counts}: {counted(self.differing, 'figure')} {are} stored differently or not at "
            f"all{gap}"
        )


@dataclass
class _Progress:
    """The games processed so far, up to `number`, and the ratings that they make.

    `first` are the ratings with which bots begin, if those are not the ones of new players, and
    `former` are bots that others have replaced, of those whose games are not all processed. `met`
    are the pairs who met while one of them still needed opponents. `wrong` are the rating changes
    that are not stored as computed, each with the rating that is stored, if any; `undue` are the
    games and sides for which a change is stored but none is due.
    """

    first: Mapping[Holder, Rating]
    former: list[FormerBot]
    number: int = 0
    games: int = 0
    ratings: dict[Holder, Rating] = field(default_factory=dict)
    met: set[frozenset[Holder]] = field(default_factory=set)
    changed_at: dict[Holder, datetime] = field(default_factory=dict)
    wrong: list[tuple[RatingChange, Rating | None]] = field(default_factory=list)
    undue: list[tuple[str, Side]] = field(default_factory=list)

    def replace_bots(self, number: float) -> None:
        """Let the bots begin that have replaced others before the game with this number."""
        while self.former and self.former[0].last_number < number:
            self.ratings.pop(self.former.pop(0).holder, None)

    def rating_of(self, holder: Holder) -> Rating:
        """Return the rating of a holder so far, the first one before any game."""
        if holder in self.ratings:
            return self.ratings[holder]
        former = (each.first for each in self.former if each.holder == holder)
        return next(former, self.first.get(holder, holder.beginning))


def recompute(database: Database, *, check: bool = False) -> Recomputed:
    """Compute all ratings from the games, in the order of their numbers, and store what differs.

    With `check`, nothing is stored. Everything is stored in one transaction, and games that end
    meanwhile wait for that one only, not for the computation before it.
    """
    with database.reading() as connection:
        progress = _Progress(
            rating_queries.all_first_ratings(connection),
            [*rating_queries.all_former_bots(connection)],
        )
        _process_games(connection, progress)
    # A check needs one state of the database, and no right or room to write.
    with database.reading() if check else database.writing() as connection:
        if not check:
            rating_queries.lock_ratings(connection)
        # A bot without games may have been given another one meanwhile.
        progress.first = rating_queries.all_first_ratings(connection)
        _process_games(connection, progress)
        progress.replace_bots(inf)
        erased = rating_queries.erased_players(connection)
        due = {
            holder: rating
            for holder, rating in progress.ratings.items()
            if holder.player_id not in erased
        }
        progress.wrong = [pair for pair in progress.wrong if pair[0].holder.player_id not in erased]
        stored = rating_queries.all_ratings(connection)
        if not check:
            _store(connection, progress, due, stored)
    wrong = [holder for holder, rating in due.items() if stored.get(holder) != rating]
    return Recomputed(
        games=progress.games,
        ratings=len(due),
        differing=len(wrong)
        + len(stored.keys() - due.keys())
        + len(progress.wrong)
        + len(progress.undue),
        largest=max(_differences(progress, due, stored), default=0.0),
    )


def _process_games(connection: Connection, progress: _Progress) -> None:
    erased = rating_queries.erased_players(connection)
    while games := rated_queries.rated_games(connection, progress.number, BATCH_SIZE):
        ratings = rating_queries.ratings_after(connection, [game.id for game in games])
        for game in games:
            progress.number = game.rating_number or 0
            progress.replace_bots(progress.number)
            after = _after(progress, game)
            for side, holder in rated.holders_of(game).items():
                rating = None if holder.player_id in erased else after.get(side)
                stored = ratings.get((game.id, side))
                if rating is None:
                    progress.undue += [(game.id, side)] if stored else []
                elif stored is None or (stored.mu, stored.sigma) != (rating.mu, rating.sigma):
                    change = RatingChange(game.id, side, progress.number, holder, rating)
                    progress.wrong.append((change, stored))


def _after(progress: _Progress, game: StoredGame) -> Mapping[Side, Rating]:
    """Apply a game to the ratings and return the new ratings by side; {} if it does not count."""
    if not rated.counts(game):
        return {}
    holders = rated.holders_of(game)
    x, o = map(progress.rating_of, holders.values())
    result = rated.result_of(game)
    pair = frozenset(holders.values())
    # Other pairs are not remembered: there are about as many as games.
    is_first_game = (x.needs_opponents or o.needs_opponents) and pair not in progress.met
    after = updated_ratings(result.points, x, o, is_first_game=is_first_game)
    if is_first_game:
        progress.met.add(pair)
    progress.games += 1
    for side, holder in holders.items():
        progress.ratings[holder] = after[side]
        progress.changed_at[holder] = game.moved_at
    return after


def _store(
    connection: Connection,
    progress: _Progress,
    due: Mapping[Holder, Rating],
    stored: Mapping[Holder, Rating],
) -> None:
    for holder, rating in due.items():
        if stored.get(holder) != rating:
            rating_queries.save_rating(connection, holder, rating, progress.changed_at[holder])
            if holder.bot is not None:
                first = progress.first.get(holder, holder.beginning)
                rating_queries.ensure_first_rating(connection, holder, first)
    for holder in stored.keys() - due.keys():
        rating_queries.delete_rating(connection, holder)
    wrong = [change for change, _ in progress.wrong]
    replaced = [(change.game_id, change.side) for change in wrong]
    rating_queries.delete_changes(connection, [*progress.undue, *replaced])
    rating_queries.add_changes(connection, wrong)


def _differences(
    progress: _Progress, due: Mapping[Holder, Rating], stored: Mapping[Holder, Rating]
) -> Iterator[float]:
    pairs = [(rating, stored[holder]) for holder, rating in due.items() if holder in stored]
    pairs += [(change.rating, other) for change, other in progress.wrong if other]
    for rating, other in pairs:
        yield POINTS_PER_MU * abs(rating.mu - other.mu)
        yield POINTS_PER_MU * 2 * abs(rating.sigma - other.sigma)
