"""What players do with tournaments: announce, join, leave and cancel them; and how they start.

Each use case is one transaction, which holds the tournament, so that it starts exactly once,
whichever process the last player or the sweep comes to. An action names the number of changes that
its page was made at: if there were more since, `OutdatedAction` is raised and nothing changes.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts.actions import consume_action, require_active
from capsule.accounts.relation_queries import blocked_ids
from capsule.errors import OutdatedAction, Refused
from capsule.games import queries as game_queries
from capsule.games.clock import DAY
from capsule.games.creation import new_id
from capsule.games.quota import (
    MAX_UNFINISHED_AGAINST_BOTS,
    MAX_UNFINISHED_GAMES,
    games_ahead,
    games_of_tournament,
)
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.model import Tournament, load_tournament
from capsule.tournaments.queries import ANNOUNCED, CANCELLED, PLAYING
from capsule.tournaments.start import free_number, start
from capsule.tournaments.withdrawal import withdraw
from capsule.ui.user_text import clean_line
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.tournaments.queries import StoredTournament
    from capsule.tournaments.terms import TournamentTerms


MAX_ANNOUNCED = 3
"""Tournaments that one player may have announced and not yet started."""

MAX_TITLE_LENGTH = 60
"""Characters of a tournament's name."""

HOUR = timedelta(hours=1)


class TournamentRefused(Refused):
    """A tournament that the player cannot announce or join; `message` says why."""


def title_of(typed: str) -> str:
    """Return a tournament's name as it was typed, on one line.

    Raises `capsule.ui.user_text.TextRefused` where it is empty or too long.
    """
    return clean_line(typed, MAX_TITLE_LENGTH)


def find_tournament(context: AppContext, tournament_id: str) -> Tournament | None:
    """Return the tournament as it stands, or None where there is no such."""
    with context.database.reading() as connection:
        found = tournament_queries.tournament_by_id(connection, tournament_id)
        return None if found is None else load_tournament(context, connection, found)


def of_player(context: AppContext, player: Player) -> Sequence[StoredTournament]:
    """Return the tournaments that the player takes part in and that are not over."""
    with context.database.reading() as connection:
        return tournament_queries.tournaments_of_player(connection, player.id, (ANNOUNCED, PLAYING))


def of_status(
    context: AppContext, status: str, most: int, before: tuple[datetime, str] | None = None
) -> Sequence[StoredTournament]:
    """Return the tournaments of a status, the newest first, from the place `before` on."""
    with context.database.reading() as connection:
        return tournament_queries.tournaments_of_status(connection, status, most, before)


def count_taken(context: AppContext, tournaments: Sequence[StoredTournament]) -> Mapping[str, int]:
    """Return how many seats are taken in tournaments, by their ids."""
    with context.database.reading() as connection:
        taken = tournament_queries.count_seats(connection, [each.id for each in tournaments])
    return {each.id: taken.get(each.id, 0) for each in tournaments}


def announce(context: AppContext, player: Player, terms: TournamentTerms, title: str) -> str:
    """Announce a tournament, in which the player has the first seat, and return its id.

    Raises `TextRefused` for the title; `TournamentRefused` where it is one too many, or has more
    games than the player may have; `OutdatedAction` where the player has acted since `player` was
    read.
    """
    title = title_of(title)
    with context.database.writing() as connection:
        consume_action(connection, player)
        if tournament_queries.count_announced(connection, player.id) >= MAX_ANNOUNCED:
            raise TournamentRefused(
                message(
                    "You have announced {count} tournaments that have not started yet, which is as "
                    "many as anyone may: wait for one, or cancel it",
                    count=MAX_ANNOUNCED,
                )
            )
        _expect_room(connection, player, terms.seats, 1, terms.bots)
        tournament_id = new_id(context)
        now = context.clock()
        tournament_queries.add_tournament(
            connection,
            id=tournament_id,
            variant=terms.variant,
            title=title,
            announced_by=player.id,
            days_a_move=terms.days,
            rated=terms.rated,
            seats=terms.seats,
            fill_level=terms.bots,
            starts_at=None if terms.starts is None else _on_the_hour(now + terms.starts * DAY),
            status=ANNOUNCED,
            created_at=now,
        )
        tournament_queries.add_seat(connection, tournament_id, 1, player_id=player.id, taken_at=now)
        return tournament_id


