"""A player's first game of a variant, whose rules they may not know yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.eligibility_queries import has_met_a_person
from capsule.games.queries import has_decided_game_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.context import Transaction
    from capsule.play.visits import Visit

FIRST_MOVES = 3
"""The moves that a player makes before they know the rules of their first game."""


def is_first_game(connection: Connection, visit: Visit) -> bool:
    """Return whether the visitor is to make one of the first moves of their first game.

    Later moves cost no query.
    """
    player, view, game = visit.visitor.player, visit.view, visit.game
    if player is None or not view.is_turn:
        return False
    made = sum(move.side is view.own_side or game.stored.is_solo for move in game.recent)
    is_past_first_moves = made >= FIRST_MOVES or len(game.recent) < game.stored.plies_played
    return not (is_past_first_moves or has_decided_game_of(connection, player.id, game.variant))


def is_first_against_a_person(transaction: Transaction, visit: Visit) -> bool:
    """Return whether the visitor waits in their first game against a person, and mail is sent.

    Then they may want to be told when it is their turn.
    """
    player, view, stored = visit.visitor.player, visit.view, visit.game.stored
    if not transaction.context.mail_from or player is None or not stored.is_between_people:
        return False
    if not stored.is_playing or not view.is_seated or view.is_turn:
        return False
    return not has_met_a_person(transaction.connection, player.id, visit.game.now)
