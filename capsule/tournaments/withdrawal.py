"""All that is kept about a player: handed out, and erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import list_queries
from capsule.games import queries as game_queries
from capsule.games.deadlines import settle
from capsule.games.finish import end
from capsule.games.reading import load_game
from capsule.games.status import RUNNING, Ending
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.model import Tournament, load_tournament
from capsule.tournaments.queries import ANNOUNCED, CANCELLED, FINISHED
from capsule.tournaments.queries import PLAYING as TOURNAMENT_PLAYING
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game, StoredGame
    from capsule.tournaments.queries import StoredSeat


UNLIMITED = 1_000_000
"""More games than anybody plays."""


def end_games(context: AppContext, connection: Connection, player: Player) -> Sequence[StoredGame]:
    """End the games of a player who plays no more, and return them as they are then.

    They are given to the opponent, or called off where they have hardly begun; so are the
    challenges that wait for the player's answer. The player's tournaments are left.
    """
    # Tournaments are held before games, as by whoever leaves one, and all games before the first
    # one ends: see `capsule.ratings.update.apply`.
    tournament_ids = hold_all(connection, player)
    running = list_queries.games_of_player(connection, player.id, RUNNING, UNLIMITED)
    asked = list_queries.challenges_to(connection, player.id, UNLIMITED)
    ids = sorted(game.id for game in (*running, *asked))
    for game_id in ids:
        game_queries.game_by_id(connection, game_id, to_change=True)
    leave_all(context, connection, player, tournament_ids)
    for stored in filter(None, [game_queries.game_by_id(connection, game_id) for game_id in ids]):
        game = load_game(context, connection, stored)
        if game.is_running:
            end(connection, game, _ending(game, player))
        else:
            # It has ended by itself, which nobody has stored yet.
            settle(connection, stored, game.stored)
    ended = [game_queries.game_by_id(connection, game_id) for game_id in ids]
    return list(filter(None, ended))


def _ending(game: Game, player: Player) -> Ending:
    view = game.view_of(player)
    stored = game.stored
    if view is None or not stored.is_playing or stored.is_solo or stored.can_be_aborted:
        return Ending.called_off()
    return Ending.resignation(view.side)


def hold_all(connection: Connection, player: Player) -> Sequence[str]:
    """Hold every tournament that a player takes part in and that is not over; return their ids."""
    known = tournament_queries.tournaments_of_player(
        connection, player.id, (ANNOUNCED, TOURNAMENT_PLAYING)
    )
    ids = sorted(each.id for each in known)
    for tournament_id in ids:
        tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
    return ids


def leave_all(
    context: AppContext, connection: Connection, player: Player, tournament_ids: Iterable[str]
) -> None:
    """Take a player who goes, or is shut out, out of tournaments.

    Done in the caller's transaction, which holds them and all games of the player that go on.
    """
    held = [tournament_queries.tournament_by_id(connection, each) for each in tournament_ids]
    for tournament in filter(None, held):
        withdraw(context, connection, load_tournament(context, connection, tournament), player)


def withdraw(
    context: AppContext, connection: Connection, tournament: Tournament, player: Player
) -> None:
    seat = tournament.seat_of(player)
    if seat is None or tournament.stored.status in (FINISHED, CANCELLED):
        return
    if tournament.stored.status == ANNOUNCED:
        tournament_queries.drop_seat(connection, tournament.stored.id, seat.number)
    else:
        _give_up(context, connection, tournament, seat)
    tournament_queries.change_tournament(connection, tournament.stored.id)


def _give_up(
    context: AppContext, connection: Connection, tournament: Tournament, seat: StoredSeat
) -> None:
    own = [
        game.id
        for game in tournament.games
        if seat.player_id in (game.x.player_id, game.o.player_id)
    ]
    games = [load_game(context, connection, game) for game in _hold(connection, own)]
    ended = sum(not game.is_running for game in games)
    tournament_queries.change_seat(
        connection,
        tournament.stored.id,
        seat.number,
        left_at=tournament.now,
        results_count=2 * ended >= len(games),
    )
    for game in games:
        if game.is_running:
            side = Side.X if game.stored.x.player_id == seat.player_id else Side.O
            end(connection, game, Ending.resignation(side))


def _hold(connection: Connection, game_ids: Iterable[str]) -> Sequence[StoredGame]:
    # All are held before the first one ends: see `capsule.ratings.update.apply`.
    held = [
        game_queries.game_by_id(connection, game_id, to_change=True) for game_id in sorted(game_ids)
    ]
    return [game for game in held if game is not None]
