"""A round-robin tournament: its terms, states, players and games, and everybody's permissions.

It is announced, then played, then finished; or it is cancelled before it starts. It ends with its
last game, and is cancelled when too few players have come: pages say so at once, even before the
sweep has stored it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum, auto
from functools import cached_property
from typing import Any

from capsule.accounts.model import Player
from capsule.accounts.names import bot_name, level_bot_name, shown_name
from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.eligibility import MAX_BOTS
from capsule.games.model import StoredGame
from capsule.languages.dates import Month
from capsule.tournaments.standings import Result, TournamentStanding, standings
from capsule.ui.paging import TermsRefused, read_choices, write_choices
from engine import VARIANTS, Message, Variant, message
from engine.bots.levels import MAIN_LEVELS
from engine.bots.registry import levels_of


@dataclass(frozen=True, slots=True)
class TournamentSeat:
    """The seat of a player or a bot in a tournament.

    `player_name` is None for a bot, and "" for a former player, who was erased. It is also "" for
    a player of a cup who `is_banned`. `left_at` is when the player gave up the tournament, and
    with it any place. Then `results_count` says whether the results until then still count.
    `is_program` says that the player is a declared program.
    """

    number: int
    taken_at: datetime
    player_id: int | None = None
    player_name: str | None = None
    bot: str | None = None
    left_at: datetime | None = None
    results_count: bool = True
    is_program: bool = False
    is_banned: bool = False

    @property
    def name(self) -> str:
        """The name of its holder, as in games; that of a banned player is struck out."""
        if self.bot:
            return level_bot_name(self.bot)
        if self.is_program and not self.is_banned:
            return bot_name(self.player_name)
        return shown_name(self.player_name or "", is_struck_out=self.is_banned)


def seat_numbers(seats: Sequence[TournamentSeat]) -> Mapping[tuple[int | None, str | None], int]:
    """Return the numbers of seats by their holders: a player's id, or a bot's level."""
    return {(seat.player_id, seat.bot): seat.number for seat in seats}


MIN_PLAYERS = 3
"""The fewest players, bots among them, that a tournament starts with; one at least is a person."""

FILL_LIFETIME = timedelta(days=30)
"""The time for which a tournament without a day for its start waits to fill up."""


class TournamentStatus(StrEnum):
    """The stored state of a tournament."""

    ANNOUNCED = "announced"
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"


OVER = (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)


class CancellationReason(StrEnum):
    """The reason for a cancellation."""

    BY_ANNOUNCER = auto()
    TOO_FEW = auto()
    """On the day of the start there were too few players."""
    NOT_FULL = auto()
    """No day was set, and it did not fill up in time."""
    BY_OPERATOR = auto()


@dataclass(frozen=True, slots=True)
class CupPart:
    """The part of a monthly cup that a tournament is: one of its groups, or its final.

    `group` is a number from 1 upwards, None for the final. `is_whole` says that the cup has no
    other part.
    """

    month: Month
    group: int | None
    is_whole: bool = False

    @property
    def path(self) -> str:
        """The address of the cup's page."""
        return f"/cups/{self.month.key}"

    @property
    def title(self) -> Message:
        """The title of the tournament, which nobody has typed."""
        if self.is_whole:
            return message("Cup of {month}", month=self.month.words)
        if self.group is None:
            return message("Cup of {month}, final", month=self.month.words)
        return message("Cup of {month}, group {number}", month=self.month.words, number=self.group)


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as stored, without its players and games.

    `title` is "" once its announcer, who typed it, has been erased or banned; `announcer` is ""
    once they have been erased. It starts at `starts_at`, or as soon as it is full if that is None.
    With a `fill_level`, bots take the seats that are still empty at `starts_at`, the bot of that
    level first. `changes` counts its changes: a page made at one count cannot act at another.
    `called_off_for` is the operator's reason for calling it off, if it ended that way.

    A part of a `cup` has no title and was announced by nobody. What is left of its games ends at
    `ends_at`.
    """

    id: str
    variant: Variant
    days_per_move: int
    rated: bool
    seat_count: int
    starts_at: datetime | None
    status: TournamentStatus
    created_at: datetime
    title: str = ""
    announced_by: int | None = None
    announcer: str = ""
    fill_level: str | None = None
    changes: int = 0
    started_at: datetime | None = None
    ended_at: datetime | None = None
    called_off_for: str | None = None
    cup: CupPart | None = None
    ends_at: datetime | None = None

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/play/tournaments/{self.id}"

    @property
    def is_announced(self) -> bool:
        """Whether it has not started yet."""
        return self.status is TournamentStatus.ANNOUNCED

    @property
    def is_playing(self) -> bool:
        """Whether its games are being played."""
        return self.status is TournamentStatus.PLAYING

    @property
    def is_over(self) -> bool:
        """Whether it has finished or was cancelled."""
        return self.status in OVER

    @property
    def has_started(self) -> bool:
        """Whether it has games, running or over."""
        has_games = self.status in (TournamentStatus.PLAYING, TournamentStatus.FINISHED)
        return has_games or self.started_at is not None

    @property
    def lapses_at(self) -> datetime:
        """The time at which it is cancelled unless full, if no day is set for its start."""
        return self.created_at + FILL_LIFETIME

    def bots_for(self, free: int) -> Sequence[str]:
        """Return the levels of the bots that take free seats, as `bots_near` does."""
        return bots_near(self.variant.key, self.fill_level, free)

    def can_start_with(self, players: int) -> bool:
        """Return whether this many players are enough, with the bots that would join them."""
        bots = self.bots_for(self.seat_count - players)
        return players > 0 and players + len(bots) >= MIN_PLAYERS


@dataclass(frozen=True)
class Tournament:
    """A tournament as it is at `now`, with its players and, once it has started, its games.

    The games are in the order of their seats. Deadlines that had passed are applied, and `now` does
    not advance while the machine's clock is in doubt.
    """

    stored: StoredTournament
    seats: Sequence[TournamentSeat]
    games: Sequence[StoredGame]
    now: datetime

    @property
    def is_due(self) -> bool:
        """Whether it is about to start: its day has come."""
        starts_at = self.stored.starts_at
        return self.stored.is_announced and starts_at is not None and starts_at <= self.now

    @property
    def is_open(self) -> bool:
        """Whether seats can be taken and given up: it has not started and is not about to."""
        return self.stored.is_announced and not self.is_due

    @property
    def free_seats(self) -> int:
        """The number of free seats."""
        return self.stored.seat_count - len(self.seats)

    @property
    def cancellation(self) -> CancellationReason | None:
        """The reason for its cancellation, None without a cancellation."""
        if self.stored.status is not TournamentStatus.CANCELLED:
            return None
        if self.stored.called_off_for is not None:
            return CancellationReason.BY_OPERATOR
        if self.stored.ended_at == self.stored.starts_at:
            return CancellationReason.TOO_FEW
        if self.stored.ended_at == self.stored.lapses_at:
            return CancellationReason.NOT_FULL
        return CancellationReason.BY_ANNOUNCER

    def seat_of(self, player: Player | None) -> TournamentSeat | None:
        """Return the seat that the player has and has not given up, or None."""
        if player is None:
            return None
        own = (seat for seat in self.seats if seat.player_id == player.id)
        return next((seat for seat in own if seat.left_at is None), None)

    def may_join(self, player: Player | None) -> bool:
        """Return whether a seat is free for the player, or for a new visitor."""
        return self.is_open and self.free_seats > 0 and self.seat_of(player) is None

    def may_leave(self, player: Player | None) -> bool:
        """Return whether the player has a seat to give up."""
        can_be_left = self.is_open or self.stored.is_playing
        return can_be_left and self.seat_of(player) is not None

    def may_cancel(self, player: Player | None) -> bool:
        """Return whether the player announced it and can still call it off."""
        return self.is_open and player is not None and self.stored.announced_by == player.id

    def may_start(self, player: Player | None) -> bool:
        """Return whether the player announced it and can start it before its time.

        There must be players enough, with the bots that take the free seats.
        """
        return self.may_cancel(player) and self.stored.can_start_with(len(self.seats))

    def may_report(self, player: Player | None) -> bool:
        """Return whether the player can report its title, which another player has typed."""
        is_typed = bool(self.stored.title)
        return is_typed and player is not None and self.stored.announced_by != player.id

    @property
    def leavers(self) -> Sequence[TournamentSeat]:
        """The seats whose players have left since the start."""
        return [seat for seat in self.seats if seat.left_at is not None]

    @property
    def ended_games(self) -> int:
        """The number of its games that have ended."""
        return sum(not game.is_playing for game in self.games)

    def running_games_of(self, player: Player | None) -> Sequence[StoredGame]:
        """Return the player's running games, those first in which it is the player's turn."""
        if player is None:
            return ()
        own = [game for game in self.games if game.is_playing and game.has_player(player.id)]
        return sorted(own, key=lambda game: game.mover.player_id != player.id)

    @cached_property
    def seats_by_number(self) -> Mapping[int, TournamentSeat]:
        """The seats that are taken, by their numbers."""
        return {seat.number: seat for seat in self.seats}

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of the players, by the numbers of their seats."""
        return {seat.number: seat.name for seat in self.seats}

    @cached_property
    def results(self) -> Sequence[Result]:
        """The games as results between seats, in the same order."""
        numbers = seat_numbers(self.seats)
        return [
            Result(
                x=numbers[game.x.player_id, game.x.bot],
                o=numbers[game.o.player_id, game.o.bot],
                points=game.points,
            )
            for game in self.games
        ]

    @cached_property
    def standings(self) -> Sequence[TournamentStanding]:
        """The table of the players, from the first place down; empty before the start."""
        if not self.games:
            return ()
        uncounted = {seat.number for seat in self.seats if not seat.results_count}
        left = {seat.number for seat in self.leavers}
        return standings(self.names, self.results, uncounted, left)

    @property
    def winners(self) -> Sequence[TournamentSeat]:
        """The seats that have or share the first place."""
        return [self.seats_by_number[each.seat] for each in self._first_places]

    @property
    def winning_points(self) -> float:
        """The points of each seat that has or shares the first place, 0 without any."""
        return self._first_places[0].points if self._first_places else 0

    @cached_property
    def _first_places(self) -> Sequence[TournamentStanding]:
        """The first places in the table, which no leaver has."""
        return [each for each in self.standings if each.rank == 1]

    @cached_property
    def games_by_x(self) -> Sequence[tuple[str, Sequence[StoredGame]]]:
        """Each player's name and games as X, in the order of the standings, once it has started."""
        order = [standing.seat for standing in self.standings]
        games = {
            (result.x, result.o): game
            for result, game in zip(self.results, self.games, strict=True)
        }
        return [(self.names[x], [games[x, o] for o in order if (x, o) in games]) for x in order]


