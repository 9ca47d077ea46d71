"""Reading a board from its address: its moves, and the game in which they begin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capsule.boards.model import Board, BrokenLine, GameAtPly, follow
from capsule.errors import NotFound
from capsule.games import reading
from engine import VARIANTS, InvalidMove

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.context import Transaction

_BEGINNING = re.compile(r"~([a-z2-7]{10})\.(0|[1-9][0-9]{0,6})")


def read_board(transaction: Transaction, variant: str, line: str) -> Board | BrokenLine:
    """Return the board of a variant at the address that ends in `line`, or where its moves fail.

    Raises `NotFound` if a move cannot be read, or there is no such game or position.
    """
    texts = line.split(",") if line else []
    game = _BEGINNING.fullmatch(texts[0]) if texts else None
    if game is None:
        board = Board(VARIANTS[variant], VARIANTS[variant].start)
    else:
        board = _board_of_game(transaction, variant, game[1], int(game[2]))
        del texts[0]
    try:
        return follow(board, texts)
    except InvalidMove:
        raise NotFound from None


def moves_to(transaction: Transaction, board: Board) -> Sequence[str]:
    """Return all moves that lead to a board from the start."""
    if board.game is None:
        return board.line
    game = reading.game_at(transaction, board.game.game_id, board.game.ply)
    if game is None:
        raise NotFound
    return [*(each.move for each in reading.all_moves(transaction, game)), *board.line]


def _board_of_game(transaction: Transaction, variant: str, game_id: str, ply: int) -> Board:
    """Return the board of a game, as anyone who has its address may see it."""
    game = reading.game_at(transaction, game_id, ply)
    if game is None or game.variant.key != variant:
        raise NotFound
    return Board(game.variant, game.position, (), GameAtPly(game_id, ply, game.is_running))