def join(context: AppContext, player: Player, tournament_id: str, changes: int) -> None:
    """Give the player a seat; with the last one the tournament starts.

    Raises `TournamentRefused` where the player has too many games for it, or shares no games with
    somebody who takes part.
    """
    with context.database.writing() as connection:
        require_active(context, connection, player)
        tournament = _expect(context, connection, tournament_id, changes)
        if not tournament.may_join(player):
            raise OutdatedAction
        apart = blocked_ids(connection, player.id)
        if any(seat.player_id in apart for seat in tournament.seats):
            raise TournamentRefused(
                message(
                    "Somebody takes part with whom you share no games, since one of you has "
                    "blocked the other"
                )
            )
        terms = tournament.stored
        taken = len(tournament.seats) + 1
        _expect_room(connection, player, terms.seats, taken, terms.fill_level)
        number = free_number({seat.number for seat in tournament.seats})
        tournament_queries.add_seat(
            connection, tournament_id, number, player_id=player.id, taken_at=tournament.now
        )
        tournament_queries.change_tournament(connection, tournament_id)
        if taken == terms.seats:
            start(
                context, connection, terms, tournament_queries.seats_of(connection, tournament_id)
            )


def leave(context: AppContext, player: Player, tournament_id: str, changes: int) -> None:
    """Take the player out of a tournament.

    Before the start the seat is free again. Afterwards the player's games that go on are lost; and
    where fewer than half had ended, no results of the player count: see `capsule.tournaments.standings`.
    """
    with context.database.writing() as connection:
        tournament = _expect(context, connection, tournament_id, changes)
        if not tournament.may_leave(player):
            raise OutdatedAction
        withdraw(context, connection, tournament, player)


def cancel(context: AppContext, player: Player, tournament_id: str, changes: int) -> None:
    """Call off a tournament that the player has announced, before it starts."""
    with context.database.writing() as connection:
        tournament = _expect(context, connection, tournament_id, changes)
        if not tournament.may_cancel(player):
            raise OutdatedAction
        tournament_queries.change_tournament(
            connection, tournament_id, status=CANCELLED, ended_at=tournament.now
        )


def _expect(
    context: AppContext, connection: Connection, tournament_id: str, changes: int
) -> Tournament:
    found = tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
    if found is None or found.changes != changes:
        raise OutdatedAction
    return load_tournament(context, connection, found)


def _expect_room(
    connection: Connection, player: Player, seats: int, taken: int, fill_level: str | None
) -> None:
    coming, with_bots = games_of_tournament(seats, taken, fill_level)
    ahead, ahead_with_bots = games_ahead(connection, player.id)
    have = ahead + game_queries.count_unfinished(connection, player.id)
    if have + coming > MAX_UNFINISHED_GAMES:
        raise TournamentRefused(
            message(
                "It may bring you {coming} games. You have {have} that have not ended or that "
                "other tournaments may bring, and {most} are the most",
                coming=coming,
                have=have,
                most=MAX_UNFINISHED_GAMES,
            )
        )
    have = ahead_with_bots + game_queries.count_unfinished(connection, player.id, against_bots=True)
    if with_bots and have + with_bots > MAX_UNFINISHED_AGAINST_BOTS:
        raise TournamentRefused(
            message(
                "It may bring you {coming} games against bots. You have {have} that have not ended "
                "or that other tournaments may bring, and {most} are the most",
                coming=with_bots,
                have=have,
                most=MAX_UNFINISHED_AGAINST_BOTS,
            )
        )


def _on_the_hour(moment: datetime) -> datetime:
    hour = moment.replace(minute=0, second=0, microsecond=0)
    return hour if hour == moment else hour + HOUR
