"""Announcing, joining, starting, leaving and cancelling tournaments.

Each use case holds the tournament: the last player to join and the sweep cannot both start it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.relation_queries import blocked_ids
from capsule.errors import OutdatedAction, OverLimit
from capsule.games import quota_queries
from capsule.games.clock import DAY, HOUR
from capsule.games.creation import new_id
from capsule.games.quota import (
    MAX_UNFINISHED_AGAINST_BOTS,
    games_ahead,
    games_of_tournament,
    max_unfinished,
)
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments import seat_queries
from capsule.tournaments.model import StoredTournament, TournamentStatus
from capsule.tournaments.reading import load_tournament
from capsule.tournaments.seat import TournamentSeat
from capsule.tournaments.start import free_number, start
from capsule.tournaments.withdrawal import withdraw
from capsule.ui.time_zones import local_time
from capsule.ui.user_text import clean_line
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.tournaments.model import Tournament
    from capsule.tournaments.terms import TournamentTerms


MAX_ANNOUNCED = 3
"""The number of tournaments yet to start that a player may have announced."""

MAX_TITLE_LENGTH = 60
"""The greatest length of a tournament's title."""


class TournamentRefused(OverLimit):
    """A tournament that the player cannot announce or join; `message` says why."""


def clean_title(typed: str) -> str:
    """Return a typed title as pages show it, on one line.

    Raises `capsule.ui.user_text.TextRefused` if it is empty or too long.
    """
    return clean_line(typed, MAX_TITLE_LENGTH)


def announce(transaction: Transaction, player: Player, terms: TournamentTerms, title: str) -> str:
    """Announce a tournament, give the player its first seat, and return its id.

    If its terms say so, it starts at once.

    Raises:
        TextRefused: The title is empty or too long.
        TournamentRefused: The player is muted, has announced too many tournaments, or may not have
            as many games as this one brings.
    """
    title = clean_title(title)
    context, connection, now = transaction.context, transaction.connection, transaction.now
    require_may_announce(connection, player, terms, now)
    tournament = StoredTournament(
        id=new_id(context),
        variant=VARIANTS[terms.variant],
        title=title,
        announced_by=player.id,
        announcer=player.name,
        days_per_move=terms.days_per_move,
        rated=terms.rated,
        seat_count=terms.seats,
        fill_level=terms.fill_level,
        starts_at=_starts_at(terms, now),
        status=TournamentStatus.ANNOUNCED,
        created_at=now,
    )
    tournament_queries.add_tournament(connection, tournament)
    seat = TournamentSeat(number=1, taken_at=now, player_id=player.id)
    seat_queries.add_seat(connection, tournament.id, seat)
    if terms.starts_at_once:
        start(context, connection, tournament, [seat])
    return tournament.id


def require_may_announce(
    connection: Connection, player: Player, terms: TournamentTerms, now: datetime
) -> None:
    """Raise `TournamentRefused` if a player may not announce a tournament on these terms."""
    _require_voice(player, now)
    if (
        not terms.starts_at_once
        and tournament_queries.count_announced(connection, player.id) >= MAX_ANNOUNCED
    ):
        raise TournamentRefused(
            message(
                "You have announced {count} tournaments that have not started yet, which is the "
                "limit. Wait for one to start, or cancel it",
                count=MAX_ANNOUNCED,
            )
        )
    require_room(connection, player, terms.seats, 1, terms.fill_level)


def join(transaction: Transaction, player: Player, tournament_id: str) -> None:
    """Give the player a seat; the tournament starts when that was the last one.

    Raises `TournamentRefused` if the player would have too many games, or if somebody takes part
    who has blocked the player or is blocked; `OutdatedAction` if there is no seat for them. The
    other use cases raise it, too, where the tournament does not allow the action any more.
    """
    connection = transaction.connection
    tournament = _hold(transaction, tournament_id)
    if not tournament.may_join(player):
        raise OutdatedAction
    blocked = blocked_ids(connection, player.id)
    if any(seat.player_id in blocked for seat in tournament.seats):
        raise TournamentRefused(
            message(
                "You cannot play against one of its players, since one of you has blocked the other"
            )
        )
    stored = tournament.stored
    taken = len(tournament.seats) + 1
    require_room(connection, player, stored.seat_count, taken, stored.fill_level)
    seat = TournamentSeat(
        number=free_number({seat.number for seat in tournament.seats}),
        taken_at=tournament.now,
        player_id=player.id,
        player_name=player.name,
        is_program=player.is_program,
    )
    seat_queries.add_seat(connection, tournament_id, seat)
    tournament_queries.count_change(connection, tournament_id)
    if taken == stored.seat_count:
        seats = sorted([*tournament.seats, seat], key=lambda seat: seat.number)
        start(transaction.context, connection, stored, seats)


