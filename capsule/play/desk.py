"""Lists of a player's running games, the waiting ones first, and the next game that waits."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum, auto

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.games import deadlines, eligibility, feed_entries, list_queries, reading
from capsule.games.clock import Clock, ClockState, Vacation, Vacations
from capsule.games.model import StoredGame
from capsule.languages.dates import time_left
from capsule.ui import paging
from engine import Side, Variant

_NEVER = "never"
PLACE_PATTERN = (
    rf"(after|before)-([0-3])-([0-9a-f]{{1,9}}|{_NEVER})-({paging.MOMENT_PATTERN})"
    r"-([a-z2-7]{10})"
)
"""The regular expression of a query that names a place in a list."""

_PLACE = re.compile(PLACE_PATTERN)


class Offer(Enum):
    """An offer that an opponent may make."""

    CHALLENGE = auto()
    REMATCH = auto()
    DRAW = auto()
    TAKEBACK = auto()


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game in a player's list.

    `side` is the player's, None in a solo game. `opponent` is the opponent's name, None in a solo
    game and while a seat is open. `deadline` is when the time for the move ends, or when a
    challenge or an open seat lapses, and `time_left` is the time until then. Both are None if there
    is no deadline. `clock` is the game's running clock, if any. `is_alike` says that another game
    on the page has the same label.
    """

    stored: StoredGame
    side: Side | None
    opponent: str | None
    is_your_turn: bool
    offer: Offer | None
    place: list_queries.Place
    deadline: datetime | None
    time_left: timedelta | None
    is_claimable: bool
    clock: Clock | None = None
    is_alike: bool = False

    @property
    def variant(self) -> Variant:
        return self.stored.variant

    @property
    def address(self) -> str:
        """The address of the game's page, a new one each time that it waits for the player."""
        is_turn = self.place.section is list_queries.Section.YOUR_TURN
        return feed_entries.page_address(self.stored, self.side, is_turn=is_turn)

    @property
    def is_challenge(self) -> bool:
        """Whether the game starts only if the player accepts it."""
        return self.offer in (Offer.CHALLENGE, Offer.REMATCH)

    @property
    def is_time_up(self) -> bool:
        """Whether the deadline has passed."""
        return self.time_left is not None and self.time_left <= timedelta(0)

    @property
    def time_in_words(self) -> str | None:
        """The time until the deadline as lists show it, None without a deadline."""
        return None if self.time_left is None else str(time_left(self.time_left))


def entry_of(
    game: StoredGame, place: list_queries.Place, clock: Clock | None, player: Player, now: datetime
) -> GameEntry:
    """Return the entry of a game in a player's list at a time.

    `clock` is its running clock, if it has one.
    """
    # A challenged player has no seat yet: the reserved one will be theirs.
    side = game.side_of(player.id) or game.reserved_side or game.turn
    is_your_turn = game.is_playing and game.mover.player_id == player.id
    deadline = game.lapses_at or (clock.deadline if clock is not None else None)
    return GameEntry(
        stored=game,
        side=None if game.is_solo else side,
        opponent=None if game.is_solo else game.seat(side.other).name,
        is_your_turn=is_your_turn,
        offer=_offer(game, player, side),
        place=place,
        deadline=deadline,
        time_left=None if deadline is None else deadline - now,
        is_claimable=clock is not None
        and not game.can_be_aborted
        and not is_your_turn
        and clock.state(now) is ClockState.CLAIMABLE,
        clock=clock,
    )


def _offer(game: StoredGame, player: Player, side: Side) -> Offer | None:
    """Return the offer that the opponent has made in a game, or None."""
    if game.is_challenge_to(player.id):
        return Offer.REMATCH if game.previous_id else Offer.CHALLENGE
    if game.draw_offered_by is side.other:
        return Offer.DRAW
    return Offer.TAKEBACK if game.takeback_asked_by is side.other else None


def with_unique_labels(
    entries: Sequence[GameEntry], *, includes_state: bool = False
) -> Sequence[GameEntry]:
    """Return the entries, marked as `is_alike` where their labels are equal.

    With `includes_state`, labels also include the player's side, the move and the time left.
    """
    names = [
        (
            (each.variant.key, each.opponent, each.stored.is_solo),
            (each.place.section, each.side, each.stored.ply, each.time_in_words)
            if includes_state
            else None,
        )
        for each in entries
    ]
    count = Counter(names)
    return [
        replace(each, is_alike=count[name] > 1) for each, name in zip(entries, names, strict=True)
    ]


def query_of(place: list_queries.Place, *, backwards: bool) -> str:
    """Return the query of the slice that follows a place, or of the one before it.

    >>> moment = paging.decode_moment("f4240")
    >>> beginning = (list_queries.Section.WAITING, list_queries.NEVER, moment, "k3x7m2pqrt")
    >>> query_of(list_queries.Place(*beginning), backwards=False)
    'after-2-never-f4240-k3x7m2pqrt'
    """
    deadline = _NEVER if place.deadline == list_queries.NEVER else f"{place.deadline:x}"
    moved_at = paging.encode_moment(place.moved_at)
    direction = "before" if backwards else "after"
    return f"{direction}-{place.section:d}-{deadline}-{moved_at}-{place.game_id}"


