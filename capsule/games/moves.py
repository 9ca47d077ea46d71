"""Making moves, and playing the answers that players have planned."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.conditional_moves import take_answer
from capsule.games.finish import finish
from capsule.games.game import MAX_RECENT_MOVES, Game
from capsule.games.model import StoredMove
from capsule.games.point_of_view import view_of
from capsule.games.reading import find_game, load_to_change, require_view
from capsule.games.replay_cache import Replayed
from capsule.games.status import Ending
from engine import MoveError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.action_keys import ActionKey
    from capsule.accounts.model import Player
    from capsule.context import AppContext


def move(context: AppContext, player: Player, game_id: str, key: ActionKey, text: str) -> Game:
    """Play the move that the player typed and any planned answers; return the resulting game.

    The game is read only once, where it is changed, as moves are what players do most.

    Raises the engine's `InvalidMove` or `IllegalMove` if it cannot be played, and `OutdatedAction`
    if it is not the player's turn or the game has changed since `key` was made.
    """
    with context.database.writing() as connection:
        game = load_to_change(context, connection, game_id)
        if not key.fits(game.stored.turn_counter) or not require_view(game, player).is_turn:
            raise OutdatedAction
        notation = game.position.parse(text)
        game = make_move(context, connection, game, notation)
        while (answer := take_answer(connection, game, notation)) is not None:
            notation = answer
            game = make_move(context, connection, game, notation, planned=True)
    cache_position(context, game)
    return game


def is_last_move(
    context: AppContext, player: Player | None, game: Game, turn_counter: int, text: str
) -> bool:
    """Return whether the move that was typed is the player's last, made at that turn counter.

    Planned answers do not count: nobody has typed these.
    """
    side = view_of(game, player).own_side
    typed = (each for each in reversed(game.recent) if not each.planned)
    last = next((each for each in typed if side in {None, each.side}), None)
    if player is None or last is None or last.ply - 1 + last.takebacks != turn_counter:
        return False
    before = find_game(context, game.id, last.ply - 1)
    try:
        return before is not None and before.position.parse(text) == last.move
    except MoveError:
        return False


def make_move(
    context: AppContext, connection: Connection, game: Game, move: str, *, planned: bool = False
) -> Game:
    """Store a legal move, given in canonical notation, and return the resulting game.

    The transaction holds the game. A `planned` move was typed in advance.
    """
    now = context.clock()
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
    return replace(
        game,
        stored=after,
        position=position,
        ply=stored_move.ply,
        recent=(*game.recent, stored_move)[-MAX_RECENT_MOVES:],
        before_turn=game.before_turn if is_same_turn else game.position,
    )


def cache_position(context: AppContext, game: Game) -> None:
    """Cache the position of a game whose move has been stored, to spare its page the replay."""
    replayed = Replayed(game.position, game.recent, game.before_turn)
    context.replays.put(game.id, game.stored.turn_counter, replayed)
