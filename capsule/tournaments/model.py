"""A round-robin tournament as it stands: pure functions of what is stored, and the time.

It is announced, then played, then finished; or it is cancelled, before it has started. What has
happened to it by itself until now is told by pages before the sweep has stored it, so that both
always agree: a tournament ends with its last game, and lapses when too few players came.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from capsule.games import deadlines
from capsule.games import queries as game_queries
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.queries import ANNOUNCED, CANCELLED, FINISHED, PLAYING
from capsule.tournaments.standings import Result, standings
from engine import VARIANTS
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.tournaments.queries import StoredSeat, StoredTournament
    from capsule.tournaments.standings import TournamentStanding
    from engine import Variant


MIN_PLAYERS = 3
"""Players, bots among them, without whom no tournament starts; one at least is a person."""

FILL_LIFETIME = timedelta(days=30)
"""How long a tournament that starts when it is full waits for that."""


class CancellationReason(Enum):
    """Why a tournament was cancelled."""

    BY_ANNOUNCER = "by its announcer"
    TOO_FEW = "too few on the day"
    LAPSED = "not full in time"


@dataclass(frozen=True)
class Tournament:
    """A tournament as it stands at `now`, with who takes part and, once it has started, its games.

    `games` are in the order of their seats.
    """

    stored: StoredTournament
    seats: Sequence[StoredSeat]
    games: Sequence[StoredGame]
    now: datetime

    @property
    def variant(self) -> Variant:
        """The rules that it is played by."""
        return VARIANTS[self.stored.variant]

    @property
    def is_open(self) -> bool:
        """Whether seats can be taken and given up: before its day, and before it is full."""
        return self.stored.status == ANNOUNCED and not self.is_due

    @property
    def is_due(self) -> bool:
        """Whether it is about to start."""
        starts_at = self.stored.starts_at
        return self.stored.status == ANNOUNCED and starts_at is not None and starts_at <= self.now

    @property
    def free_seats(self) -> int:
        """How many seats nobody has."""
        return self.stored.seats - len(self.seats)

    @property
    def lapses_at(self) -> datetime:
        """When it is cancelled if it has not filled, where no day is set."""
        return self.stored.created_at + FILL_LIFETIME

    @property
    def cancelled_for(self) -> CancellationReason | None:
        """Why it was cancelled, None where it was not."""
        if self.stored.status != CANCELLED:
            return None
        if self.stored.ended_at == self.stored.starts_at:
            return CancellationReason.TOO_FEW
        return (
            CancellationReason.LAPSED
            if self.stored.ended_at == self.lapses_at
            else CancellationReason.BY_ANNOUNCER
        )

    def seat_of(self, player: Player | None) -> StoredSeat | None:
        """Return the seat that the player has and has not given up, or None."""
        taken = (seat for seat in self.seats if player and seat.player_id == player.id)
        return next((seat for seat in taken if seat.left_at is None), None)

    def running_games_of(self, player: Player | None) -> Sequence[StoredGame]:
        """Return the player's games that go on, those first in which the player is to move."""
        if player is None:
            return ()
        own = [game for game in self.games if game.is_playing and game.has_player(player.id)]
        return sorted(own, key=lambda game: game.mover.player_id != player.id)

    @property
    def ended_games(self) -> int:
        """How many of its games have ended."""
        return sum(not game.is_playing for game in self.games)

    def may_join(self, player: Player | None) -> bool:
        """Tell whether a seat is free for the player, or for somebody new."""
        return self.is_open and self.free_seats > 0 and self.seat_of(player) is None

    def may_leave(self, player: Player | None) -> bool:
        """Tell whether the player has a seat to give up."""
        is_possible = self.is_open or self.stored.status == PLAYING
        return is_possible and self.seat_of(player) is not None

    def may_cancel(self, player: Player | None) -> bool:
        """Tell whether the player has announced it and can still call it off."""
        return self.is_open and player is not None and self.stored.announced_by == player.id

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of those who take part, by their seats."""
        return {seat.number: seat.name for seat in self.seats}

    @cached_property
    def results(self) -> Sequence[Result]:
        """The games as results between seats; one that goes on has none."""
        numbers = {(seat.player_id, seat.bot): seat.number for seat in self.seats}
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
        """How those who take part stand."""
        uncounted = {seat.number for seat in self.seats if not seat.results_count}
        return standings(self.names, self.results, uncounted)

    @cached_property
    def games_by_x(self) -> Sequence[tuple[str, Sequence[StoredGame]]]:
        """Each player's name and games as X, once it has started, in the order of the standings."""
        order = [each.seat for each in self.standings]
        met = {
            (result.x, result.o): game
            for result, game in zip(self.results, self.games, strict=True)
        }
        return [(self.names[x], [met[x, o] for o in order if (x, o) in met]) for x in order if met]


def load_tournament(
    context: AppContext, connection: Connection, tournament: StoredTournament
) -> Tournament:
    """Return a stored tournament as it is now."""
    now = context.clock()
    seats = tournament_queries.seats_of(connection, tournament.id)
    has_games = tournament.status in (PLAYING, FINISHED)
    found = game_queries.games_of_tournament(connection, tournament.id) if has_games else ()
    numbers = {(seat.player_id, seat.bot): seat.number for seat in seats}
    in_order = sorted(
        deadlines.apply_deadlines(context, connection, found),
        key=lambda game: (
            numbers[game.x.player_id, game.x.bot],
            numbers[game.o.player_id, game.o.bot],
        ),
    )
    return Tournament(at(tournament, seats, in_order, now), seats, in_order, now)


def at(
    tournament: StoredTournament,
    seats: Sequence[StoredSeat],
    played: Sequence[StoredGame],
    now: datetime,
) -> StoredTournament:
    """Return a stored tournament as it is at a time: over, where that came by itself until then.

    `seats` are those taken, and `played` its games as they are at that time. The start of one whose
    day has come is the sweep's to make.
    """
    end = None
    if tournament.status == ANNOUNCED and tournament.starts_at is not None:
        if not can_start(tournament, seats):
            end = tournament.starts_at
    elif tournament.status == ANNOUNCED:
        end = tournament.created_at + FILL_LIFETIME
    if end is not None and end <= now:
        return replace(tournament, status=CANCELLED, ended_at=end)
    if tournament.status == PLAYING:
        ends = [game.ended_at for game in played if game.ended_at is not None]
        if ends and len(ends) == len(played):
            return replace(tournament, status=FINISHED, ended_at=max(ends))
    return tournament


def can_start(tournament: StoredTournament, seats: Sequence[StoredSeat]) -> bool:
    """Tell whether there are enough for a start, with the bots that would come."""
    free = tournament.seats - len(seats)
    return bool(seats) and len(seats) + len(bots_for(tournament.fill_level, free)) >= MIN_PLAYERS


def bots_for(level: str | None, free: int) -> Sequence[str]:
    """Return the levels of the bots that take so many free seats, first the one that was chosen.

    Then come its neighbours, the weaker before the stronger, so that the bots are near the chosen
    strength and no two are the same: at most one of each level, five in all.

    >>> bots_for("club", 4)
    ['club', 'casual', 'expert', 'novice']
    """
    if level is None:
        return []
    chosen = LEVELS.index(level)
    # The sort keeps their order, from the weakest on, among those that are as near.
    nearest_first = sorted(LEVELS, key=lambda each: abs(LEVELS.index(each) - chosen))
    return nearest_first[: max(free, 0)]
