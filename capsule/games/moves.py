"""A game as the capsule knows it: how it stands, who may do what, and how it goes on or ends.

What happens in a transaction is given its connection; each use case opens its own.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import IntegrityError

from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.conditional_moves import answer_to
from capsule.games.finish import ending_of, store_change
from capsule.games.model import MOVES_TOLD, Game
from capsule.games.reading import load_for_action
from capsule.games.replay_cache import Replayed
from capsule.games.status import FINISHED
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


@contextmanager
def one_move() -> Iterator[None]:
    """Raise `OutdatedAction` where another device or process has just made this move."""
    try:
        yield
    except IntegrityError as error:
        raise OutdatedAction from error


def make_move(
    context: AppContext, connection: Connection, game: Game, move: str, *, planned: bool = False
) -> Replayed:
    """Store a legal move of a game and return where it leads, for the cache of replays.

    A `planned` move was typed in advance.
    """
    now = context.clock()
    position = game.position.play(move)
    made = game_queries.StoredMove(
        game.ply + 1,
        game.position.turn.value,
        move,
        now,
        takebacks=game.stored.turn_counter - game.ply,
        planned=planned,
    )
    game_queries.add_move(connection, game.stored.id, made)
    ending: dict[str, Any] = {}
    if position.outcome is not None:
        winner = position.outcome.winner
        ending = ending_of(FINISHED, winner, position.outcome.points) | {"ended_at": now}
    next_bot = game.stored.x_bot if position.turn is Side.X else game.stored.o_bot
    after = replace(
        game.stored,
        ply=game.ply + 1,
        turn=position.turn.value,
        turn_counter=game.stored.turn_counter + 1,
        draw_offered_by=None,
        takeback_asked_by=None,
        moved_at=now,
        bot_to_move=position.outcome is None and next_bot is not None,
        **ending,
    )
    store_change(connection, game.stored, after)
    return Replayed(position, (*game.recent, made)[-MOVES_TOLD:], game.position)


def play(context: AppContext, connection: Connection, game: Game, move: str) -> Game:
    """Make a move and all that players have planned upon it; return the game as it is then."""
    planned = False
    while True:
        replayed = make_move(context, connection, game, move, planned=planned)
        after = game_queries.game_by_id(connection, game.stored.id)
        if after is None:
            raise OutdatedAction
        game = Game(
            after,
            replayed.position,
            after.ply,
            replayed.recent,
            game.now,
            game.vacations,
            replayed.before,
        )
        answer = answer_to(connection, game, move)
        if answer is None:
            return game
        move, planned = answer, True


def move(context: AppContext, player: Player, game_id: str, turn_counter: int, text: str) -> None:
    """Play the move that the player typed, and what has been planned upon it.

    Raises the engine's `InvalidMove` or `IllegalMove` where it cannot be played, and
    `OutdatedAction` where it is not the player's turn or the game has gone on.
    """
    with one_move(), context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not game.is_turn_of(player):
            raise OutdatedAction
        game = play(context, connection, game, game.position.parse(text))
    replayed = Replayed(game.position, game.recent, game.before)
    context.replays.put(game_id, game.stored.turn_counter, replayed)
