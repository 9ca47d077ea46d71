"""Reasons for a move of ultimate or extreme, in the words of the strategy pages.

The effect of a move says what it does and where it sends the opponent. A reason adds why that is
good, by what the opponent could win at once: after this move, and after the others.
"""

from collections.abc import Sequence
from enum import IntEnum

from engine.boards.grid import LINE_MASKS
from engine.boards.local_board_effects import (
    allowed_boards,
    boards_of,
    completes,
    lines_open_to,
    marks_of,
    threatened,
)
from engine.boards.local_boards import LocalBoardsPosition
from engine.game import Position, Side
from engine.messages import Message, in_context, message, plural


class Danger(IntEnum):
    """The most that the side to move can win at once."""

    NOTHING = 0
    BOARD = 1
    GAME = 2


_LETS: dict[Danger, tuple[Message, Message]] = {
    Danger.BOARD: (
        # Translators: a sentence without its full stop, after what the right move does.
        message("Every other move lets {side} win a small board"),
        # Translators: {others} is the number of all other moves, {count} of those that let {side}.
        plural(
            "One other move lets {side} win a small board",
            "{count} of the {others} other moves let {side} win a small board",
        ),
    ),
    Danger.GAME: (
        # Translators: a sentence without its full stop, after what the right move does.
        message("Every other move lets {side} win at once"),
        # Translators: {others} is the number of all other moves, {count} of those that let {side}.
        plural(
            "One other move lets {side} win at once",
            "{count} of the {others} other moves let {side} win at once",
        ),
    ),
}
"""The words for all other moves, and for some of them, that allow as much."""


def reason(position: Position, move: str) -> Message:
    """Return what a legal move does and why that is good, without a final full stop.

    The words continue from the move.
    """
    boards = LocalBoardsPosition.of(position)
    after = boards.play(move)
    effect = boards.effect(move)
    if after.outcome is not None or after.turn is boards.turn:
        return effect
    why = _compared(boards, after, move) or _harmless(after)
    if why is None:
        return effect
    # Translators: {effect} is what a move does, and {why} a sentence that says why that is good.
    # Its full stop follows.
    return in_context("what a move does", "{effect}. {why}", effect=effect, why=why)


def fault(position: Position, move: str, better: str) -> tuple[Message, ...]:
    """Return what a legal move missed, or allows and a `better` one does not, in sentences.

    () if there is nothing so plain.
    """
    boards = LocalBoardsPosition.of(position)
    after = boards.play(move)
    if after.outcome is not None or after.turn is boards.turn:
        return ()
    if _danger(boards) is Danger.GAME:
        best, _ = _taking(boards)
        # Translators: {move} and {best} are moves.
        return (message("{move} misses the win: {best} wins at once.", move=move, best=best),)
    danger = _danger(after)
    if danger <= _allowed(boards.play(better), after.turn):
        return ()
    reply, board = _taking(after)
    values = {"move": move, "side": after.turn, "reply": reply, "board": after.board_name(board)}
    words = (
        # Translators: {move} and {reply} are moves.
        message("After {move}, {side} can win at once with {reply}.")
        if danger is Danger.GAME
        # Translators: {move} and {reply} are moves, {board} is a name such as “top left board”.
        else message("After {move}, {side} can win the {board} with {reply}.")
    )
    return (words.filled(**values),)


def _compared(
    position: LocalBoardsPosition, after: LocalBoardsPosition, move: str
) -> Message | None:
    """Return what other moves allow that this one does not; None if they are no worse."""
    others = [position.play(other) for other in position.legal_moves() if other != move]
    if not others:
        return message("There is no other move")
    allowed = [_allowed(other, after.turn) for other in others]
    own = _danger(after)
    for danger in (Danger.GAME, Danger.BOARD):
        count = sum(each >= danger for each in allowed)
        if own < danger and count:
            every, some = _LETS[danger]
            words = every if count == len(others) else some
            values = {"side": after.turn, "count": count, "others": len(others)}
            return words.filled(**values)
    return None


def _allowed(after: LocalBoardsPosition, opponent: Side) -> Danger:
    """Return what a move allows the opponent, nothing if it ends the game or earns a bonus move."""
    is_theirs = after.outcome is None and after.turn is opponent
    return _danger(after) if is_theirs else Danger.NOTHING


def _danger(position: LocalBoardsPosition) -> Danger:
    boards = _in_danger(position)
    if any(completes(boards_of(position, position.turn), board) for board in boards):
        return Danger.GAME
    return Danger.BOARD if boards else Danger.NOTHING


def _in_danger(position: LocalBoardsPosition) -> Sequence[int]:
    """Return the small boards that the side to move can win at once."""
    return threatened(position, position.turn, allowed_boards(position))


def _taking(position: LocalBoardsPosition) -> tuple[str, int]:
    """Return a move that wins a small board, and the board; if one wins the game, that one.

    `ValueError` if there is none.
    """
    own = boards_of(position, position.turn)
    won = {
        move: (boards_of(position.play(move), position.turn) ^ own).bit_length() - 1
        for move in position.legal_moves()
    }
    taking = {move: board for move, board in won.items() if board >= 0}
    move = max(taking, key=lambda each: completes(own, taking[each]))
    return move, taking[move]


def _harmless(after: LocalBoardsPosition) -> Message | None:
    """Return why the one board that the opponent is sent to is of no use; None for a useful one."""
    side = after.turn
    boards = [board for board in range(after.board_count) if after.allowed >> board & 1]
    if len({board % 9 for board in boards}) != 1:
        return None
    if not any(_can_win(after, each, board) for board in boards for each in (side, side.other)):
        # Translators: the small board where the move sends the opponent. A sentence without its
        # full stop.
        return message("Nobody can win a board there")
    if not any(lines_open_to(after, side, board) for board in boards):
        # Translators: the small board where the move sends {side}. A sentence without its full
        # stop.
        return message("No line that {side} can still make goes through there", side=side)
    if not _in_danger(after):
        # Translators: the small board where the move sends {side}. A sentence without its full
        # stop.
        return message("{side} has no two in a row there", side=side)
    return None


def _can_win(position: LocalBoardsPosition, side: Side, board: int) -> bool:
    theirs = marks_of(position, side.other, board)
    return any(not line & theirs for line in LINE_MASKS)
