"""Hints to puzzles of ultimate and extreme, and explanations of why a wrong move is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.boards.grid import FULL, HAS_LINE, LINE_MASKS
from engine.boards.local_board_effects import boards_of, marks_of, where
from engine.boards.local_boards import LocalBoardsPosition
from engine.game import Message, Side, message
from engine.puzzles.model import Refutation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Position
    from engine.puzzles.model import Puzzle

_LINES: tuple[Message, ...] = (
    message("the top row"),
    message("the middle row"),
    message("the bottom row"),
    message("the left column"),
    message("the middle column"),
    message("the right column"),
    message("the diagonal from the top left"),
    message("the diagonal from the top right"),
)
"""The names of the lines of `engine.boards.grid.LINES` on a big board."""


def refutation_in_words(position: Position, move: str, line: Sequence[str]) -> Refutation:
    """Return why `move`, a legal one, is wrong; `line` goes on from it.

    The line is empty if the move itself ends the game. If the move earns a bonus move, the
    line begins with that one, which does not help either.
    """
    after = LocalBoardsPosition.of(position).play(move)
    made = message("{move}", move=move)
    if after.outcome is None and after.turn is position.turn:
        made = message("{move} with {bonus} as its bonus move", move=move, bonus=line[0])
        after = after.play(line[0])
        replies = line[1:]
    else:
        replies = line
    if after.outcome is not None:
        sentence = message(
            "{made} ends the game in a draw: {reason}.", made=made, reason=after.outcome.reason
        )
    else:
        sentence = _refuted(after, made, replies)
    return Refutation(move, tuple(line), sentence)


def _refuted(after: LocalBoardsPosition, made: Message, line: Sequence[str]) -> Message:
    """Return the sentence for a line that begins with the opponent's reply."""
    positions = [after]
    for reply in line:
        positions.append(positions[-1].play(reply))
    side, last = after.turn, positions[-1].outcome
    if last is not None and last.winner is side:
        return _lost(positions, made, line)
    return message(
        "{made} lets the win slip: {side}'s reply {reply} {effect}. After that, you can no longer "
        "force three in a row.",
        made=made,
        side=side,
        reply=line[0],
        effect=after.effect(line[0]),
    )


def _lost(positions: Sequence[LocalBoardsPosition], made: Message, line: Sequence[str]) -> Message:
    """Return the sentence for a line by which the opponent wins."""
    side = positions[0].turn
    won = _line_won(positions[-2], positions[-1], side)
    values: dict[str, object] = {"made": made, "side": side, "reply": line[0], "won": won}
    if len(line) == 1:
        return message("{made} lets {side} reply {reply}, which {won}, and the game.", **values)
    values |= {"effect": positions[0].effect(line[0]), "last": line[-1]}
    if all(position.turn is side for position in positions[:-1]):
        return message(
            "{made} loses: {side}'s reply {reply} {effect}. With it, {last} {won}, and the game.",
            **values,
        )
    return message(
        "{made} loses: {side}'s reply {reply} {effect}. After that, {side} wins whatever you play; "
        "in this line, {last} {won}.",
        **values,
    )


def _line_won(before: LocalBoardsPosition, after: LocalBoardsPosition, side: Side) -> Message:
    """Return what the last move won: a local board, and with it a line."""
    own_before, own = (
        (each.x_boards if side is Side.X else each.o_boards) for each in (before, after)
    )
    board = (own_before ^ own).bit_length() - 1
    big = board // 9 * 9
    line = next(
        name
        for name, mask in zip(_LINES, LINE_MASKS, strict=True)
        if own >> big & FULL & mask == mask
    )
    return message("wins the {board} and with it {line}", board=before.board_name(board), line=line)


def idea_in_words(puzzle: Puzzle, position: LocalBoardsPosition) -> Message:
    """Return a first hint: what the right move does, or what to ask of each move."""
    other = position.turn.other
    after = position.play(puzzle.solutions[0])
    if after.outcome is not None:
        return message("You need one small board more for three in a row.")
    board, place = where(position, after)
    if after.turn is position.turn:
        return message("The right move wins a small board. The bonus move decides.")
    if boards_of(after, position.turn) >> board & 1:
        return message("The right move wins a small board.")
    if HAS_LINE[marks_of(position, other, board) | 1 << place]:
        return message("The right move keeps {other} from a small board.", other=other)
    return message(
        "Ask of each move where it sends {other}, and what {other} can win there.", other=other
    )


def area_in_words(puzzle: Puzzle, position: LocalBoardsPosition) -> Message:
    """Return a second hint: the small board of the right move, or its row in the only board."""
    board, place = where(position, position.play(puzzle.solutions[0]))
    if position.allowed != 1 << board:
        return message("The right move is in the {board}.", board=position.board_name(board))
    return _ROWS[place // 3]


_ROWS: tuple[Message, ...] = (
    message("The right cell is in the top row of the small board."),
    message("The right cell is in the middle row of the small board."),
    message("The right cell is in the bottom row of the small board."),
)