def start_now(transaction: Transaction, player: Player, tournament_id: str) -> None:
    """Start a tournament that the player has announced, before its day or before it is full."""
    tournament = _hold(transaction, tournament_id)
    if not tournament.may_start(player):
        raise OutdatedAction
    start(transaction.context, transaction.connection, tournament.stored, tournament.seats)


def leave(transaction: Transaction, player: Player, tournament_id: str) -> None:
    """Take the player out of a tournament.

    Before the start the seat is free again. Afterwards the player loses the games that are still
    running, and the results count only if at least half of the games had ended.
    """
    tournament = _hold(transaction, tournament_id)
    if not tournament.may_leave(player):
        raise OutdatedAction
    withdraw(transaction.context, transaction.connection, tournament, player)


def cancel(transaction: Transaction, player: Player, tournament_id: str) -> None:
    """Call off a tournament that the player has announced, before it starts."""
    tournament = _hold(transaction, tournament_id)
    if not tournament.may_cancel(player):
        raise OutdatedAction
    tournament_queries.end_tournament(
        transaction.connection, tournament_id, TournamentStatus.CANCELLED, tournament.now
    )


def _require_voice(player: Player, now: datetime) -> None:
    """Raise `TournamentRefused` where the operator keeps the player from writing to others."""
    until = player.sanctions.muted_until
    if until is not None and player.is_muted(now):
        raise TournamentRefused(
            message(
                "The operator has muted you until {when}. Until then you cannot announce a "
                "tournament",
                when=local_time(until, player.time_zone),
            )
        )


def _hold(transaction: Transaction, tournament_id: str) -> Tournament:
    """Return a tournament, which nobody else can change until the transaction ends."""
    connection = transaction.connection
    found = tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
    if found is None:
        raise OutdatedAction
    return load_tournament(transaction.context, connection, found)


def require_room(
    connection: Connection, player: Player, seat_count: int, taken: int, fill_level: str | None
) -> None:
    """Raise `TournamentRefused` if a tournament may bring the player too many games."""
    coming, with_bots = games_of_tournament(seat_count, taken, fill_level)
    ahead, ahead_with_bots = games_ahead(connection, player.id)
    have = ahead + quota_queries.count_unfinished(connection, player.id)
    if have + coming > max_unfinished(player):
        raise TournamentRefused(
            message(
                "It may bring you {coming} games. With {have} unfinished already (tournaments "
                "included), that exceeds the limit of {limit}",
                coming=coming,
                have=have,
                limit=max_unfinished(player),
            )
            if ahead
            else message(
                "It may bring you {coming} games. With {have} unfinished already, that exceeds the "
                "limit of {limit}",
                coming=coming,
                have=have,
                limit=max_unfinished(player),
            )
        )
    have = ahead_with_bots + quota_queries.count_unfinished(
        connection, player.id, against_bots=True
    )
    if with_bots and have + with_bots > MAX_UNFINISHED_AGAINST_BOTS:
        raise TournamentRefused(
            message(
                "It may bring you {coming} games against bots. With {have} unfinished already "
                "(tournaments included), that exceeds the limit of {limit}",
                coming=with_bots,
                have=have,
                limit=MAX_UNFINISHED_AGAINST_BOTS,
            )
            if ahead_with_bots
            else message(
                "It may bring you {coming} games against bots. With {have} unfinished already, "
                "that exceeds the limit of {limit}",
                coming=with_bots,
                have=have,
                limit=MAX_UNFINISHED_AGAINST_BOTS,
            )
        )


def _starts_at(terms: TournamentTerms, now: datetime) -> datetime | None:
    if terms.starts_at_once:
        return now
    return None if terms.starts_in is None else _on_the_hour(now + terms.starts_in * DAY)


def _on_the_hour(moment: datetime) -> datetime:
    """Return the next full hour, or the time itself if it is one."""
    hour = moment.replace(minute=0, second=0, microsecond=0)
    return hour if hour == moment else hour + HOUR
