"""The effect of a move of ultimate or extreme, in a few words that fit a narrow screen.

They leave out what can be seen on the board. About the board that the opponent is sent to they say
only whether it can be taken: then it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.boards.grid import HAS_LINE, PLACES
from engine.boards.local_board_effects import boards_of, completes, has_threat, marks_of, where
from engine.game import Message, message

if TYPE_CHECKING:
    from engine.boards.local_boards_state import LocalBoardsState


def brief_effect(position: LocalBoardsState, move: str) -> Message:
    """Return what a legal move does, as "blocks, O to top left" or "gives O centre".

    It is the end of a line that begins with the move, and has no final period.
    """
    after = position.play(move)
    if after.outcome is not None:
        wins = after.outcome.winner is not None
        return message("wins the game") if wins else message("ends in a draw")
    deed = _deed(position, after)
    if deed is not None and after.turn is position.turn:
        return message("{deed}, bonus move", deed=deed)
    sending = _sending(after)
    return sending if deed is None else message("{deed}, {sending}", deed=deed, sending=sending)


def _deed(position: LocalBoardsState, after: LocalBoardsState) -> Message | None:
    """Return what the mark does in its own board; None if that is nothing much."""
    side, opponent = position.turn, position.turn.other
    board, place = where(position, after)
    if boards_of(after, side) >> board & 1:
        return message("takes it")
    if HAS_LINE[marks_of(position, opponent, board) | 1 << place]:
        return message("blocks")
    return message("fills it") if after.closed >> board & 1 else None


def _sending(after: LocalBoardsState) -> Message:
    """Return where the opponent may play."""
    opponent = after.turn
    boards = [board for board in range(after.board_count) if after.allowed >> board & 1]
    theirs = [board for board in boards if has_threat(after, opponent, board)]
    if any(completes(boards_of(after, opponent), board) for board in theirs):
        return message("lets {side} win", side=opponent)
    if len({board % 9 for board in boards}) > 1:
        if theirs:
            return message("lets {side} take a board", side=opponent)
        return message("lets {side} choose", side=opponent)
    place = PLACES[boards[0] % 9]
    if theirs:
        return message("gives {side} {place}", side=opponent, place=place)
    return message("{side} to {place}", side=opponent, place=place)
