"""What one player offers the other during a game: a draw, or to take moves back.

An offer does not raise the turn counter: it must not spoil a move that is being typed. So that an
old page cannot answer another offer than the one it shows, each side makes one offer a turn at the
most, of whichever kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.finish import end, ending_of
from capsule.games.plan_queries import drop_plans
from capsule.games.reading import load_for_action
from capsule.games.status import AGREED
from engine import Side

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game


def offer_draw(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Offer a draw, which lapses with the next move; agree where the opponent has offered one."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if game.may_answer_draw(player):
            _agree(connection, game)
            return
        side = game.side_acting_for(player)
        if side is None or not game.may_offer_draw(player):
            raise OutdatedAction
        _offer(connection, game, side, "draw_offered_by")


def accept_draw(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """End the game in the draw that the opponent has offered."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not game.may_answer_draw(player):
            raise OutdatedAction
        _agree(connection, game)


def decline_draw(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Turn down the draw that the opponent has offered."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not game.may_answer_draw(player):
            raise OutdatedAction
        game_queries.change_game(connection, game_id, draw_offered_by=None)


def take_back(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Take the player's last move back, with what came after it, or ask the opponent to agree.

    Bots always agree, and so does who plays alone, where it is just the last move.
    """
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        side = game.side_acting_for(player)
        if side is None or not game.may_take_back(player):
            raise OutdatedAction
        if game.is_solo or game.bot_level is not None:
            _remove_moves(connection, game, game.recent[-1].side if game.is_solo else side.value)
            return
        _offer(connection, game, side, "takeback_asked_by")


def accept_takeback(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Let the opponent's last move be taken back, with what came after it."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not game.may_answer_takeback(player):
            raise OutdatedAction
        _remove_moves(connection, game, game.stored.takeback_asked_by)


def decline_takeback(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Insist on the moves that were made."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not game.may_answer_takeback(player):
            raise OutdatedAction
        game_queries.change_game(connection, game_id, takeback_asked_by=None)


def _offer(connection: Connection, game: Game, side: Side, kind: str) -> None:
    offered_at = "x_offered_at_turn" if side is Side.X else "o_offered_at_turn"
    values = {kind: side.value, offered_at: game.stored.turn_counter}
    game_queries.change_game(connection, game.stored.id, **values)


def _remove_moves(connection: Connection, game: Game, side: str | None) -> None:
    ply = game.ply_of_takeback(side)
    if side is None or ply is None:
        raise OutdatedAction
    game_queries.remove_moves(connection, game.stored.id, after=ply)
    drop_plans(connection, game.stored.id)
    game_queries.change_game(
        connection,
        game.stored.id,
        ply=ply,
        # Whoever made the first of the removed moves makes it anew.
        turn=side,
        turn_counter=game.stored.turn_counter + 1,
        takebacks=game.stored.takebacks + 1,
        draw_offered_by=None,
        takeback_asked_by=None,
        moved_at=game.now,
        bot_to_move=False,
    )


def _agree(connection: Connection, game: Game) -> None:
    end(connection, game, ending_of(AGREED, None, game.variant.draw_points))
