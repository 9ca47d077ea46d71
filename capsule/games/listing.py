"""The public games, page by page, and the rule that says whether a game is listed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto

import sqlalchemy as sa

from capsule.accounts.model import Player, Settings
from capsule.context import AppContext
from capsule.games import list_queries
from capsule.games.deadlines import apply_deadlines
from capsule.games.game import Game
from capsule.games.list_queries import ListPlace
from capsule.games.model import DECIDED, GameStatus, Seat, StoredGame
from capsule.games.reading import MAX_PLY, load_game
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder, Rating
from capsule.ui import paging
from engine import Side


class PartyKind(Enum):
    """The kind of a game's player."""

    PERSON = auto()
    PROGRAM = auto()
    BOT = auto()


class Listing(StrEnum):
    """The games that a player wants listed; the values appear in addresses."""

    ALL = "yes"
    WITH_PEOPLE = "people"
    """Games with people, but not with programs and bots."""
    WITH_BOTS = "bots"
    """Games with programs and bots, but not with people."""
    NONE = "no"
    SEAT = "seat"
    """No games, but the open seat until it is taken."""

    @property
    def with_people(self) -> bool:
        """Whether games with people are to be listed."""
        return self in {Listing.ALL, Listing.WITH_PEOPLE}

    @property
    def with_bots(self) -> bool:
        """Whether games with programs and bots are to be listed."""
        return self in {Listing.ALL, Listing.WITH_BOTS}


def listing_of(*, with_people: bool, with_bots: bool) -> Listing:
    """Return the listing with these properties.

    >>> listing_of(with_people=True, with_bots=False)
    <Listing.WITH_PEOPLE: 'people'>
    """
    if with_people:
        return Listing.ALL if with_bots else Listing.WITH_PEOPLE
    return Listing.WITH_BOTS if with_bots else Listing.NONE


@dataclass(frozen=True, slots=True)
class Party:
    """A player of a game, and the games that they want listed. A bot declines nothing."""

    kind: PartyKind
    listing: Listing = Listing.ALL


def party(seat: Seat, listing: Listing = Listing.ALL) -> Party:
    """Return the holder of a seat as a party."""
    if seat.bot is not None:
        return Party(PartyKind.BOT)
    return Party(PartyKind.PROGRAM if seat.is_program else PartyKind.PERSON, listing)


def is_listed(one: Party, other: Party | None) -> bool:
    """Return whether a game is listed; `other` is None if one player has both seats.

    A game between two people is listed unless either declines. A game with a bot or a program is
    listed only if its person wants that, and the program does not decline. A game that a person
    plays alone is listed if they want all games listed. A game without a person never is.
    """
    if one.kind is not PartyKind.PERSON:
        if other is None or other.kind is not PartyKind.PERSON:
            return False
        one, other = other, one
    if other is None:
        return one.listing is Listing.ALL
    if other.kind is PartyKind.PERSON:
        return one.listing.with_people and other.listing.with_people
    return one.listing.with_bots and (
        other.kind is PartyKind.BOT or other.listing.with_people or other.listing.with_bots
    )


def usual_listing(player: Player | None) -> Listing:
    """Return the listing that a player has set; `player` is None for a new visitor."""
    settings = Settings() if player is None else player.settings
    return listing_of(with_people=settings.lists_games, with_bots=settings.lists_bot_games)


def host_of(game: StoredGame) -> Party:
    """Return the party who offers the empty seat of a game."""
    side = game.open_side or game.reserved_side
    if side is None:
        raise ValueError(game.id)
    listing = listing_of(with_people=game.lists_when_joined, with_bots=game.lists_with_bots)
    return party(game.seat(side.other), listing)


def guest(player: Player | None, listing: Listing | None = None) -> Party:
    """Return a player as a party, with what they have set unless a listing is given."""
    is_program = player is not None and player.is_program
    kind = PartyKind.PROGRAM if is_program else PartyKind.PERSON
    return Party(kind, usual_listing(player) if listing is None else listing)


@dataclass(frozen=True, slots=True)
class ListingChoice:
    """The choice of somebody who may take a seat: whether the game is then listed.

    It is listed `usually` if they say nothing, and `may_be` listed if they ask for it.
    """

    may_be: bool
    usually: bool

    @property
    def usual(self) -> str:
        """The term of the link that comes first."""
        return f"listed={Listing.ALL if self.usually else Listing.NONE}"

    @property
    def other(self) -> str:
        """The term of the second link."""
        return f"listed={Listing.NONE if self.usually else Listing.ALL}"


