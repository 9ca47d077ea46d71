"""Leaving: a player gives up one tournament, or all games and tournaments at once.

The latter happens to players who are erased or banned. Locks are taken in one order: tournaments
before games, and every game before the first one ends (see `capsule.ratings.update.apply`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import list_queries
from capsule.games import queries as game_queries
from capsule.games.deadlines import settle
from capsule.games.finish import end
from capsule.games.point_of_view import view_of
from capsule.games.reading import load_game
from capsule.games.status import RUNNING, Ending
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.reading import load_tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game, StoredGame
    from capsule.tournaments.model import Tournament, TournamentSeat


def end_games(context: AppContext, connection: Connection, player: Player) -> Sequence[StoredGame]:
    """End the games of a player who may no longer play, and return them as they are then.

    Each is won by the opponent, or called off where it has hardly begun. Challenges that wait for
    the player's answer are called off too, and the player leaves every tournament.
    """
    tournament_ids = _hold_tournaments(connection, player)
    running = list_queries.games_of_player(connection, player.id, RUNNING, list_queries.UNLIMITED)
    challenges = list_queries.challenges_to(connection, player.id, list_queries.UNLIMITED)
    game_ids = sorted(game.id for game in (*running, *challenges))
    _hold_games(connection, game_ids)
    _leave_tournaments(context, connection, player, tournament_ids)
    # Leaving the tournaments has ended some of them.
    for stored in _games(connection, game_ids):
        game = load_game(context, connection, stored)
        if game.is_running:
            end(connection, game, _ending(game, player))
        else:
            # Its time ran out, which nobody has stored yet.
            settle(connection, stored, game.stored)
    return _games(connection, game_ids)


def _ending(game: Game, player: Player) -> Ending:
    view = view_of(game, player)
    stored = game.stored
    if not view.is_seated or not stored.is_playing or stored.is_solo or stored.can_be_aborted:
        return Ending.called_off()
    return Ending.resignation(view.side)


def _hold_tournaments(connection: Connection, player: Player) -> Sequence[str]:
    """Lock every tournament that a player takes part in and that is not over; return their ids."""
    found = tournament_queries.tournaments_of_player(connection, player.id)
    ids = sorted(tournament.id for tournament in found)
    for tournament_id in ids:
        tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
    return ids


def _leave_tournaments(
    context: AppContext, connection: Connection, player: Player, tournament_ids: Iterable[str]
) -> None:
    # As they are now that they are locked.
    held = [tournament_queries.tournament_by_id(connection, each) for each in tournament_ids]
    for tournament in filter(None, held):
        withdraw(context, connection, load_tournament(context, connection, tournament), player)


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
        tournament_queries.remove_seat(connection, stored.id, seat.number)
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
    games = [load_game(context, connection, game) for game in _hold_games(connection, own)]
    ended = sum(not game.is_running for game in games)
    tournament_queries.leave_seat(
        connection,
        tournament.stored.id,
        seat.number,
        left_at=tournament.now,
        results_count=2 * ended >= len(games),
    )
    for game in games:
        view = view_of(game, player)
        if view.is_seated and game.is_running:
            end(connection, game, Ending.resignation(view.side))


def _hold_games(connection: Connection, game_ids: Iterable[str]) -> Sequence[StoredGame]:
    """Lock games, in the order of their ids, and return them."""
    held = (
        game_queries.game_by_id(connection, game_id, to_change=True) for game_id in sorted(game_ids)
    )
    return [game for game in held if game is not None]


def _games(connection: Connection, game_ids: Iterable[str]) -> Sequence[StoredGame]:
    found = (game_queries.game_by_id(connection, game_id) for game_id in game_ids)
    return [game for game in found if game is not None]
