"""Reading games: one game at its latest or an earlier move, and lists of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction
from capsule.games import list_queries
from capsule.games import queries as game_queries
from capsule.games.deadlines import (
    running_clock,
    vacations_in,
    with_deadlines_applied,
)
from capsule.games.game import MAX_RECENT_MOVES, Game
from capsule.games.point_of_view import view_of
from capsule.games.replay_cache import Replayed, replay, replay_all, require_short
from capsule.games.status import OVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext, Transaction
    from capsule.games.clock import Vacations
    from capsule.games.model import StoredGame, StoredMove
    from capsule.games.point_of_view import PointOfView


MAX_ENDED = 20
"""The number of ended games that a player is shown."""


def find_game(context: AppContext, game_id: str, ply: int | None = None) -> Game | None:
    """Return a game as `game_at` does, in a transaction for this alone."""
    with context.reading() as transaction:
        return game_at(transaction, game_id, ply)


def game_at(transaction: Transaction, game_id: str, ply: int | None = None) -> Game | None:
    """Return the game as it is now or after its first `ply` moves; None if there is none."""
    game = game_queries.game_by_id(transaction.connection, game_id)
    if game is None or (ply is not None and ply > game.ply):
        return None
    return load_game(transaction.context, transaction.connection, game, ply)


def find_stored(context: AppContext, game_id: str) -> StoredGame | None:
    """Return the game as it is stored, whatever its clock says; None if there is none."""
    with context.database.reading() as connection:
        return game_queries.game_by_id(connection, game_id)


def all_moves(transaction: Transaction, game: Game) -> Sequence[StoredMove]:
    """Return every move of the game up to `game.ply`."""
    return game_queries.moves_of(transaction.connection, game.stored.id, up_to=game.ply)


def moves_between(
    transaction: Transaction, game: Game, first: int, last: int
) -> Sequence[StoredMove]:
    """Return the game's moves from number `first` to number `last`, both included."""
    return game_queries.moves_of(
        transaction.connection, game.stored.id, after=first - 1, up_to=last
    )


def ended_games_of(connection: Connection, player: Player) -> Sequence[StoredGame]:
    """Return the games of a player that ended last, up to `MAX_ENDED`."""
    return list_queries.games_of_player(connection, player.id, OVER, MAX_ENDED)


def load_game(
    context: AppContext, connection: Connection, stored: StoredGame, ply: int | None = None
) -> Game:
    """Return a stored game as it is now, after all of its moves or the first `ply` of them.

    Raises `WouldBlock` where others wait, if it takes too long to replay or to show.
    """
    last = stored.ply if ply is None else ply
    require_short(last)
    vacations = vacations_in(connection, [stored])
    stored = with_deadlines_applied(stored, vacations, context.clock.deadline_time())

    def replay_moves() -> Replayed:
        return replay(context.replays, connection, stored, last, MAX_RECENT_MOVES)

    replayed = (
        context.replays.get(stored.id, stored.turn_counter, replay_moves)
        if last == stored.ply
        else replay_moves()
    )
    return _game(context, stored, last, replayed, vacations)


def load_games(transaction: Transaction, stored: Sequence[StoredGame]) -> Sequence[Game]:
    """Return stored games as they are now, as `load_game` does, with as few statements as one.

    Raises `WouldBlock` as `load_game` does.
    """
    context, connection = transaction.context, transaction.connection
    for game in stored:
        require_short(game.ply)
    vacations, now = vacations_in(connection, stored), context.clock.deadline_time()
    current = [with_deadlines_applied(game, vacations, now) for game in stored]
    replayed = replay_all(context.replays, connection, current, MAX_RECENT_MOVES)
    return [
        _game(context, game, game.ply, known, vacations)
        for game, known in zip(current, replayed, strict=True)
    ]


def _game(
    context: AppContext, stored: StoredGame, ply: int, replayed: Replayed, vacations: Vacations
) -> Game:
    return Game(
        stored=stored,
        position=replayed.position,
        ply=ply,
        recent=replayed.recent,
        now=context.clock(),
        clock=running_clock(context, stored, vacations),
        vacations=vacations,
        before_turn=replayed.before_turn,
    )


def hold_at_turn(transaction: Transaction, game_id: str, turn_counter: int) -> Game:
    """Return a running game, which nobody else can change until the transaction ends.

    Raises `OutdatedAction` if it has ended, or if its turn counter is not `turn_counter` any more.
    """
    stored = game_queries.game_by_id(transaction.connection, game_id, to_change=True)
    if stored is None or stored.turn_counter != turn_counter:
        raise OutdatedAction
    return load_running(transaction, stored)


def load_running(transaction: Transaction, stored: StoredGame) -> Game:
    """Return a stored game as it is now; raises `OutdatedAction` if it is over."""
    game = load_game(transaction.context, transaction.connection, stored)
    if not game.is_running:
        raise OutdatedAction
    return game


def require_view(game: Game, player: Player | None) -> PointOfView:
    """Return a game from the player's seat; raises `OutdatedAction` if they have none."""
    view = view_of(game, player)
    if not view.is_seated:
        raise OutdatedAction
    return view
