"""Leaving: a player gives up one tournament, or all games and tournaments at once.

The latter happens to players who are erased or banned. Locks are taken in one order: tournaments
before games, and every game before the first one ends (see `capsule.ratings.update.apply`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.games.deadlines import apply_deadlines, settle
from capsule.games.finish import finish
from capsule.games.status import Ending, EndReason
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments import seat_queries
from capsule.tournaments.reading import load_tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.tournaments.model import Tournament
    from capsule.tournaments.seat import TournamentSeat


def end_games(
    context: AppContext, connection: Connection, player: Player, reason: EndReason
) -> Sequence[StoredGame]:
    """End the games of a player who may no longer play for a reason; return them as ended.

    Each is won by the opponent, or aborted if it has hardly begun. Challenges that wait for the
    player's answer are aborted too, and the player leaves every tournament. Games and
    tournaments of absent variants are no exception.
    """
    tournaments = tournament_queries.lock_tournaments_of_player(connection, player.id)
    ids = game_queries.all_unfinished_ids(connection, player.id)
    game_queries.games_with(connection, ids, to_change=True)
    for tournament in tournaments:
        withdraw(context, connection, load_tournament(context, connection, tournament), player)
    # Leaving the tournaments has ended some of them.
    _end_all(context, connection, game_queries.games_with(connection, ids), player, reason)
    return game_queries.games_with(connection, ids)


def _end_all(
    context: AppContext,
    connection: Connection,
    games: Sequence[StoredGame],
    player: Player,
    reason: EndReason = EndReason.ABORTED,
) -> None:
    """End those of a player's games that run; the transaction holds them."""
    for stored, game in zip(games, apply_deadlines(context, connection, games), strict=True):
        if game.is_running:
            ending = _ending(stored, player, reason)
            finish(connection, stored, stored.ended(ending, context.clock()))
        else:
            # Its time ran out, which nobody may have stored yet.
            settle(connection, stored, game)


def call_off_games(context: AppContext, connection: Connection, tournament: Tournament) -> None:
    """Abort the running games of a tournament, in a transaction that has locked it."""
    ids = [game.id for game in tournament.games]
    games = game_queries.games_with(connection, ids, to_change=True)
    for stored, game in zip(games, apply_deadlines(context, connection, games), strict=True):
        if game.is_running:
            ending = Ending.aborted(EndReason.CANCELLED)
            finish(connection, stored, stored.ended(ending, context.clock()))
        else:
            settle(connection, stored, game)


def _ending(game: StoredGame, player: Player, reason: EndReason) -> Ending:
    side = game.side_of(player.id)
    if side is None or not game.is_playing or game.is_solo or game.can_be_aborted:
        return Ending.aborted(reason, side or game.reserved_side)
    return Ending.resignation(side)


def withdraw(
    context: AppContext, connection: Connection, tournament: Tournament, player: Player
) -> None:
    """Take a player out of a tournament that is not over, in a transaction that has locked it.

    Before the start the seat is free again. Afterwards the player loses the running games, and the
    results count only if at least half of the games had ended.
    """
    seat = tournament.seat_of(player)
    stored = tournament.stored
    if seat is None or not (stored.is_announced or stored.is_playing):
        return
    if stored.is_announced:
        seat_queries.remove_seat(connection, stored.id, seat.number)
    else:
        _give_up(context, connection, tournament, player, seat)
    tournament_queries.count_change(connection, stored.id)


def _give_up(
    context: AppContext,
    connection: Connection,
    tournament: Tournament,
    player: Player,
    seat: TournamentSeat,
) -> None:
    own = [game.id for game in tournament.games if game.has_player(player.id)]
    games = game_queries.games_with(connection, own, to_change=True)
    ended = sum(not game.is_running for game in apply_deadlines(context, connection, games))
    seat_queries.leave_seat(
        connection,
        tournament.stored.id,
        seat.number,
        left_at=tournament.now,
        results_count=2 * ended >= len(games),
    )
    _end_all(context, connection, games, player)
