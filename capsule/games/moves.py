"""Making moves, and playing the answers that players have planned."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction, Refused
from capsule.games import queries as game_queries
from capsule.games.conditional_moves import take_answer
from capsule.games.finish import finish
from capsule.games.game import MAX_RECENT_MOVES, Game
from capsule.games.model import StoredMove
from capsule.games.replay_cache import Replayed
from capsule.games.status import Ending
from engine import MoveError

if TYPE_CHECKING:
    from capsule.context import AppContext, Transaction
    from capsule.games.point_of_view import PointOfView


class MoveRefused(Refused):
    """A move that cannot be played; `message` says why."""


def move(transaction: Transaction, view: PointOfView, text: str) -> Game:
    """Play the move that the player typed and any planned answers; return the resulting game.

    The transaction holds the game. Raises `MoveRefused` if the move cannot be played, and
    `OutdatedAction` if it is not the player's turn.
    """
    if not view.is_turn:
        raise OutdatedAction
    game = view.game
    try:
        notation = game.position.parse(text)
    except MoveError as error:
        raise MoveRefused(error.message) from error
    game = make_move(transaction, game, notation)
    while (answer := take_answer(transaction.connection, game, notation)) is not None:
        notation = answer
        game = make_move(transaction, game, notation, planned=True)
    return game


def make_move(transaction: Transaction, game: Game, move: str, *, planned: bool = False) -> Game:
    """Store a legal move, given in canonical notation, and return the resulting game.

    The transaction holds the game. A `planned` move was typed in advance. Once the move is stored,
    its position is cached, to spare the game's page the replay.
    """
    connection, now = transaction.connection, transaction.now
    stored = game.stored
    position = game.position.play(move)
    is_same_turn = game.last_move is not None and game.last_move.side is game.position.turn
    stored_move = StoredMove(
        ply=game.ply + 1,
        side=game.position.turn,
        move=move,
        played_at=now,
        # Sets the move apart from moves of the same number that were taken back.
        takebacks=stored.turn_counter - game.ply,
        planned=planned,
    )
    game_queries.add_move(connection, stored.id, stored_move)
    moved = replace(
        stored,
        ply=stored_move.ply,
        turn=position.turn,
        draw_offered_by=None,
        takeback_asked_by=None,
        moved_at=now,
        bot_to_move=stored.seat(position.turn).bot is not None,
    )
    if position.outcome is None and moved.is_drawn_by_length:
        is_of_cup = stored.ends_by is not None
        ending = Ending.by_terms(game.variant) if is_of_cup else Ending.agreement(game.variant)
        after = finish(connection, stored, moved.ended(ending, now))
    elif position.outcome is None:
        after = replace(moved, turn_counter=stored.turn_counter + 1)
        game_queries.save_changes(connection, stored, after)
    else:
        ending = Ending.by_rules(position.outcome)
        after = finish(connection, stored, moved.ended(ending, now))
    moved_game = replace(
        game,
        stored=after,
        position=position,
        ply=stored_move.ply,
        recent=(*game.recent, stored_move)[-MAX_RECENT_MOVES:],
        before_turn=game.before_turn if is_same_turn else game.position,
    )
    transaction.after_commit(partial(_cache_position, transaction.context, moved_game))
    return moved_game


def _cache_position(context: AppContext, game: Game) -> None:
    replayed = Replayed(game.position, game.recent, game.before_turn)
    context.replays.put(game.id, game.stored.turn_counter, replayed)