def with_deadlines_applied(
    tournament: StoredTournament, players: int, games: Sequence[StoredGame], now: datetime
) -> StoredTournament:
    """Return a stored tournament as it is at a time: over, if its time or its games have ended it.

    Args:
        tournament: The tournament as stored.
        players: How many of its seats are taken.
        games: Its games as they are at that time.
        now: The time. A tournament whose day has come is not started here: the sweep does that.
    """
    ends_at = None
    if tournament.is_announced and tournament.starts_at is None:
        ends_at = tournament.lapses_at
    elif tournament.is_announced and not tournament.can_start_with(players):
        ends_at = tournament.starts_at
    if ends_at is not None and ends_at <= now:
        return replace(tournament, status=TournamentStatus.CANCELLED, ended_at=ends_at)
    if tournament.is_playing:
        ends = [game.ended_at for game in games if game.ended_at is not None]
        if ends and len(ends) == len(games):
            return replace(tournament, status=TournamentStatus.FINISHED, ended_at=max(ends))
    return tournament


def bots_near(variant: str, level: str | None, free: int) -> Sequence[str]:
    """Return the levels of the bots that take free seats, in the order in which they take them.

    The chosen level comes first, then the variant's others by their distance from it, the weaker
    before the stronger. No level takes two seats, and there are `MAX_BOTS` at most: some may stay
    empty. There are no bots without a level.

    >>> bots_near("numeric", "club", 4)
    ['club', 'casual', 'expert', 'novice']
    """
    if level is None:
        return []
    levels = [*levels_of(variant)]
    chosen = levels.index(level)
    # The sort is stable: of two at the same distance, the weaker comes first.
    nearest_first = sorted(levels, key=lambda each: abs(levels.index(each) - chosen))
    return nearest_first[: min(max(free, 0), MAX_BOTS)]


