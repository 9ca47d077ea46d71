"""Hints to puzzles of ultimate and extreme, and explanations of why a wrong move is wrong."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from engine.boards.grid import FULL, HAS_LINE, LINE_MASKS
from engine.boards.local_board_effects import boards_of, marks_of, where
from engine.boards.local_boards import LocalBoardsPosition
from engine.game import Position
from engine.messages import Message, in_context, message
from engine.puzzles.model import Puzzle, Refutation

_LINES: tuple[Message, ...] = (
    # Translators: a line of three small boards that a move wins: “and with it the top row”.
    in_context("a line that is won", "the top row"),
    in_context("a line that is won", "the middle row"),
    in_context("a line that is won", "the bottom row"),
    in_context("a line that is won", "the left column"),
    in_context("a line that is won", "the middle column"),
    in_context("a line that is won", "the right column"),
    in_context("a line that is won", "the diagonal from the top left"),
    in_context("a line that is won", "the diagonal from the top right"),
)
"""The names of the lines of `engine.boards.grid.LINES` on a big board."""


def refutation_in_words(position: Position, move: str, line: Sequence[str]) -> Refutation:
    """Return why `move`, a legal one, is wrong; `line` continues from it.

    The line is empty if the move itself ends the game. If the move earns a bonus move, the
    line begins with that one, which does not help either.
    """
    after = LocalBoardsPosition.of(position).play(move)
    made, replies = [move], [*line]
    if after.outcome is None and after.turn is position.turn:
        made.append(replies.pop(0))
        after = after.play(made[-1])
    return Refutation(move, tuple(line), tuple(_refuted(after, made, replies)))


def _refuted(
    after: LocalBoardsPosition, made: Sequence[str], line: Sequence[str]
) -> Iterator[Message]:
    """Yield the sentences for a wrong move, which a bonus move may follow, and the replies."""
    if after.outcome is not None:
        reason = after.outcome.reason
        yield _with_bonus(_ENDS, made, reason=reason)
        return
    positions = [after]
    for reply in line:
        positions.append(positions[-1].play(reply))
    side, outcome = after.turn, positions[-1].outcome
    is_lost = outcome is not None and outcome.winner is side
    if is_lost and len(line) == 1:
        yield _with_bonus(_LETS, made, side=side, reply=line[0])
        # Translators: {board} is a name such as “top left board”, {line} one such as “the top row”.
        words = message("That wins the {board}, and with it {line}.")
        yield _won(positions, line, words)
        return
    yield _with_bonus(_LOSES if is_lost else _SLIPS, made)
    # Translators: {reply} is a move; {effect} has the context “what a move does”, so its subject is
    # the reply: “O's reply e5 takes the centre board.”
    yield message(
        "{side}'s reply {reply} {effect}.", side=side, reply=line[0], effect=after.effect(line[0])
    )
    if not is_lost:
        yield message("After that you cannot force three in a row.")
    elif all(position.turn is side for position in positions[:-1]):
        # Translators: {last} is a move, {board} a name such as “top left board”, {line} one such as
        # “the top row”.
        words = message("Then {last} wins the {board}, and with it {line}.")
        yield _won(positions, line, words)
    else:
        yield message("After that {side} wins whatever you play.", side=side)
        # Translators: {last} is a move, {board} a name such as “top left board”, {line} one such as
        # “the top row”. “Here” is at the end of the line of moves on the page.
        words = message("Here {last} wins the {board}, and with it {line}.")
        yield _won(positions, line, words)


_Words: TypeAlias = tuple[Message, Message]
"""The words for a move, and those for a move with its bonus move."""

_ENDS: _Words = (
    # Translators: {reason} is a clause with the context “why a game ended”.
    message("{move} ends the game in a draw: {reason}."),
    # Translators: {move} and {bonus} are moves; {reason} has the context “why a game ended”.
    message("{move} with the bonus move {bonus} ends the game in a draw: {reason}."),
)
_LETS: _Words = (
    message("{move} lets {side} reply {reply}."),
    # Translators: {move}, {bonus} and {reply} are moves.
    message("{move}, even with the bonus move {bonus}, lets {side} reply {reply}."),
)
_LOSES: _Words = (
    # Translators: {move} is a move of the solver.
    message("{move} loses."),
    # Translators: {move} and {bonus} are moves of the solver.
    message("{move} loses, even with the bonus move {bonus}."),
)
_SLIPS: _Words = (
    # Translators: {move} is a move of the solver, who could have won.
    message("{move} lets the win slip."),
    # Translators: {move} and {bonus} are moves of the solver, who could have won.
    message("{move} lets the win slip, even with the bonus move {bonus}."),
)


def _with_bonus(words: _Words, made: Sequence[str], **values: object) -> Message:
    """Return the words that fit the moves made, one or two, with their values."""
    return words[len(made) - 1].filled(move=made[0], bonus=made[-1], **values)


def _won(positions: Sequence[LocalBoardsPosition], line: Sequence[str], words: Message) -> Message:
    """Return in words what the last move of a line won: a local board, and with it a line."""
    before, after = positions[-2:]
    own = boards_of(after, before.turn)
    board = (own ^ boards_of(before, before.turn)).bit_length() - 1
    big = board // 9 * 9
    name = next(
        name
        for name, mask in zip(_LINES, LINE_MASKS, strict=True)
        if own >> big & FULL & mask == mask
    )
    return words.filled(last=line[-1], board=before.board_name(board), line=name)


def idea_in_words(puzzle: Puzzle, position: LocalBoardsPosition) -> Message:
    """Return a first hint: what the right move does, or what to ask of each move."""
    other = position.turn.other
    after = position.play(puzzle.solutions[0])
    if after.outcome is not None:
        return message("You need one small board more for three in a row.")
    board, place = where(position, after)
    if after.turn is position.turn:
        if puzzle.turns == 1:
            return message("The right move wins a small board. Its bonus move wins the game.")
        return message("The right move wins a small board. Its bonus move counts as much.")
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
        # Translators: {board} is a name such as “top left board”.
        return message("The right move is in the {board}.", board=position.board_name(board))
    return _ROWS[place // 3]


_ROWS: tuple[Message, ...] = (
    message("The right cell is in the top row of the small board."),
    message("The right cell is in the middle row of the small board."),
    message("The right cell is in the bottom row of the small board."),
)
