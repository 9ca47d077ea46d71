"""Checks and changes of all games: absent variants, verification, and recomputing ratings."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from math import inf

import sqlalchemy as sa

from capsule.db.database import Database
from capsule.db.faults import retry
from capsule.games import deadlines, queries, rated
from capsule.games.clock import Vacations
from capsule.games.model import GameStatus, StoredGame, StoredMove, is_loaded
from capsule.languages.numbers import counted
from capsule.ratings import queries as rating_queries, update
from capsule.ratings.model import POINTS_PER_MU, FormerBot, Holder, Rating, RatingChange
from engine import VARIANTS, MoveError, Position, Side


def record_absences(database: Database, now: datetime) -> AbstractSet[str]:
    """Record which variants are absent, and resume the games of those that are back.

    Return the keys of the absent ones. Called at the start, before the first request.
    """
    with database.reading() as connection:
        absent = queries.variants_in_use(connection) - VARIANTS.keys()
        recorded = queries.absent_keys(connection)
    if absent != recorded:
        retry(partial(_record, database, absent, now))
    return absent


def _record(database: Database, absent: AbstractSet[str], now: datetime) -> None:
    with database.writing() as connection:
        recorded = queries.absent_keys(connection)
        for variant in recorded - absent:
            since = queries.end_absence(connection, variant)
            # A clock that was set back meanwhile takes no time from the players.
            if since is not None and since < now:
                _resume(connection, variant, since, now)
        for variant in absent - recorded:
            queries.add_absence(connection, variant, now)


def _resume(connection: sa.Connection, variant: str, since: datetime, now: datetime) -> None:
    """Resume the games and tournaments of a variant that was absent from `since` to `now`."""
    running = queries.running_games_of_variant(connection, variant)
    vacations = deadlines.vacations_in(connection, running)
    for game in running:
        queries.save_changes(connection, game, _delayed(game, vacations, since, now))
    queries.delay_tournaments(connection, variant, since, now)


def _delayed(game: StoredGame, vacations: Vacations, since: datetime, now: datetime) -> StoredGame:
    """Return a game whose clock, or whose offer, has `now` the time left that it had at `since`."""
    if game.lapses_at is not None:
        return replace(game, created_at=game.created_at + (now - since))
    clock = game.clock(vacations)
    return game if clock is None else replace(game, moved_at=now - clock.elapsed(since))


MAX_NUMBER = 2**31 - 1
"""The greatest number that a move can be stored with."""

VERIFICATION_BATCH_SIZE = 200
"""Games read at a time: in one state of the database each time, so that nothing is held up long."""


def faulty_games(database: Database, verified: Callable[[int], object]) -> Iterator[str]:
    """Yield a sentence for each fault of each game; `verified` receives numbers of games."""
    ids: Sequence[str] = [""]
    while ids:
        with database.reading() as connection:
            ids = queries.ids_after(connection, ids[-1], VERIFICATION_BATCH_SIZE)
            faults = [*_faults_of_batch(connection, ids)]
        yield from faults
        verified(len(ids))


def _faults_of_batch(connection: sa.Connection, ids: Sequence[str]) -> Iterator[str]:
    try:
        games = queries.games_with(connection, ids)
        moves = queries.moves_of_games(connection, {game.id: (0, MAX_NUMBER) for game in games})
    except (LookupError, ValueError) as error:
        if len(ids) == 1:
            yield f"Game {ids[0]} cannot be read: {error!r}"
            return
        # One of them spoils the batch, so each is read by itself.
        for game_id in ids:
            yield from _faults_of_batch(connection, [game_id])
        return
    for game in games:
        for fault in faults_of(game, moves[game.id]):
            yield f"Game {game.id} ({game.variant.key}): {fault}"


def faults_of(game: StoredGame, moves: Sequence[StoredMove]) -> Iterator[str]:
    """Yield what does not fit between a game as stored and all its moves.

    The moves must be numbered without gaps, be legal, and be their sides'; whose turn it is, and
    the result, must be what they make. Without the rules of its variant, only the first is known.
    """
    plies = [move.ply for move in moves]
    if plies != [*range(1, game.ply + 1)]:
        moves_due = counted(game.ply, "move")
        yield f"it should have {moves_due}, but has {len(moves)}, or not the right ones"
        return
    if not 0 <= game.start_ply <= game.ply:
        yield f"it should have begun after {counted(game.start_ply, 'move')}, but has {game.ply}"
    if not is_loaded(game.variant):
        return
    position = game.variant.start
    for move in moves:
        if move.side is not position.turn:
            yield f"move {move.ply} is stored as {move.side}'s, but was {position.turn}'s"
        try:
            position = position.play(move.move)
        except MoveError as error:
            yield f"move {move.ply} cannot be replayed: {error}"
            return
    yield from _faults_of_state(game, position)


def _faults_of_state(game: StoredGame, position: Position) -> Iterator[str]:
    if game.turn is not position.turn:
        yield f"{game.turn} is stored as the side to move, but it is {position.turn}"
    is_drawn_by_terms = game.ends_by is not None and game.points == game.variant.draw_points
    if position.outcome is None and game.status is GameStatus.FINISHED and is_drawn_by_terms:
        pass
    elif (position.outcome is not None) is not (game.status is GameStatus.FINISHED):
        by_the_rules = "is over" if position.outcome else "goes on"
        yield f"by the rules it {by_the_rules}, but its status is {game.status}"
    elif position.outcome is not None and (game.winner, game.points) != (
        position.outcome.winner,
        position.outcome.points,
    ):
        yield f"its result is stored as {game.points}, but is {position.outcome.points}"
    if game.is_decided is not (game.points is not None):
        yield f"its status is {game.status}, and its points are {game.points}"
    if game.is_running is not (game.ended_at is None):
        yield f"its status is {game.status}, and its end {game.ended_at}"
    if game.bot_to_move is not (game.is_playing and game.mover.bot is not None):
        yield "whether a bot is to move is stored wrongly"
    if game.turn_counter < game.ply:
        yield f"its turn counter is {game.turn_counter} after {counted(game.ply, 'move')}"


RECOMPUTATION_BATCH_SIZE = 500
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
        if check:
            return _compared(connection, progress, stores=False)
    with database.writing() as connection:
        rating_queries.lock_ratings(connection)
        # A bot without games may have been given another one meanwhile.
        progress.first = rating_queries.all_first_ratings(connection)
        _process_games(connection, progress)
        return _compared(connection, progress, stores=True)


def _compared(connection: sa.Connection, progress: _Progress, *, stores: bool) -> Recomputed:
    """Compare what all games make with what is stored, and store what differs if asked to."""
    progress.replace_bots(inf)
    erased = rating_queries.erased_players(connection)
    due = {
        holder: rating
        for holder, rating in progress.ratings.items()
        if holder.player_id not in erased
    }
    progress.wrong = [pair for pair in progress.wrong if pair[0].holder.player_id not in erased]
    stored = rating_queries.all_ratings(connection)
    if stores:
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


def _process_games(connection: sa.Connection, progress: _Progress) -> None:
    erased = rating_queries.erased_players(connection)
    while games := queries.rated_games(connection, progress.number, RECOMPUTATION_BATCH_SIZE):
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
    after = update.updated_ratings(result.points, x, o, is_first_game=is_first_game)
    if is_first_game:
        progress.met.add(pair)
    progress.games += 1
    for side, holder in holders.items():
        progress.ratings[holder] = after[side]
        progress.changed_at[holder] = game.moved_at
    return after


def _store(
    connection: sa.Connection,
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
