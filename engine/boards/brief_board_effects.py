"""The effect of a move of ultimate or extreme, in a few words that fit a narrow screen.

They leave out what can be seen on the board. About the board that the opponent is sent to they say
only whether it can be taken: then it is given.
"""

from engine.boards.grid import HAS_LINE, PLACES
from engine.boards.local_board_effects import (
    allowed_boards,
    boards_of,
    completes,
    marks_of,
    threatened,
    where,
)
from engine.boards.local_boards_state import LocalBoardsState
from engine.messages import Message, in_context


def brief_effect(position: LocalBoardsState, move: str) -> Message:
    """Return what a legal move does, as "blocks, O to top left" or "gives O centre".

    It is the end of a line that begins with the move, and has no final period.
    """
    after = position.play(move)
    if after.outcome is not None:
        if after.outcome.winner is None:
            return in_context("what a move does, in brief", "ends in a draw")
        return in_context("what a move does, in brief", "wins the game")
    deed = _deed(position, after)
    if deed is not None and after.turn is position.turn:
        # Translators: a few words after the move: “e5: blocks, O to top left”. {deed} and {sending}
        # are such words, too.
        return in_context("what a move does, in brief", "{deed}, bonus move", deed=deed)
    sending = _sending(after)
    if deed is None:
        return sending
    return in_context("what a move does, in brief", "{deed}, {sending}", deed=deed, sending=sending)


def _deed(position: LocalBoardsState, after: LocalBoardsState) -> Message | None:
    """Return what the mark does in its own board; None if that is nothing much."""
    side, opponent = position.turn, position.turn.other
    board, place = where(position, after)
    if boards_of(after, side) >> board & 1:
        return in_context("what a move does, in brief", "takes it")
    if HAS_LINE[marks_of(position, opponent, board) | 1 << place]:
        return in_context("what a move does, in brief", "blocks")
    if after.closed >> board & 1:
        return in_context("what a move does, in brief", "fills it")
    return None


def _sending(after: LocalBoardsState) -> Message:
    """Return where the opponent may play."""
    opponent = after.turn
    boards = allowed_boards(after)
    theirs = threatened(after, opponent, boards)
    if any(completes(boards_of(after, opponent), board) for board in theirs):
        return in_context("what a move does, in brief", "lets {side} win", side=opponent)
    if len({board % 9 for board in boards}) > 1:
        if theirs:
            return in_context(
                "what a move does, in brief", "lets {side} take a board", side=opponent
            )
        return in_context("what a move does, in brief", "lets {side} choose", side=opponent)
    place = PLACES[boards[0] % 9]
    if theirs:
        # Translators: the move sends {side} to a small board that {side} can win: {place} is “top
        # left” and so on.
        return in_context(
            "what a move does, in brief", "gives {side} {place}", side=opponent, place=place
        )
    # Translators: the move sends {side} to a small board: {place} is “top left” and so on.
    return in_context("what a move does, in brief", "{side} to {place}", side=opponent, place=place)
