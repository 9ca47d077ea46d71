"""The public games, page by page, and what has happened today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule import paging
from capsule.game import ENDED, PLAYING, RUNNING, current, game_at
from capsule.store import lists as stored_lists
from capsule.store.lists import Place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.game import Game
    from capsule.site import Site
    from capsule.store.games import StoredGame
    from capsule.store.players import Player

GAMES_A_PAGE = 20

MOST_COUNTED = 1_000
"""A busy day's games are counted up to here."""

_MOST_TRIED = 5
"""Games looked at to find one that still goes on: some may have run out of time just now."""


@dataclass(frozen=True)
class Page:
    """A part of a list of games, newest first, and where the list goes on in both directions."""

    games: Sequence[StoredGame]
    newer: Place | None
    older: Place | None


@dataclass(frozen=True)
class Today:
    """The public games since midnight, counted up to `MOST_COUNTED`, and those that ended last."""

    midnight: datetime
    began: int
    ended: int
    last_ended: Sequence[StoredGame]


def page(
    site: Site, statuses: Sequence[str], variant: str | None = None, place: Place | None = None
) -> Page:
    """Return the public games with one of these statuses from a place on.

    Where there are none from there on, it is the first page: the games moved in last. A place goes
    by time and id, so that games that come and go meanwhile move nothing out of sight.
    """
    with site.store.reading() as connection:

        def read(most: int, beyond: Place | None) -> Sequence[StoredGame]:
            if beyond is None:
                return stored_lists.listed_games(connection, statuses, variant, most)
            return stored_lists.listed_games_beside(connection, statuses, variant, beyond, most)

        backwards = place is not None and place.newer
        found = paging.page(GAMES_A_PAGE, read, place, backwards=backwards)
        games = found.items
        return Page(
            [each for each in current(site, connection, games) if each.status in statuses],
            _beyond(games[0], newer=True) if found.has_before else None,
            _beyond(games[-1], newer=False) if found.has_behind else None,
        )


def _beyond(game: StoredGame, *, newer: bool) -> Place:
    return Place(game.moved_at, game.id, newer)


def of_player(
    site: Site, connection: Connection, player: Player, running: int, ended: int
) -> Sequence[StoredGame]:
    """Return a player's public games: at most so many that go on, and so many that ended last."""
    found = [
        *stored_lists.listed_games_of_player(connection, player.id, RUNNING, running),
        *stored_lists.listed_games_of_player(connection, player.id, ENDED, ended),
    ]
    return current(site, connection, found)


def being_played(site: Site) -> Game | None:
    """Return the public game that was moved in last of those being played, or None."""
    with site.store.reading() as connection:
        for game in stored_lists.listed_games(connection, (PLAYING,), None, _MOST_TRIED):
            found = game_at(site, connection, game, game.ply)
            if found.is_running:
                return found
    return None


def today(site: Site, now: datetime, most: int) -> Today:
    """Return what has happened since midnight, and the `most` games that ended last.

    `now` is the time in the time zone whose midnight is meant.
    """
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    with site.store.reading() as connection:
        began, ended = stored_lists.count_listed_since(connection, midnight, ENDED, MOST_COUNTED)
        return Today(midnight, began, ended, _ended_last(connection, most))


def _ended_last(connection: Connection, most: int) -> Sequence[StoredGame]:
    return stored_lists.listed_games(connection, ENDED, None, most)
