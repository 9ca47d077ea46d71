"""The effect of a move of ultimate or extreme, in a sentence, from the position alone.

The words say what the move does on the board, where it sends the opponent, and what is there. They
judge nothing: they know of no search.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from engine.boards.grid import FULL, HAS_LINE, LINE_MASKS, PAIRS
from engine.boards.local_boards_state import LocalBoardsState
from engine.game import Side
from engine.messages import Message, in_context, plural_in_context


def effect(position: LocalBoardsState, move: str) -> Message:
    """Return what a legal move does: "takes the centre board, and sends O to the top left board".

    It also says who has two in a row in the board that the opponent is sent to. It is the end of a
    sentence that begins with the move, and has no final period.
    """
    after = position.play(move)
    board, place = where(position, after)
    if after.outcome is not None and after.outcome.winner is None:
        return _drawing(position, after, board, after.outcome.reason)
    deed = _deed(position, after, board, place)
    if deed is not None and after.outcome is not None:
        return deed
    if deed is not None and after.turn is position.turn:
        # Translators: what a move does is said in words whose subject is the move: “e5 takes the
        # centre board”. So are {deed} and {sending}, which this joins.
        return in_context("what a move does", "{deed}, and earns a bonus move", deed=deed)
    sending, is_bad = _sending(position, after)
    if deed is None:
        return sending
    if is_bad:
        return in_context("what a move does", "{deed}, but {sending}", deed=deed, sending=sending)
    return in_context("what a move does", "{deed}, and {sending}", deed=deed, sending=sending)


def _deed(
    position: LocalBoardsState, after: LocalBoardsState, board: int, place: int
) -> Message | None:
    """Return what the mark does in its own board; None if that is nothing much."""
    side, opponent = position.turn, position.turn.other
    name = position.board_name(board)
    if after.outcome is not None and after.outcome.winner is side:
        return in_context(
            "what a move does", "takes the {board}, the third in a row, and wins", board=name
        )
    if boards_of(after, side) >> board & 1:
        return _taking(position, after, board, name)
    own, theirs = marks_of(position, side, board), marks_of(position, opponent, board)
    if HAS_LINE[theirs | 1 << place]:
        return _blocking(position, board, name)
    if after.closed >> board & 1:
        return in_context(
            "what a move does", "fills the {board}, which counts for nobody", board=name
        )
    if _threats(own | 1 << place, theirs) & ~_threats(own, theirs):
        return in_context("what a move does", "makes two in a row")
    return None


def _drawing(
    position: LocalBoardsState, after: LocalBoardsState, board: int, reason: Message
) -> Message:
    """Return the words for a move that ends the game with no winner, also of a board it wins."""
    if boards_of(after, position.turn) >> board & 1:
        name = position.board_name(board)
        return in_context(
            "what a move does",
            "takes the {board}, and ends the game: {reason}",
            board=name,
            reason=reason,
        )
    return in_context("what a move does", "ends the game: {reason}", reason=reason)


def _blocking(position: LocalBoardsState, board: int, name: Message) -> Message:
    opponent = position.turn.other
    if completes(boards_of(position, opponent), board):
        return in_context(
            "what a move does",
            "keeps {side} from the {board}, the third in a row",
            side=opponent,
            board=name,
        )
    return in_context("what a move does", "blocks {side}", side=opponent)


def _taking(
    position: LocalBoardsState, after: LocalBoardsState, board: int, name: Message
) -> Message:
    """Return the words for a board that was won without the game."""
    side, opponent = position.turn, position.turn.other
    if completes(boards_of(position, opponent), board):
        return in_context(
            "what a move does", "takes the {board}, which {side} needed", board=name, side=opponent
        )
    own = boards_of(after, side) >> board // 9 * 9
    if any((own & line).bit_count() == 2 for line in lines_open_to(after, side, board)):
        return in_context("what a move does", "takes the {board}, the second in a row", board=name)
    return in_context("what a move does", "takes the {board}", board=name)


def _sending(position: LocalBoardsState, after: LocalBoardsState) -> tuple[Message, bool]:
    """Return where the move sends the opponent and what they have there, and if that is a pity."""
    opponent = after.turn
    boards = allowed_boards(after)
    theirs = threatened(after, opponent, boards)
    if any(completes(boards_of(after, opponent), board) for board in theirs):
        return in_context("what a move does", "lets {side} win at once", side=opponent), True
    if len({board % 9 for board in boards}) > 1:
        return _choice(position, opponent, theirs), True
    own = threatened(after, opponent.other, boards)
    there = {*theirs, *own}
    whose = _BOTH if theirs and own else _ONE if there else _NOBODY
    values: dict[str, object] = {"side": opponent, "owner": opponent if theirs else opponent.other}
    if len(boards) == 1:
        words, values["board"] = _ONE_BOARD[whose], position.board_name(boards[0])
    else:
        words, values["boards"] = _TWO_BOARDS[whose], PAIRS[boards[0] % 9]
        if len(there) == 1:
            (board,) = there
            words, values["number"] = _ONE_OF_TWO[whose], board // 9 + 1
    return words.filled(**values), bool(theirs)


_NOBODY, _ONE, _BOTH = range(3)
"""The number of sides that have two in a row where the opponent is sent to."""

_ONE_BOARD: tuple[Message, ...] = (
    # Translators: {board} is a name such as “top left board”.
    in_context("what a move does", "sends {side} to the {board}"),
    in_context("what a move does", "sends {side} to the {board}, where {owner} has two in a row"),
    in_context(
        "what a move does", "sends {side} to the {board}, where both sides have two in a row"
    ),
)
"""The words for a single board, by who has two in a row there."""

_TWO_BOARDS: tuple[Message, ...] = (
    # Translators: {boards} is a name such as “top left boards”, of which there are two.
    in_context("what a move does", "sends {side} to the {boards}"),
    in_context("what a move does", "sends {side} to the {boards}, where {owner} has two in a row"),
    in_context(
        "what a move does", "sends {side} to the {boards}, where both sides have two in a row"
    ),
)
"""The words for two boards at one place, both alike in that."""

_ONE_OF_TWO: tuple[Message, ...] = (
    _TWO_BOARDS[_NOBODY],
    # Translators: {boards} is a name such as “top left boards”; {number} is 1 or 2, the big board.
    in_context(
        "what a move does",
        "sends {side} to the {boards}, where {owner} has two in a row on board {number}",
    ),
    in_context(
        "what a move does",
        "sends {side} to the {boards}, where both sides have two in a row on board {number}",
    ),
)
"""The words for two boards of which only one has two in a row."""


def _choice(position: LocalBoardsState, opponent: Side, theirs: Sequence[int]) -> Message:
    """Return the words for a free choice among boards, in some of which they have two in a row."""
    if not theirs:
        return in_context("what a move does", "gives {side} a free choice", side=opponent)
    if len(theirs) == 1:
        return in_context(
            "what a move does",
            "gives {side} a free choice, with the {board} to win",
            side=opponent,
            board=position.board_name(theirs[0]),
        )
    # Translators: the opponent can win any of {count} small boards at once.
    return plural_in_context(
        "what a move does",
        "gives {side} a free choice, with {count} board to win",
        "gives {side} a free choice, with {count} boards to win",
        side=opponent,
        count=len(theirs),
    )


def allowed_boards(position: LocalBoardsState) -> Sequence[int]:
    """Return the small boards where the side to move may play."""
    allowed = position.allowed
    return [board for board in range(position.board_count) if allowed >> board & 1]


def threatened(position: LocalBoardsState, side: Side, boards: Iterable[int]) -> Sequence[int]:
    """Return those of these small boards in which a side could complete three in a row."""
    x, o = position.x, position.o
    own, theirs = (x, o) if side is Side.X else (o, x)
    return [
        board for board in boards if _threats(own >> 9 * board & FULL, theirs >> 9 * board & FULL)
    ]


def where(position: LocalBoardsState, after: LocalBoardsState) -> tuple[int, int]:
    """Return the board and the place of the one mark that was added."""
    mark = (position.x | position.o) ^ (after.x | after.o)
    return divmod(mark.bit_length() - 1, 9)


def marks_of(position: LocalBoardsState, side: Side, board: int) -> int:
    """Return the mask of a side's marks in a small board."""
    return (position.x if side is Side.X else position.o) >> 9 * board & FULL


def boards_of(position: LocalBoardsState, side: Side) -> int:
    """Return the mask of the small boards that a side has won."""
    return position.x_boards if side is Side.X else position.o_boards


def completes(boards: int, board: int) -> bool:
    """Return whether one more board would be the third in a row on its big board."""
    big = board // 9 * 9
    return HAS_LINE[boards >> big & FULL | 1 << board - big]


def lines_open_to(position: LocalBoardsState, side: Side, board: int) -> Sequence[int]:
    """Return the lines through a small board, as places of its big one, that a side can still make.

    They lack nothing but open boards and those that the side has won.
    """
    big = board // 9 * 9
    lost = (position.closed & ~boards_of(position, side)) >> big & FULL
    return [line for line in LINE_MASKS if line >> board - big & 1 and not line & lost]


@cache
def _threats(own: int, theirs: int) -> int:
    """Return the empty places of a 3×3 board where one more mark completes a line."""
    empty = FULL & ~(own | theirs)
    return sum(
        1 << place for place in range(9) if empty >> place & 1 and HAS_LINE[own | 1 << place]
    )
