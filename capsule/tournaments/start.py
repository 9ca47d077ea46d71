"""Starting tournaments, and storing which of them have ended.

A tournament starts as soon as it is full, or on its day, or when its announcer says so. Bots take
the seats that are empty then, if its terms let them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count, permutations
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.games.creation import create_game, new_game
from capsule.games.listed import guest, is_listed, party
from capsule.games.model import Seat
from capsule.games.status import GameStatus
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments import seat_queries
from capsule.tournaments.model import FILL_LIFETIME
from capsule.tournaments.reading import load_tournament
from capsule.tournaments.seat import TournamentSeat

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.listed import Party
    from capsule.tournaments.model import StoredTournament


def start_and_end_due(context: AppContext, limit: int = 100) -> int:
    """Start the tournaments whose day has come and store which have ended; return how many changed.

    At most `limit` of either kind are looked at, each in a transaction of its own.
    """
    now = context.clock.deadline_time()
    with context.database.reading() as connection:
        found = tournament_queries.due_tournaments(connection, now, now - FILL_LIFETIME, limit)
    changed = 0
    for tournament_id in found:
        with context.database.writing() as connection:
            stored = tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
            if stored is not None:
                changed += _start_or_end(context, connection, stored)
    return changed


def _start_or_end(context: AppContext, connection: Connection, stored: StoredTournament) -> bool:
    """Start or end a tournament if that is due; return whether it was."""
    tournament = load_tournament(context, connection, stored)
    current = tournament.stored
    if current.status is not stored.status and current.ended_at is not None:
        tournament_queries.end_tournament(connection, stored.id, current.status, current.ended_at)
        return True
    if tournament.is_due:
        start(context, connection, stored, tournament.seats)
        return True
    return False


def start(
    context: AppContext,
    connection: Connection,
    tournament: StoredTournament,
    seats: Sequence[TournamentSeat],
) -> None:
    """Let bots take the empty seats, if they may, and begin every game of both rounds."""
    now = context.clock()
    players = [*seats]
    for level in tournament.bots_for(tournament.seat_count - len(seats)):
        seat = TournamentSeat(
            number=free_number({seat.number for seat in players}), taken_at=now, bot=level
        )
        seat_queries.add_seat(connection, tournament.id, seat)
        players.append(seat)
    ids = [each.player_id for each in players if each.player_id is not None]
    people = player_queries.players_by_ids(connection, ids)
    for x, o in permutations(players, 2):
        game = new_game(
            context,
            tournament.variant,
            Seat(player_id=x.player_id, bot=x.bot),
            Seat(player_id=o.player_id, bot=o.bot),
            GameStatus.PLAYING,
        )
        begun = replace(
            game,
            listed=is_listed(_party(x, people), _party(o, people)),
            days_per_move=tournament.days_per_move,
            rated=tournament.rated,
            started_at=now,
            tournament_id=tournament.id,
            ends_by=tournament.ends_at,
        )
        create_game(connection, begun)
    tournament_queries.start_tournament(connection, tournament.id, now)


def _party(seat: TournamentSeat, people: Mapping[int, Player]) -> Party:
    player = None if seat.player_id is None else people.get(seat.player_id)
    return party(Seat(bot=seat.bot)) if player is None else guest(player)


def free_number(taken: Container[int]) -> int:
    """Return the lowest number of a seat that is not taken."""
    return next(number for number in count(1) if number not in taken)
