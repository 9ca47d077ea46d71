"""Offers between opponents, and endings by a player's decision: draws, takebacks, resignations."""

from dataclasses import replace

import sqlalchemy as sa

from capsule.context import Transaction
from capsule.errors import OutdatedAction, Refused
from capsule.games import finish, queries
from capsule.games.game import Game
from capsule.games.model import Ending, EndReason, StoredGame
from capsule.games.point_of_view import PointOfView
from engine import Side, message


def offer_draw(transaction: Transaction, view: PointOfView) -> StoredGame:
    """Offer a draw, which lapses with the next move, and return the game.

    It ends in a draw if the opponent has offered one.
    """
    if view.may_answer_draw:
        return finish.end(transaction.connection, view.game, Ending.agreement(view.game.variant))
    if not view.may_offer_draw:
        raise OutdatedAction
    return make_draw_offer(transaction.connection, view.game, view.side).stored


def answer_draw(transaction: Transaction, view: PointOfView, *, accepts: bool) -> None:
    """End the game in the draw that the opponent has offered, or decline it."""
    connection, stored = transaction.connection, view.game.stored
    if not view.may_answer_draw:
        raise OutdatedAction
    if accepts:
        finish.end(connection, view.game, Ending.agreement(view.game.variant))
    else:
        queries.save_changes(connection, stored, replace(stored, draw_offered_by=None))


def answer_draw_as_bot(transaction: Transaction, game: Game, *, accepts: bool) -> None:
    """Accept or decline, for a bot, the draw that its opponent has offered.

    Raises `OutdatedAction` if no offer awaits a bot's answer any more.
    """
    side = game.stored.answering_bot
    if side is None:
        raise OutdatedAction
    answer_draw(transaction, PointOfView(game, side), accepts=accepts)


def make_draw_offer(connection: sa.Connection, game: Game, side: Side) -> Game:
    """Offer a draw for a side, which may do so once a turn, and return the game.

    The transaction has locked the game.
    """
    stored = game.stored
    seat = replace(stored.seat(side), draw_offered_at_turn=stored.turn_counter)
    marked = stored.with_seat(side, seat)
    offered = replace(marked, draw_offered_by=side, draw_offered_at=game.now)
    queries.save_changes(connection, stored, offered)
    return replace(game, stored=offered)


def take_back(transaction: Transaction, view: PointOfView) -> None:
    """Take back the player's last move and every move after it, or ask the opponent to agree.

    Bots always agree. A solo player takes back the last move only.
    """
    if not view.may_take_back:
        raise OutdatedAction
    if view.takes_back_at_once:
        _remove_moves(transaction.connection, view.game, view.side_taken_back)
        return
    stored, side = view.game.stored, view.side
    seat = replace(view.seat, takeback_asked_at_turn=stored.turn_counter)
    marked = stored.with_seat(side, seat)
    asked = replace(marked, takeback_asked_by=side, takeback_asked_at=view.game.now)
    queries.save_changes(transaction.connection, stored, asked)


def answer_takeback(transaction: Transaction, view: PointOfView, *, accepts: bool) -> None:
    """Let the opponent take back their last move and every move after it, or decline that."""
    connection, stored = transaction.connection, view.game.stored
    if not view.may_answer_takeback:
        raise OutdatedAction
    if accepts:
        _remove_moves(connection, view.game, view.side.other)
    else:
        queries.save_changes(connection, stored, replace(stored, takeback_asked_by=None))


def _remove_moves(connection: sa.Connection, game: Game, side: Side) -> None:
    """Take back a side's last move and every move after it; that side is to move again."""
    ply = game.ply_of_takeback(side)
    if ply is None:
        raise OutdatedAction
    stored = game.stored
    queries.remove_moves(connection, stored.id, after=ply)
    queries.delete_plans(connection, stored.id)
    after = replace(
        stored,
        ply=ply,
        turn=side,
        turn_counter=stored.turn_counter + 1,
        takebacks=stored.takebacks + 1,
        draw_offered_by=None,
        takeback_asked_by=None,
        moved_at=game.now,
        bot_to_move=False,
    )
    queries.save_changes(connection, stored, after)


def resign(transaction: Transaction, view: PointOfView) -> None:
    """Resign the game to the opponent; in a solo game the side to move resigns.

    Raises `Refused` while the other seat is open.
    """
    if not view.may_resign:
        raise Refused(message("Nobody has the other seat yet. Abort the game instead"))
    finish.end(transaction.connection, view.game, Ending.resignation(view.side))


def claim(transaction: Transaction, view: PointOfView) -> None:
    """Claim the win in a game in which the opponent has run out of time for a move."""
    if not view.may_claim:
        raise OutdatedAction
    finish.end(transaction.connection, view.game, Ending.timeout(view.side.other))


def abort(transaction: Transaction, view: PointOfView) -> None:
    """Abort a game before its second move; nobody wins or loses by it."""
    if not view.game.stored.can_be_aborted:
        raise OutdatedAction
    is_playing = view.game.stored.is_playing
    reason = EndReason.ABORTED if is_playing else EndReason.WITHDRAWN
    finish.end(transaction.connection, view.game, Ending.aborted(reason, view.side))
