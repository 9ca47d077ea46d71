"""The public games, page by page, and what has happened today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.games import list_queries
from capsule.games.deadlines import apply_deadlines
from capsule.games.list_queries import Place
from capsule.games.reading import load_game
from capsule.games.status import DECIDED, RUNNING, GameStatus
from capsule.ui import paging

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game, StoredGame


PAGE_SIZE = 20

MAX_COUNTED = 1_000
"""A busy day's games are counted up to here."""

_MAX_CANDIDATES = 5
"""Games looked at to find one that still goes on: some may have run out of time just now."""


@dataclass(frozen=True)
class GameListPage:
    """A part of a list of games, newest first, and where the list goes on in both directions."""

    games: Sequence[StoredGame]
    newer: Place | None
    older: Place | None


@dataclass(frozen=True)
class Today:
    """The public games since midnight, counted up to `MAX_COUNTED`, and those that ended last."""

    midnight: datetime
    began: int
    ended: int
    last_ended: Sequence[StoredGame]


def page(
    context: AppContext,
    statuses: Sequence[GameStatus],
    variant: str | None = None,
    place: Place | None = None,
) -> GameListPage:
    """Return the public games with one of these statuses from a place on.

    Where there are none from there on, it is the first page: the games moved in last. A place goes
    by time and id, so that games that come and go meanwhile move nothing out of sight.
    """
    with context.database.reading() as connection:

        def read(limit: int, beyond: Place | None) -> Sequence[StoredGame]:
            if beyond is None:
                return list_queries.listed_games(connection, statuses, variant, limit)
            return list_queries.listed_games_beside(connection, statuses, variant, beyond, limit)

        backwards = place is not None and place.newer
        found = paging.read_slice(PAGE_SIZE, read, place, backwards=backwards)
        games = found.items
        return GameListPage(
            [
                each
                for each in apply_deadlines(context, connection, games)
                if each.status in statuses
            ],
            _beyond(games[0], newer=True) if found.has_previous else None,
            _beyond(games[-1], newer=False) if found.has_next else None,
        )


def _beyond(game: StoredGame, *, newer: bool) -> Place:
    return Place(game.moved_at, game.id, newer)


def of_player(
    context: AppContext, connection: Connection, player: Player, running: int, ended: int
) -> Sequence[StoredGame]:
    """Return a player's public games: at most so many that go on, and so many that ended last."""
    found = [
        *list_queries.listed_games_of_player(connection, player.id, RUNNING, running),
        *list_queries.listed_games_of_player(connection, player.id, DECIDED, ended),
    ]
    return apply_deadlines(context, connection, found)


def being_played(context: AppContext) -> Game | None:
    """Return the public game that was moved in last of those being played, or None."""
    with context.database.reading() as connection:
        for game in list_queries.listed_games(
            connection, (GameStatus.PLAYING,), None, _MAX_CANDIDATES
        ):
            found = load_game(context, connection, game)
            if found.is_running:
                return found
    return None


def today(context: AppContext, now: datetime, limit: int) -> Today:
    """Return what has happened since midnight, and the `limit` games that ended last.

    `now` is the time in the time zone whose midnight is meant.
    """
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    with context.database.reading() as connection:
        began, ended = list_queries.count_listed_since(connection, midnight, DECIDED, MAX_COUNTED)
        return Today(midnight, began, ended, _ended_last(connection, limit))


def _ended_last(connection: Connection, limit: int) -> Sequence[StoredGame]:
    return list_queries.listed_games(connection, DECIDED, None, limit)
