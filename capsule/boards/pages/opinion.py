"""The engine's opinion of a board: its value, exact if that is known, and the best move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.boards import reading
from capsule.bots.opinions import TooManyAsk
from capsule.gemini.types import Response, Wait
from capsule.ui import responses
from engine.bots.analysis import verdict_of

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.boards.model import Board
    from capsule.bots.service import Hint
    from capsule.context import AppContext
    from capsule.gemini.types import Request

OPINION_SECONDS = 5
"""Seconds after which somebody who waits for an opinion already may ask for another."""


def opinion(
    context: AppContext, request: Request, visitor: Visitor, board: Board
) -> Response | Wait:
    """Return the page of the engine's opinion of a board, which may take a bot some seconds.

    A game that is over needs no opinion. There is none of a game that is being played, and none for
    programs, which may be playing it.
    """
    if board.position.outcome is not None:
        return responses.redirect(board.address)
    is_program = visitor.player is not None and visitor.player.is_program
    if is_program or (board.game is not None and board.game.is_running):
        return responses.page(visitor.preferences, "boards/no_opinion.gmi", board=board)
    moves = reading.moves_to(context, board)
    kept = context.opinions.find(board.variant, moves)
    if kept is not None:
        return _page(visitor, board, kept)
    player = visitor.player
    too_many = responses.slow_down(OPINION_SECONDS)

    def ask() -> Response:
        player_id = None if player is None else player.id
        try:
            found = context.opinions.ask(context.bots, board.variant, moves, player_id)
        except TooManyAsk:
            return too_many
        return _page(visitor, board, found)

    owner = ("board", request.address_key) if player is None else player.id
    return Wait(owner, ask, otherwise=too_many)


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