def place_in(query: str) -> tuple[list_queries.Place, bool] | None:
    """Return the place in a query, and whether the slice ends there; None without a place.

    >>> place_in("before-2-never-f4240-k3x7m2pqrt")[0].section, place_in("k3x7m2pqrt")
    (<Section.WAITING: 2>, None)
    """
    match = _PLACE.fullmatch(query)
    if match is None:
        return None
    direction, section, deadline, moved_at, game_id = match.groups()
    place = list_queries.Place(
        list_queries.Section(int(section)),
        list_queries.NEVER if deadline == _NEVER else int(deadline, 16),
        paging.decode_moment(moved_at),
        game_id,
    )
    return place, direction == "before"


PAGE_SIZE, DESK_SIZE = 50, 10
"""The numbers of games on a page of all running games, and on a page of waiting games alone."""

MAX_WAITING = eligibility.MAX_UNFINISHED_OF_PROGRAM + list_queries.MAX_CHALLENGES
"""The most games that can wait for a player."""

_CANDIDATES = 4
"""Games read to find the next one: some may have just run out of time, and one is left out."""


@dataclass(frozen=True, slots=True)
class DeskSlice:
    """A page of a list of running games, and the `count` of all games that wait for the player.

    `over` are games that a deadline has just ended. `earlier` and `later` are the queries of the
    pages before and after this one, None at the ends of the list. `vacations` include all of the
    player's since the beginning of the year, unless the list has waiting games only.
    """

    entries: Sequence[GameEntry]
    over: Sequence[StoredGame]
    count: int
    vacations: Sequence[Vacation]
    earlier: str | None
    later: str | None

    @property
    def sections(self) -> Mapping[str, Sequence[GameEntry]]:
        """The entries by the names of their sections."""
        return {
            section.name: [entry for entry in self.entries if entry.place.section is section]
            for section in list_queries.Section
        }


def next_game(
    transaction: Transaction, player: Player, *, passed_over: str | None = None
) -> StoredGame | None:
    """Return the first of the games that wait for a player, or None.

    Of games with equal deadlines, that which has waited longest comes first. The game with the id
    `passed_over` is left out.
    """
    first = (entry.stored for entry in desk_of(transaction, player, _CANDIDATES))
    return next((game for game in first if game.id != passed_over), None)


def desk_of(
    transaction: Transaction, player: Player, limit: int = MAX_WAITING
) -> Sequence[GameEntry]:
    """Return the entries of the games that wait for a player, the most urgent first."""
    connection, now = transaction.connection, transaction.deadline_time
    found = list_queries.running_games_of(connection, player.id, now, limit, waiting_only=True)
    entries, *_ = _entries(transaction, found, player)
    return entries


def running_slice(
    transaction: Transaction, player: Player, query: str, *, waiting_only: bool = False
) -> DeskSlice:
    """Return a page of a player's running games, which begins at the place in a query.

    `waiting_only` leaves out games that do not wait for the player. Labels then do not include the
    games' state.
    """
    connection = transaction.connection
    now = transaction.deadline_time
    place, backwards = place_in(query) or (None, False)

    def read(limit: int, beyond: list_queries.Place | None) -> Sequence[list_queries.RunningGame]:
        return list_queries.running_games_of(
            connection,
            player.id,
            now,
            limit,
            beyond,
            backwards=backwards and beyond is not None,
            waiting_only=waiting_only,
        )

    size = DESK_SIZE if waiting_only else PAGE_SIZE
    shown = paging.read_slice(size, read, place, backwards=backwards)
    own = None if waiting_only else (player.id, datetime(transaction.now.year, 1, 1, tzinfo=UTC))
    entries, over, vacations = _entries(transaction, shown.items, player, own)
    return DeskSlice(
        with_unique_labels(entries, includes_state=not waiting_only),
        over,
        shown.items[0].waiting if shown.items else 0,
        vacations.get(player.id, ()),
        query_of(shown.items[0].place, backwards=True) if shown.has_previous else None,
        query_of(shown.items[-1].place, backwards=False) if shown.has_next else None,
    )


def _entries(
    transaction: Transaction,
    found: Sequence[list_queries.RunningGame],
    player: Player,
    own: tuple[int, datetime] | None = None,
) -> tuple[Sequence[GameEntry], Sequence[StoredGame], Vacations]:
    """Return the entries of games that still run, and the games that are over, the latest first.

    The vacations that stop their clocks are returned, too; `own` is as in `vacations_in`.
    """
    now, entries, over = transaction.deadline_time, [], []
    stopped = [each.stored for each in found if each.was_anybody_away]
    vacations = deadlines.vacations_in(transaction.connection, stopped, own)
    for each in found:
        game = deadlines.with_deadlines_applied(each.stored, vacations, now)
        if game.is_running:
            clock = reading.running_clock(transaction, each.stored, vacations)
            entries.append(entry_of(each.stored, each.place, clock, player, now))
        else:
            over.append(game)
    over.sort(key=lambda game: (game.moved_at, game.id), reverse=True)
    return entries, over, vacations
