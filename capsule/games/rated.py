"""The rules by which a game counts for ratings, and how it has changed them."""

from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum, auto

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.games import player_queries
from capsule.games.game import Game
from capsule.games.model import MIN_PLIES, StoredGame
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder, RatedResult, Rating, format_change
from engine import Side, Variant

MAX_A_DAY = 2
"""Games of a variant between two players that count, of those begun on one day (UTC)."""


def may_count(game: StoredGame) -> bool:
    """Return whether a game is rated and will count for ratings once it ends.

    It must be between two different holders of a rating: two players, a player and a bot, or bots
    of two levels. A takeback, a hint, or a start from another position excludes it, and so do
    enough others that its players began on the same day.
    """
    x, o = holders_of(game).values()
    is_whole = game.start_ply == 0 and game.takebacks == 0 and game.hints == 0
    return game.rated and not game.surplus and is_whole and x != o


def as_begun(connection: sa.Connection, game: StoredGame) -> StoredGame:
    """Return a game that begins now, surplus if its players have begun enough others today.

    It is decided once and stored, so that players know from the start whether a game will count.
    Games that began before this rule count as they did. Until the transaction ends, other rated
    games between people wait before they begin, and games that count before they end: two begun at
    the same moment could not see each other.
    """
    if game.started_at is None or not game.is_between_people or not may_count(game):
        return game
    rating_queries.lock_ratings(connection)
    meeting = _meeting(game.variant, game.x.player_id, game.o.player_id)
    surplus = _surplus_among(connection, [meeting], game.started_at)
    return replace(game, surplus=meeting in surplus)


def foreseen(
    transaction: Transaction, games: Sequence[StoredGame], guest: Player | None
) -> Sequence[StoredGame]:
    """Return games as their terms would be if those that wait for a player began now.

    A reserved seat is taken by the challenged player, an open one by the guest, who is None for a
    visitor without an account. Such a game is surplus if its players have begun enough others
    today.
    """
    guest_id = None if guest is None else guest.id
    meetings = {game.id: _meeting_to_be(game, guest_id) for game in games}
    surplus = _surplus_among(transaction.connection, meetings.values(), transaction.now)
    return [replace(game, surplus=True) if meetings[game.id] in surplus else game for game in games]


def is_surplus(transaction: Transaction, variant: Variant, *player_ids: int | None) -> bool:
    """Return whether two players have begun enough rated games of a variant today.

    An id is None for a bot, against which every game may count.
    """
    meeting = _meeting(variant, *player_ids)
    return meeting in _surplus_among(transaction.connection, [meeting], transaction.now)


def _meeting_to_be(game: StoredGame, guest_id: int | None) -> player_queries.Meeting | None:
    """Return the meeting for which a game waits, None if none that could count is known."""
    side = game.vacant_side
    if side is None or not game.rated:
        return None
    taken_by = guest_id if game.open_side else game.challenged_player_id
    return _meeting(game.variant, game.seat(side.other).player_id, taken_by)


def _meeting(variant: Variant, *player_ids: int | None) -> player_queries.Meeting | None:
    players = frozenset(player_id for player_id in player_ids if player_id is not None)
    return (variant.key, players) if len(players) > 1 else None


def _surplus_among(
    connection: sa.Connection, meetings: Iterable[player_queries.Meeting | None], now: datetime
) -> AbstractSet[player_queries.Meeting]:
    """Return those of these meetings that have had all their games that count on a day."""
    known = {meeting for meeting in meetings if meeting is not None}
    begun = player_queries.count_rated_together(connection, known, _midnight_before(now))
    return {meeting for meeting, count in begun.items() if count >= MAX_A_DAY}


def next_day(now: datetime) -> datetime:
    """Return the time from which other games count: the end of the day (UTC)."""
    return _midnight_before(now) + timedelta(days=1)


def _midnight_before(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


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


class RatingState(Enum):
    """Whether a game counts for ratings, as its page says it."""

    CASUAL = auto()
    HINT_ASKED = auto()
    TAKEN_BACK = auto()
    SAME_BOT = auto()
    SURPLUS = auto()
    RATED = auto()
    RATED_UNLESS_TAKEN_BACK = auto()
    RATED_UNLESS_HELPED = auto()
    PENDING = auto()
    TOO_SHORT = auto()


@dataclass(frozen=True, slots=True)
class RatingSection:
    """The part of a game's page about ratings.

    `state` is None if the page says nothing but the changes. `may_count` says that nothing has
    excluded the game so far. `changes` are a name, the rating after the game and the change in it,
    in the order of sides, X first, without players who have been erased.
    """

    state: RatingState | None
    may_count: bool
    changes: Sequence[tuple[str, str, str]]


def rating_section(connection: sa.Connection, game: Game) -> RatingSection:
    """Return the section about a game's effect on ratings."""
    stored = game.stored
    changes: Mapping[Side, tuple[Rating, Rating]] = {}
    if stored.rating_number is not None:
        changes = rating_queries.changes_of_game(
            connection, stored.id, stored.rating_number, holders_of(stored)
        )
    return RatingSection(
        state=_rating_state(stored),
        may_count=may_count(stored),
        changes=[
            (stored.seat(side).name or "", after.short, format_change(before, after))
            for side, (before, after) in changes.items()
        ],
    )


def _rating_state(game: StoredGame) -> RatingState | None:
    if game.is_solo or game.was_aborted or game.rating_number is not None:
        return None
    obstacles = {
        RatingState.CASUAL: not game.rated,
        RatingState.HINT_ASKED: game.hints > 0,
        RatingState.TAKEN_BACK: game.takebacks > 0,
        RatingState.SURPLUS: game.surplus,
        RatingState.SAME_BOT: not may_count(game),
        RatingState.TOO_SHORT: not (game.is_running or counts(game)),
    }
    found = next((state for state, applies in obstacles.items() if applies), None)
    if found is not None or game.is_running:
        return found or _state_running(game)
    return RatingState.PENDING


def _state_running(game: StoredGame) -> RatingState:
    if not game.is_playing or game.tournament_id is not None:
        return RatingState.RATED
    if game.bot_level is None:
        return RatingState.RATED_UNLESS_TAKEN_BACK
    return RatingState.RATED_UNLESS_HELPED