SEAT_COUNTS = tuple(range(3, 13))
"""The numbers of seats that a tournament may have."""

DAYS_UNTIL_START = (1, 3, 7, 14)
"""The days after which a tournament may start."""

AT_ONCE = 0
"""The days until the start of a tournament that starts when it is announced."""

_STARTS: Mapping[str, int | None] = {
    "now": AT_ONCE,
    **{str(days): days for days in DAYS_UNTIL_START},
    "full": None,
}
"""The days until each start, by its word in addresses."""


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """The terms that a player has chosen.

    `starts_in` is the number of days after which the tournament starts with the players who are
    there; with None, it starts only when every seat is taken. `fill_level` is the level of the bot
    that takes the first of the seats still empty on that day, one of `MAIN_LEVELS`; None if they
    stay empty. Without a day there is nothing for bots to fill, and nobody but bots can take seats
    `AT_ONCE`: if the two do not fit, `TermsRefused` is raised.
    """

    variant: str = "ultimate"
    days_per_move: int = 3
    seat_count: int = 6
    starts_in: int | None = 7
    rated: bool = True
    fill_level: str | None = None

    def __post_init__(self) -> None:
        if self.starts_in is None and self.fill_level is not None:
            raise TermsRefused("bots fill seats on the day of the start")
        if self.starts_at_once and self.fill_level is None:
            raise TermsRefused("nobody but bots is there at once")

    @property
    def seats(self) -> int:
        """The number of its players if all seats are taken: bots alone cannot fill more seats.

        >>> TournamentTerms(seat_count=12, starts_in=AT_ONCE, fill_level="club").seats
        6
        """
        most = 1 + MAX_BOTS if self.starts_at_once else self.seat_count
        return min(self.seat_count, most)

    @property
    def bots(self) -> Sequence[str]:
        """The levels of its bots if they take every seat but the announcer's."""
        return bots_near(self.variant, self.fill_level, self.seats - 1)

    @property
    def starts_at_once(self) -> bool:
        """Whether it starts when it is announced, with its announcer and bots."""
        return self.starts_in == AT_ONCE

    @classmethod
    def parse(cls, query: str | None) -> "TournamentTerms | None":
        """Return the terms of a query that `TournamentTerms.query` has written, None for others.

        >>> TournamentTerms.parse("seats=4&bots=club").fill_level
        'club'
        """
        values = _values()
        try:
            choices = read_choices(query, {name: words for name, (_, words) in values.items()})
            return cls(**{values[name][0]: values[name][1][word] for name, word in choices.items()})
        except TermsRefused:
            return None

    @property
    def query(self) -> str:
        """The terms as the query of an address, which says in any case whether games are rated.

        >>> TournamentTerms().query, TournamentTerms(variant="tinc", starts_in=None).query
        ('rated=yes', 'variant=tinc&starts=full&rated=yes')
        >>> TournamentTerms(starts_in=AT_ONCE, rated=False, fill_level="club").query
        'starts=now&rated=no&bots=club'
        """
        changed = {
            name: next(word for word, value in words.items() if value == getattr(self, field))
            for name, (field, words) in _values().items()
            if name == "rated" or getattr(self, field) != getattr(TournamentTerms(), field)
        }
        return write_choices(changed, {})


def _values() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """Return the field of each term, and its values by their words, by its name in addresses."""
    return {
        # Asked each time, since variants can be registered after this module is imported.
        "variant": ("variant", {key: key for key in VARIANTS}),
        "days": ("days_per_move", {str(days): days for days in DAYS_PER_MOVE}),
        "seats": ("seat_count", {str(seats): seats for seats in SEAT_COUNTS}),
        "starts": ("starts_in", _STARTS),
        "rated": ("rated", {"yes": True, "no": False}),
        "bots": ("fill_level", {**{level: level for level in MAIN_LEVELS}, "none": None}),
    }
