"""The steps of everyone's game that nobody takes: counting votes, leaving games, the next game.

Each step holds the game and reads everything again, so it is done once, whichever process is first.
The key of the moves allows only one nth move, and that of the games only one nth game.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from capsule.db.retrying import retry
from capsule.everyone import queries
from capsule.everyone.model import Score, next_level, side_of, variant_of
from capsule.games.creation import create_game, new_game
from capsule.games.finish import finish
from capsule.games.model import EVENT_VARIANTS, EVERYONES_SEAT, Seat
from capsule.games.moves import make_move
from capsule.games.reading import load_game
from capsule.games.status import Ending, EndReason, GameStatus
from engine import VARIANTS, Side
from engine.bots import levels_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.context import AppContext, Transaction
    from capsule.everyone.model import EveryonesGame


def proceed(context: AppContext) -> None:
    """Do what is due in everyone's game, if anything is."""
    while retry(partial(_take_step, context)):
        pass


def _take_step(context: AppContext) -> bool:
    """Do one step that is due; return whether there was one."""
    with context.database.reading() as connection:
        if not _is_due(context, connection, queries.newest_game(connection)):
            return False
    with context.writing() as transaction:
        newest = queries.newest_game(transaction.connection, to_change=True)
        if not _is_due(context, transaction.connection, newest):
            return False
        if newest is None or not newest.stored.is_running:
            _begin_next(context, transaction.connection, newest)
        else:
            _count_or_leave(transaction, newest)
    return True


def _is_due(context: AppContext, connection: Connection, newest: EveryonesGame | None) -> bool:
    if newest is None or not newest.stored.is_running:
        return not context.clock.doubt
    ballot = queries.ballot_of(connection, newest.stored.id, newest.stored.ply + 1)
    return newest.is_due(ballot, context.clock.deadline_time())


def _count_or_leave(transaction: Transaction, newest: EveryonesGame) -> None:
    """Play the move with the most votes; without votes, end the game as one that was left."""
    connection, stored = transaction.connection, newest.stored
    choices = queries.ballot_of(connection, stored.id, stored.ply + 1).choices
    if choices:
        game = load_game(transaction.context, connection, stored)
        make_move(transaction, game, choices[0].move)
    else:
        finish(connection, stored, stored.ended(Ending.aborted(EndReason.NO_VOTES), newest.left_at))


def _begin_next(context: AppContext, connection: Connection, last: EveryonesGame | None) -> None:
    number, score = (1, Score()) if last is None else (last.number + 1, last.score)
    variant = VARIANTS[variant_of(number)]
    before = queries.game_of_number(connection, number - len(EVENT_VARIANTS))
    level = next_level(tuple(levels_of(variant.key)), before.stored if before else None)
    seats = {side_of(number): EVERYONES_SEAT, side_of(number).other: Seat(bot=level)}
    game = new_game(context, variant, seats[Side.X], seats[Side.O], GameStatus.PLAYING)
    game_id = create_game(connection, replace(game, listed=True))
    queries.add_game(connection, number, game_id, score)
