"""The public games, page by page, and the game of the day."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.games import deadlines, list_queries, reading
from capsule.games.game import Game
from capsule.games.list_queries import ListPlace
from capsule.games.model import DECIDED, RUNNING, GameStatus, StoredGame
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder, Rating
from capsule.ui import paging
from engine import Side

PAGE_SIZE = 20

PLACE_PATTERN = rf"(newer|older)-(?:([1-9][0-9]?)-)?({paging.MOMENT_PATTERN})-([a-z2-7]{{10}})"
"""The regular expression of a place in a list, as in an address."""

_PLACE = re.compile(PLACE_PATTERN)

_MAX_CANDIDATES = 5
"""Games examined to find one to show: some may just have run out of time, or have hardly begun."""

MIN_PLIES = 6
"""The number of moves from which a game is worth showing."""


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


def games_page(
    transaction: Transaction,
    statuses: Sequence[GameStatus],
    variant: str | None,
    place: ListPlace | None = None,
    size: int = PAGE_SIZE,
) -> GameListPage:
    """Return a page of the public games with one of these statuses, from a place on.

    If there are none from there on, return the first page: the games moved in last. A place is
    given by time and id, so games that come and go between two pages hide none of the others.
    """
    connection = transaction.connection

    def read(limit: int, beyond: ListPlace | None) -> Sequence[StoredGame]:
        if GameStatus.WAITING in statuses:
            return list_queries.open_seats(connection, variant, beyond, limit)
        return list_queries.listed_games(connection, statuses, variant, limit, beyond)

    backwards = place is not None and place.newer
    part = paging.read_slice(size, read, place, backwards=backwards)
    games = part.items
    current = deadlines.apply_deadlines(transaction, games)
    shown = [each for each in current if each.status in statuses]
    return GameListPage(
        with_ratings(connection, shown),
        place_of(games[0], newer=True) if part.has_previous else None,
        place_of(games[-1], newer=False) if part.has_next else None,
    )


def place_of(game: StoredGame, *, newer: bool) -> ListPlace:
    """Return the place of a game in a list of games by time, or in the list of open seats."""
    return ListPlace(game.moved_at, game.id, newer, game.precedence or 0)


def encode_place(place: ListPlace) -> str:
    """Return a place in a list in the form that it has in an address.

    >>> encode_place(ListPlace(paging.decode_moment("f4240"), "k3x7m2pqrt", newer=False))
    'older-f4240-k3x7m2pqrt'
    >>> encode_place(ListPlace(paging.decode_moment("f4240"), "k3x7m2pqrt", True, precedence=-2))
    'newer-2-f4240-k3x7m2pqrt'
    """
    direction = "newer" if place.newer else "older"
    number = f"-{-place.precedence}" if place.precedence else ""
    return f"{direction}{number}-{paging.encode_moment(place.moved_at)}-{place.game_id}"


def decode_place(text: str) -> ListPlace | None:
    """Return the place that `encode_place` has written, None of any other text.

    >>> decode_place("newer-2-f4240-k3x7m2pqrt").precedence
    -2
    >>> decode_place("older-yesterday-k3x7m2pqrt") is None
    True
    """
    match = _PLACE.fullmatch(text)
    if match is None:
        return None
    direction, number, time, game_id = match.groups()
    return ListPlace(
        paging.decode_moment(time), game_id, direction == "newer", -int(number) if number else 0
    )


def with_ratings(connection: sa.Connection, games: Sequence[StoredGame]) -> Sequence[ListedGame]:
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


def games_of_player(
    transaction: Transaction, player: Player, running: int, ended: int
) -> Sequence[StoredGame]:
    """Return a player's public games: up to `running` unfinished ones, then the last to end.

    Of games that have ended, there are up to `ended`.
    """
    games = [
        game
        for statuses, limit in ((RUNNING, running), (DECIDED, ended))
        for game in list_queries.games_of_player(
            transaction.connection, player.id, statuses, limit, only_listed=True
        )
    ]
    return deadlines.apply_deadlines(transaction, games)


def game_of_the_day(transaction: Transaction, featured: StoredGame | None) -> Game | None:
    """Return a public game with some moves that was moved in today, else the `featured` one.

    Of the last few, those between people come first, and then those in progress. Games that no
    person plays are left out, and so are everyone's game and those that take long to show. None
    says that there is no such game.
    """
    today = transaction.now.date()
    found = [
        stored
        for statuses in ((GameStatus.PLAYING,), DECIDED)
        for stored in list_queries.listed_games(
            transaction.connection, statuses, None, _MAX_CANDIDATES
        )
        if stored.ply >= MIN_PLIES and stored.moved_at.date() == today
    ]
    for stored in _people_first([game for game in found if game.everyones_side is None]):
        game = reading.load_game(transaction, stored)
        # One that is stored as in progress may have run out of time.
        if game.is_running or stored.status in DECIDED:
            return game
    shown = _people_first([featured] if featured else [])
    return reading.load_game(transaction, shown[0]) if shown else None


def _people_first(games: Sequence[StoredGame]) -> Sequence[StoredGame]:
    """Return the games worth watching: with a person in them, and not too long to be shown."""
    watched = [
        game
        for game in games
        if game.ply <= reading.MAX_PLY and any(seat.has_people for seat in game.seats.values())
    ]

    def is_between_people(game: StoredGame) -> bool:
        return not game.is_solo and all(seat.has_people for seat in game.seats.values())

    return sorted(watched, key=is_between_people, reverse=True)
