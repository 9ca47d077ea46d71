"""What anyone may know of players: names, ratings, how games went, and the listed games.

The result of a rated game is everybody's, like the ratings that come of it, also where the game is
not listed; but nobody is told its address. Of a casual game that is not listed nothing is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from capsule.accounts import name_queries, names, player_queries
from capsule.games import list_queries, listing
from capsule.games.status import DECIDED, GameStatus
from capsule.lobby import profile_queries
from capsule.ratings import ladders
from capsule.ratings.model import INITIAL, Rating
from capsule.ui.rating_plot import MAX_RANGES, plot
from engine import VARIANTS
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.lobby.profile_queries import Course, Opponent, Results
    from capsule.ratings.ladders import Standing


GAMES_SHOWN = 20

OPPONENTS_SHOWN = 20

MIN_PLOTTED_GAMES = 5
"""The rated games from which on a plot tells something."""

PLAYERS_SHOWN = 10
"""Players on each list of the page of all players."""

NAMES_SHOWN = 20
"""Names that a search finds, at the most."""

_GAMES_LOOKED_AT = 20
"""The public games moved in last, whose players are the active ones."""

_TYPED = re.compile("[A-Za-z0-9_-]{1,24}")


@dataclass(frozen=True)
class History:
    """How a rating went, from a new player's: its numbers, and a drawing."""

    games: int
    begin: int
    now: int
    lowest: int
    highest: int
    drawing: str


@dataclass(frozen=True)
class RatingShown:
    """Where a player stands in a variant, and the best number since it was not provisional."""

    standing: Standing
    best: int | None
    history: History | None


@dataclass(frozen=True)
class Record:
    """How a player's public games went.

    By variant, by bots' level and by opponent, of whom those met most are here and `others` more
    are not, who were met in `games_with_others`.
    """

    by_variant: Mapping[str, Results]
    by_level: Mapping[str, Results]
    opponents: Sequence[Opponent]
    others: int
    games_with_others: int


@dataclass(frozen=True)
class Streaks:
    """How many games against people a player has won, or not lost, in a row: now and at most."""

    winning: int
    longest_winning: int
    unbeaten: int
    longest_unbeaten: int


@dataclass(frozen=True)
class Profile:
    """A player, the ratings by variant, and the public games: those that go on, the last ended."""

    player: Player
    ratings: Mapping[str, RatingShown]
    record: Record
    streaks: Streaks
    running: Sequence[StoredGame]
    ended: Sequence[StoredGame]


@dataclass(frozen=True)
class People:
    """Players to get to know: those in public games moved in last, and the newest."""

    active: Sequence[str]
    newest: Sequence[str]


def profile(context: AppContext, name: str) -> Profile | None:
    """Return the profile of the player of a name, in whichever case; None where it is nobody's."""
    with context.database.reading() as connection:
        player = player_queries.player_by_name(connection, name)
        if player is None:
            return None
        games = listing.of_player(context, connection, player, GAMES_SHOWN, GAMES_SHOWN)
        standings = ladders.standings_of(context, connection, player)
        courses = profile_queries.courses_of_ratings(
            connection, player.id, MAX_RANGES, ladders.MAX_RANKED_SIGMA
        )
        by_level = profile_queries.results_by_level(connection, player.id)
        opponents, count, games_with_all = profile_queries.results_by_opponent(
            connection, player.id, OPPONENTS_SHOWN
        )
        shown = sum(each.results.games for each in opponents)
        by_variant = profile_queries.results_by_variant(connection, player.id)
        record = Record(
            _in_order(by_variant, VARIANTS),
            _in_order(by_level, LEVELS),
            opponents,
            count - len(opponents),
            games_with_all - shown,
        )
        differences = profile_queries.differences(connection, player.id)
    return Profile(
        player,
        {
            variant: _shown(standing, courses.get(variant))
            for variant, standing in standings.items()
        },
        record,
        streaks(differences),
        [game for game in games if game.is_running],
        [game for game in games if game.is_decided][:GAMES_SHOWN],
    )


def people(context: AppContext) -> People:
    """Return the players whom the page of all players names."""
    with context.database.reading() as connection:
        games = list_queries.listed_games(
            connection, (GameStatus.PLAYING, *DECIDED), None, _GAMES_LOOKED_AT
        )
        newest = profile_queries.newest_players(connection, PLAYERS_SHOWN)
    seats = (seat.player_name for game in games for seat in (game.x, game.o) if seat.player_name)
    return People(list(dict.fromkeys(seats))[:PLAYERS_SHOWN], newest)


def find(context: AppContext, text: str) -> str | Sequence[str]:
    """Return the name of the player whom a typed name leads to, else the names that begin like it.

    A name leads to whoever has it, or one that looks like it, or had it.
    """
    likeness = names.likeness(text)
    if not likeness or _TYPED.fullmatch(text) is None:
        return ()
    with context.database.reading() as connection:
        found = name_queries.player_called(connection, text, context.clock())
        if found is not None and found.name:
            return found.name
        return profile_queries.names_beginning_like(connection, likeness, NAMES_SHOWN)


def streaks(differences: Sequence[float]) -> Streaks:
    """Return the streaks in games of which these are the differences of points, in order.

    >>> streaks([1, 1, 0, 0.5, -1, 1])
    Streaks(winning=1, longest_winning=2, unbeaten=1, longest_unbeaten=4)
    """
    won = [*accumulate(differences, lambda run, by: run + 1 if by > 0 else 0, initial=0)]
    unbeaten = [*accumulate(differences, lambda run, by: run + 1 if by >= 0 else 0, initial=0)]
    return Streaks(int(won[-1]), int(max(won)), int(unbeaten[-1]), int(max(unbeaten)))


def _in_order(results: Mapping[str, Results], keys: Iterable[str]) -> Mapping[str, Results]:
    return {key: results[key] for key in keys if key in results}


def _shown(standing: Standing, course: Course | None) -> RatingShown:
    if course is None:
        return RatingShown(standing, None, None)
    best = None if course.best is None else _number(course.best)
    history = _history(standing, course) if course.games >= MIN_PLOTTED_GAMES else None
    return RatingShown(standing, best, history)


def _history(standing: Standing, course: Course) -> History:
    ranges = [(_number(low), _number(high)) for low, high in course.ranges]
    return History(
        course.games,
        INITIAL.number,
        standing.rating.number,
        min(low for low, _ in ranges),
        max(high for _, high in ranges),
        plot(ranges, 1, course.games),
    )


def _number(mu: float) -> int:
    return Rating(mu).number