def choice_of(host: Party, visitor: Party) -> ListingChoice:
    """Return the choice that a visitor has who may take the seat that a host offers."""
    may_be = is_listed(host, replace(visitor, listing=Listing.ALL))
    return ListingChoice(may_be, is_listed(host, visitor))


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


def open_seats_page(
    context: AppContext, connection: sa.Connection, variant: str | None, place: ListPlace | None
) -> GameListPage:
    """Return a page of the listed games with an open seat, from a place on or from the first."""

    def read(limit: int, beyond: ListPlace | None) -> Sequence[StoredGame]:
        return list_queries.open_seats(connection, variant, beyond, limit)

    return _page(context, connection, (GameStatus.WAITING,), read, place)


def games_page(
    context: AppContext,
    connection: sa.Connection,
    statuses: Sequence[GameStatus],
    variant: str | None,
    place: ListPlace | None,
) -> GameListPage:
    """Return a page of the public games with one of these statuses, from a place on.

    If there are none from there on, return the first page: the games moved in last. A place is
    given by time and id, so games that come and go between two pages hide none of the others.
    """

    def read(limit: int, beyond: ListPlace | None) -> Sequence[StoredGame]:
        if beyond is None:
            return list_queries.listed_games(connection, statuses, variant, limit)
        return list_queries.listed_games_beyond(connection, statuses, variant, beyond, limit)

    return _page(context, connection, statuses, read, place)


def _page(
    context: AppContext,
    connection: sa.Connection,
    statuses: Sequence[GameStatus],
    read: Callable[[int, ListPlace | None], Sequence[StoredGame]],
    place: ListPlace | None,
) -> GameListPage:
    backwards = place is not None and place.newer
    part = paging.read_slice(PAGE_SIZE, read, place, backwards=backwards)
    games = part.items
    shown = [
        each for each in apply_deadlines(context, connection, games) if each.status in statuses
    ]
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


def open_seats(context: AppContext, connection: sa.Connection, limit: int) -> Sequence[ListedGame]:
    """Return up to `limit` public games with an open seat, everybody's first before others."""
    stored = list_queries.open_seats(connection, None, None, limit)
    waiting = [
        game
        for game in apply_deadlines(context, connection, stored)
        if game.status is GameStatus.WAITING
    ]
    return with_ratings(connection, waiting)


def games_of_player(
    context: AppContext, connection: sa.Connection, player: Player, running: int, ended: int
) -> Sequence[StoredGame]:
    """Return a player's public games: up to `running` unfinished ones, then the last to end.

    Of games that have ended, there are up to `ended`.
    """
    games = list_queries.listed_games_of_player(connection, player.id, running, ended)
    unfinished_first = sorted(games, key=lambda game: not game.is_running)
    return apply_deadlines(context, connection, unfinished_first)


def game_of_the_day(
    context: AppContext, connection: sa.Connection, featured: StoredGame | None
) -> Game | None:
    """Return a public game with some moves that was moved in today, else the `featured` one.

    Of the last few, those between people come first, and then those in progress. Games that no
    person plays are left out, and so are everyone's game and those that take long to show. None
    says that there is no such game.
    """
    today = context.clock().date()
    found = [
        stored
        for statuses in ((GameStatus.PLAYING,), DECIDED)
        for stored in list_queries.listed_games(connection, statuses, None, _MAX_CANDIDATES)
        if stored.ply >= MIN_PLIES and stored.moved_at.date() == today
    ]
    for stored in _people_first([game for game in found if game.everyones_side is None]):
        game = load_game(context, connection, stored)
        # One that is stored as in progress may have run out of time.
        if game.is_running or stored.status in DECIDED:
            return game
    shown = _people_first([featured] if featured else [])
    return load_game(context, connection, shown[0]) if shown else None


def _people_first(games: Sequence[StoredGame]) -> Sequence[StoredGame]:
    """Return the games worth watching: with a person in them, and not too long to be shown."""
    watched = [
        game
        for game in games
        if game.ply <= MAX_PLY and any(seat.has_people for seat in game.seats.values())
    ]
    return sorted(watched, key=_is_between_people, reverse=True)


def _is_between_people(game: StoredGame) -> bool:
    return not game.is_solo and all(seat.has_people for seat in game.seats.values())
