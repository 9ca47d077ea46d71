"""What players do with tournaments: announce, join, leave and cancel them; and how they start.

Each use case is one transaction, which holds the tournament, so that it starts exactly once,
whichever process the last player or the sweep comes to. An action names the number of changes that
its page was made at: if there were more since, `OutdatedAction` is raised and nothing changes.
"""

from __future__ import annotations

from itertools import count, permutations
from typing import TYPE_CHECKING

from capsule.games.creation import NewGame, create_game
from capsule.games.model import Seat
from capsule.games.status import GameStatus
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.model import FILL_LIFETIME, bots_for, can_start, load_tournament
from capsule.tournaments.queries import PLAYING
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from sqlalchemy import Connection

    from capsule.context import AppContext
    from capsule.tournaments.queries import StoredSeat, StoredTournament


def start_and_end_due(context: AppContext, most: int = 100) -> int:
    """Start the tournaments whose day has come, and store what has ended; return how many.

    At most `most` of either kind are looked at.
    """
    now = context.clock()
    with context.database.reading() as connection:
        found = tournament_queries.due(connection, now, now - FILL_LIFETIME, most)
    changed = 0
    for tournament_id in found:
        with context.database.writing() as connection:
            before = tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
            changed += before is not None and _keep_time_of(context, connection, before)
    return changed


def _keep_time_of(context: AppContext, connection: Connection, before: StoredTournament) -> bool:
    tournament = load_tournament(context, connection, before)
    after = tournament.stored
    if after != before:
        tournament_queries.change_tournament(
            connection, before.id, status=after.status, ended_at=after.ended_at
        )
        return True
    if tournament.is_due and can_start(before, tournament.seats):
        start(context, connection, before, tournament.seats)
        return True
    return False


def start(
    context: AppContext,
    connection: Connection,
    tournament: StoredTournament,
    seats: Sequence[StoredSeat],
) -> None:
    """Let bots take the empty seats, where they may, and begin every game of both rounds."""
    now = context.clock()
    taken = {seat.number: Seat(player_id=seat.player_id, bot=seat.bot) for seat in seats}
    for bot in bots_for(tournament.fill_level, tournament.seats - len(taken)):
        number = free_number(taken)
        taken[number] = Seat(bot=bot)
        tournament_queries.add_seat(connection, tournament.id, number, bot=bot, taken_at=now)
    for x, o in permutations(taken.values(), 2):
        new = NewGame(
            variant=VARIANTS[tournament.variant],
            x=x,
            o=o,
            status=GameStatus.PLAYING,
            listed=True,
            days_per_move=tournament.days_a_move,
            rated=tournament.rated,
            tournament_id=tournament.id,
            started_at=now,
        )
        create_game(context, connection, new)
    tournament_queries.change_tournament(connection, tournament.id, status=PLAYING, started_at=now)


def free_number(taken: Container[int]) -> int:
    return next(number for number in count(1) if number not in taken)
