"""Reading tournaments as they are now."""

from collections.abc import Mapping, Sequence, Set as AbstractSet
from dataclasses import replace

import sqlalchemy as sa

from capsule.context import AppContext, Transaction
from capsule.games import queries as game_queries
from capsule.games.deadlines import apply_deadlines
from capsule.games.model import StoredGame
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.model import (
    StoredTournament,
    Tournament,
    seat_numbers,
    with_deadlines_applied,
)


def find_tournament(transaction: Transaction, tournament_id: str) -> Tournament | None:
    """Return the tournament as it is now, or None if there is none with this id."""
    context, connection = transaction.context, transaction.connection
    found = tournament_queries.tournament_by_id(connection, tournament_id)
    return None if found is None else load_tournament(context, connection, found)


def load_tournament(
    context: AppContext, connection: sa.Connection, tournament: StoredTournament
) -> Tournament:
    """Return a stored tournament as it is now, with its seats and its games."""
    now = context.clock.deadline_time()
    banned_at = None if tournament.cup is None else now
    seats = tournament_queries.seats_of(connection, tournament.id, banned_at)
    numbers = seat_numbers(seats)
    stored_games = (
        game_queries.games_of_tournament(connection, tournament.id)
        if tournament.has_started
        else ()
    )
    struck_out = frozenset(seat.player_id for seat in seats if seat.is_banned)
    games = sorted(
        (
            _without_names(game, struck_out)
            for game in apply_deadlines(context, connection, stored_games)
        ),
        key=lambda game: (
            numbers[game.x.player_id, game.x.bot],
            numbers[game.o.player_id, game.o.bot],
        ),
    )
    stored = with_deadlines_applied(tournament, len(seats), games, now)
    return Tournament(stored, seats, games, now)


def _without_names(game: StoredGame, struck_out: AbstractSet[int | None]) -> StoredGame:
    for side, seat in game.seats.items():
        if seat.player_id in struck_out:
            game = game.with_seat(side, replace(seat, is_struck_out=True))
    return game


def count_players(
    connection: sa.Connection, tournaments: Sequence[StoredTournament]
) -> Mapping[str, int]:
    """Return how many seats of each tournament are taken, by its id."""
    taken = tournament_queries.count_seats(connection, [each.id for each in tournaments])
    return {each.id: taken.get(each.id, 0) for each in tournaments}
