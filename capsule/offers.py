"""What one player offers the other: a draw, which they take up or turn down.

An offer does not raise the turn counter: it must not spoil a move that is being typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.game import AGREED, OutdatedAction, end, ending_of, expect
from capsule.store import games as stored
from engine import Side

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.game import Game
    from capsule.site import Site
    from capsule.store.players import Player


def offer_draw(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Offer a draw, which lapses with the next move; agree where the opponent has offered one."""
    with site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        if game.may_answer_draw(player):
            _agree(connection, game)
            return
        side = game.side_acting_for(player)
        if side is None or not game.may_offer_draw(player):
            raise OutdatedAction
        offered_at = "x_offered_at_turn" if side is Side.X else "o_offered_at_turn"
        values = {"draw_offered_by": side.value, offered_at: turn_counter}
        stored.change_game(connection, game_id, **values)


def accept_draw(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """End the game in the draw that the opponent has offered."""
    with site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        if not game.may_answer_draw(player):
            raise OutdatedAction
        _agree(connection, game)


def decline_draw(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Turn down the draw that the opponent has offered."""
    with site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        if not game.may_answer_draw(player):
            raise OutdatedAction
        stored.change_game(connection, game_id, draw_offered_by=None)


def _agree(connection: Connection, game: Game) -> None:
    end(connection, game, ending_of(AGREED, None, game.variant.draw_points))
