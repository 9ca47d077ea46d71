"""The public games, page by page, and the day's activity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.games import list_queries
from capsule.games.deadlines import apply_deadlines
from capsule.games.list_queries import ListPlace
from capsule.games.reading import load_game
from capsule.games.status import DECIDED, RUNNING, GameStatus
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder
from capsule.ui import paging
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game, StoredGame
    from capsule.ratings.model import Rating


PAGE_SIZE = 20

MAX_COUNTED = 1_000
"""The limit up to which a day's games are counted."""

_MAX_CANDIDATES = 5
"""Games examined to find one still being played: some may just have run out of time."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game as lists show it: with the ratings that the holders of its seats have now."""

    stored: StoredGame
    ratings: Mapping[Side, Rating]


@dataclass(frozen=True)
class GameListPage:
    """A page of a list of games, newest first, and where the list continues on either side."""

    games: Sequence[ListedGame]
    newer: ListPlace | None
    older: ListPlace | None


@dataclass(frozen=True)
class Today:
    """The public games since midnight, counted up to `MAX_COUNTED`, and the last ones to end."""

    midnight: datetime
    began: int
    ended: int
    last_ended: Sequence[StoredGame]


def games_page(
    context: AppContext,
    statuses: Sequence[GameStatus],
    variant: str | None = None,
    place: ListPlace | None = None,
) -> GameListPage:
    """Return a page of the public games with one of these statuses, from a place on.

    If there are none from there on, return the first page: the games moved in last. A place is
    given by time and id, so games that come and go between two pages hide none of the others.
    """
    with context.database.reading() as connection:

        def read(limit: int, beyond: ListPlace | None) -> Sequence[StoredGame]:
            if beyond is None:
                return list_queries.listed_games(connection, statuses, variant, limit)
            return list_queries.listed_games_beyond(connection, statuses, variant, beyond, limit)

        backwards = place is not None and place.newer
        part = paging.read_slice(PAGE_SIZE, read, place, backwards=backwards)
        games = part.items
        shown = [
            each for each in apply_deadlines(context, connection, games) if each.status in statuses
        ]
        return GameListPage(
            with_ratings(connection, shown),
            _beyond(games[0], newer=True) if part.has_previous else None,
            _beyond(games[-1], newer=False) if part.has_next else None,
        )


def _beyond(game: StoredGame, *, newer: bool) -> ListPlace:
    return ListPlace(game.moved_at, game.id, newer)


def with_ratings(connection: Connection, games: Sequence[StoredGame]) -> Sequence[ListedGame]:
    """Return games with the ratings of their seats: none for empty ones and erased players."""
    holders = {
        (game.id, side): Holder(game.variant.key, seat.player_id, seat.bot)
        for game in games
        for side, seat in game.seats.items()
        if seat.bot or seat.player_name
    }
    ratings = rating_queries.ratings_of(connection, set(holders.values()))
    return [
        ListedGame(
            game,
            {side: ratings[holders[game.id, side]] for side in Side if (game.id, side) in holders},
        )
        for game in games
    ]


def open_seats(context: AppContext, limit: int) -> Sequence[ListedGame]:
    """Return up to `limit` public games that wait for an opponent, the latest first."""
    with context.database.reading() as connection:
        stored = list_queries.listed_games(connection, (GameStatus.WAITING,), None, limit)
        waiting = [
            game
            for game in apply_deadlines(context, connection, stored)
            if game.status is GameStatus.WAITING
        ]
        return with_ratings(connection, waiting)


def games_of_player(
    context: AppContext, connection: Connection, player: Player, running: int, ended: int
) -> Sequence[StoredGame]:
    """Return a player's public games: up to `running` unfinished ones, then the last to end.

    Of games that have ended, there are up to `ended`.
    """
    games = [
        *list_queries.listed_games_of_player(connection, player.id, RUNNING, running),
        *list_queries.listed_games_of_player(connection, player.id, DECIDED, ended),
    ]
    return apply_deadlines(context, connection, games)


def game_to_watch(context: AppContext) -> Game | None:
    """Return the public game in progress with the latest move, else the last to end, or None."""
    with context.database.reading() as connection:
        for stored in list_queries.listed_games(
            connection, (GameStatus.PLAYING,), None, _MAX_CANDIDATES
        ):
            game = load_game(context, connection, stored)
            if game.is_running:
                return game
        ended = _ended_last(connection, 1)
        return load_game(context, connection, ended[0]) if ended else None


def today(context: AppContext, now: datetime, limit: int) -> Today:
    """Return the public games since midnight, counted, and the last `limit` ones to end.

    `now` is the time in the time zone whose midnight is meant.
    """
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    with context.database.reading() as connection:
        began, ended = list_queries.count_listed_since(connection, midnight, DECIDED, MAX_COUNTED)
        return Today(midnight, began, ended, _ended_last(connection, limit))


def _ended_last(connection: Connection, limit: int) -> Sequence[StoredGame]:
    return list_queries.listed_games(connection, DECIDED, None, limit)
