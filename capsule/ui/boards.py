"""Boards that the engine plays and draws: examples that cannot go wrong, and effects of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.render import Block, block, translate
from engine import VARIANTS
from engine.drawing.text import chained, width_beside
from engine.game import message
from engine.style import ASCII

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Position
    from engine.style import Style


MAX_COLUMNS = 64
"""The greatest width of a drawing, in characters."""


def after(variant: str, moves: str = "", count: int | None = None) -> Position:
    """Return the position of a variant after moves separated by spaces.

    With `count`, only that many of them are played, so that a page can show several points of one
    game. Raises the engine's errors if a move cannot be played.
    """
    return VARIANTS[variant].replay(moves.split()[:count])


def board(position: Position, title: str, style: Style = ASCII) -> Block:
    """Return a position's board as a preformatted block; `title` describes it."""
    return block(position.diagram(style), title)


def before_after(position: Position, move: str, style: Style = ASCII) -> Block:
    """Return the boards before and after a move, side by side if the style's columns allow.

    The marks of the move are in brackets. Raises the engine's errors if it cannot be played.
    """
    after = position.play(move).close_up(style, position.marked_by(move))
    return _boards((position.diagram(style), after), move, style)


def last_move(before: Position, move: str, style: Style = ASCII) -> Block:
    """Return the boards before and after the last move of a game, and any stages in between.

    In tinc that is the grid before it grew. The ends of a winning line are marked.
    """
    return _boards(before.stages(move, style), move, style)


def last_move_beside(before: Position, move: str, style: Style = ASCII) -> Block | None:
    """Return the same if the boards fit side by side, else None.

    One below the other they would add nothing to the last of them, in which the move is marked.
    """
    stages = before.stages(move, style)
    if width_beside(stages, style) > style.columns:
        return None
    return _boards(stages, move, style)


def _boards(boards: Iterable[str], move: str, style: Style) -> Block:
    drawing = chained(boards, move, widest=style.columns, style=style)
    return block(
        drawing, translate(message("The board before and after the move {move}", move=move))
    )


SAMPLE_BOARD = "d7 c3 h8 e4 e2 e6 e7 d3 a9 b7 e3 e9 f7 i3 g9 c9".split()
"""A position of ultimate with marks, won boards and open cells, to show how boards are drawn."""

FAMOUS_GAME = ("f1 h2 f6 g8 a4 c2 g4 a3 c9 h8 e6 d8 a6 a8 a5 i8 g6 b8 d6 c8 g5").split()
"""The game of ultimate that its rules page explains; the home page has it until one is played."""
