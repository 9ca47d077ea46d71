"""The engine's opinion of a board: its value, exact if that is known, and the best move.

It may take a bot some seconds, so nobody is given one who waits for another. Boards that take long
to read and to judge have none.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.boards.pages.addressed import board_at
from capsule.boards.reading import moves_to
from capsule.bots.opinions import TooManyAsk
from capsule.context import reading
from capsule.gemini.types import Response, Wait
from capsule.ui import responses
from engine.bots.analysis import verdict_of

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.boards.model import Board
    from capsule.bots.service import Hint
    from capsule.context import Transaction
    from capsule.gemini.types import Request

OPINION_SECONDS = 5
"""Seconds after which somebody who waits for an opinion already may ask for another."""

MAX_MOVES, MAX_SIZE = 400, 41
"""The moves to a board, and the cells along a side of a grid, up to which there are opinions."""


@reading
def opinion(transaction: Transaction, request: Request, variant: str, line: str) -> Response | Wait:
    """Return the page of the engine's opinion of a board.

    A game that is over needs no opinion. There is none of a game that is being played, and none for
    programs, which may be playing it.
    """
    visitor, context = identity.visitor_of(transaction, request), transaction.context
    board = board_at(transaction, visitor.preferences, variant, line)
    if isinstance(board, Response):
        return board
    if board.position.outcome is not None:
        return responses.redirect(board.address)
    without = _page_without(visitor, board)
    if without is not None:
        return without
    kept = context.opinions.find(board.position)
    if kept is not None:
        return _page(visitor, board, kept)
    player = visitor.player
    too_many = responses.slow_down(OPINION_SECONDS)

    def ask() -> Response:
        player_id = None if player is None else player.id
        moves = partial(reading(moves_to), context, board)
        try:
            found = context.opinions.ask(context.bots, board.position, moves, player_id)
        except TooManyAsk:
            return too_many
        return _page(visitor, board, found)

    owner = ("board", request.address_key) if player is None else player.id
    return Wait(owner, ask, fallback=too_many)


def _page_without(visitor: Visitor, board: Board) -> Response | None:
    """Return the page that says why there is no opinion of a board, None if there may be one."""
    is_program = visitor.player is not None and visitor.player.is_program
    if is_program or (board.game is not None and board.game.is_running):
        return responses.page(visitor.preferences, "boards/no_opinion.gmi", board=board)
    if board.ply <= MAX_MOVES and board.position.size <= MAX_SIZE:
        return None
    return responses.page(
        visitor.preferences,
        "boards/too_large.gmi",
        board=board,
        max_moves=MAX_MOVES,
        max_size=MAX_SIZE,
    )


def _page(visitor: Visitor, board: Board, found: Hint | None) -> Response:
    """Return the page of an opinion, None if no bot had time for one."""
    verdict = None
    if found is not None:
        verdict = verdict_of(
            board.variant, board.position.turn, found.win_probability, is_exact=found.is_exact
        )
    return responses.page(
        visitor.preferences, "boards/opinion.gmi", board=board, opinion=found, verdict=verdict
    )
