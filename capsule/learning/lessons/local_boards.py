"""The lessons in ultimate and in extreme.

Ultimate, in seven steps:

- Nine small boards make up a big one, and X begins in any of the 81 cells: step 1.
- A cell is named by its column and its row, a1 to i9: step 1.
- A cell's place in its small board names the board where the opponent must play: steps 1 and 2.
- Three in a row win a small board and close it: step 3.
- Sent to a closed board, one may play in any open one: step 4.
- A full board is closed, too, and counts for nobody: step 5.
- Three small boards in a row win the game: steps 6 and 7.
- If no cell is left to play in, the game is a draw: step 7.

Extreme, in seven steps:

- Two big boards have nine small boards each, and X begins in any of the 162 cells: step 1.
- The columns a to i are board 1, j to r board 2: steps 1 and 2.
- A cell's place in its small board sends to the boards at that place: steps 1 and 2.
- One may choose on which of both big boards: step 2.
- Three in a row win a small board, which is abandoned: step 3.
- The player who wins a small board moves again: steps 3 and 4.
- The rule of places binds a bonus move, too: step 4.
- If one of both boards is closed, one plays in the other: steps 4 and 5.
- There is one bonus move in a turn, even if it wins a small board, too: step 5.
- A full board is closed, too, and counts for nobody: step 6.
- If both boards are closed, one plays in any open board: step 6.
- Three small boards in a row on one big board win the game: step 7.
- If all small boards are closed and nobody has that, the game is a draw: step 7.
"""

from collections.abc import Mapping
from typing import TypeAlias

from capsule.learning.lessons.model import Lesson, Step, TriedMove, fallback, right, wins, wrong
from engine import VARIANTS, Message, in_context, message
from engine.boards.grid import PAIRS, PLACES
from engine.boards.local_boards import LocalBoardsPosition, cells_of

_CELL_PLACES: tuple[Message, ...] = (
    # Translators: a cell by its place in its small board, as in “b2 is the centre cell of its small
    # board”.
    in_context("a cell", "top left cell"),
    in_context("a cell", "top centre cell"),
    in_context("a cell", "top right cell"),
    in_context("a cell", "middle left cell"),
    in_context("a cell", "centre cell"),
    in_context("a cell", "middle right cell"),
    in_context("a cell", "bottom left cell"),
    in_context("a cell", "bottom centre cell"),
    in_context("a cell", "bottom right cell"),
)

_Attempt: TypeAlias = TriedMove[LocalBoardsPosition]

_CELLS = cells_of(18)
_TOP_RIGHT, _CENTRE, _BOTTOM_LEFT, _BOTTOM_RIGHT = 2, 4, 6, 8


def _board(attempt: _Attempt) -> int:
    """Return the small board in which an attempt is: 0 to 8, and 9 to 17 on the second big one."""
    return _CELLS[attempt.move][0]


def _place(attempt: _Attempt) -> int:
    """Return the place of an attempt in its small board, which names where it sends."""
    return _CELLS[attempt.move][1]


def _takes_board(attempt: _Attempt) -> bool:
    before, after = attempt.before, attempt.after
    return (before.x_boards, before.o_boards) != (after.x_boards, after.o_boards)


def _gives_choice(attempt: _Attempt) -> bool:
    """Return whether an attempt sends the opponent to a closed board."""
    return attempt.after.allowed.bit_count() > 1


def _loses_board(attempt: _Attempt) -> bool:
    """Return whether the opponent can take a small board at once."""
    after = attempt.after
    won = after.x_boards, after.o_boards
    replies = (after.play(move) for move in after.legal_moves())
    return any((reply.x_boards, reply.o_boards) != won for reply in replies)


def _is_on_second(attempt: _Attempt) -> bool:
    return _board(attempt) >= 9


def _values(attempt: _Attempt) -> Mapping[str, object]:
    place = _place(attempt)
    return {
        "cell": attempt.move,
        "place": _CELL_PLACES[place],
        "board": PLACES[place],
        "boards": PAIRS[place],
        "side": attempt.before.turn.other,
    }


_SENDING = message(
    "{cell} is the {place} of its small board, so it sends {side} to the {board} board."
)
_SENDING_TO_TWO = message(
    "{cell} is the {place} of its small board, so it sends O to the {boards}."
)
_NO_ROW = message("{cell} does not complete a row of three, so it wins nothing.")


ULTIMATE_LESSON: Lesson[LocalBoardsPosition] = Lesson(
    VARIANTS["ultimate"],
    Step(
        "every cell sends",
        "",
        message(
            "Nine small boards stand three by three, with 81 cells from a1 to i9. The place of "
            "your cell in its small board sends your opponent to the small board at that place. "
            "For instance, b2 is a centre cell, so it sends O to the centre board."
        ),
        message(
            "You are X, and may begin in any cell. Choose one that sends O to the top right board."
        ),
        right(
            lambda attempt: _place(attempt) == _TOP_RIGHT,
            "{cell} is the top right cell of its small board. So O has to answer in the top right "
            "board.",
        ),
        wrong(
            lambda attempt: _board(attempt) == _TOP_RIGHT,
            "{cell} is in the top right board, but only its place within that board counts. It is "
            "the {place}, so it sends O to the {board} board.",
        ),
        fallback(_SENDING),
    ),
    Step(
        "go where you are sent",
        "c3 h8",
        message(
            "You must play in the small board to which you have been sent. Dots are empty cells "
            "where you may not play now."
        ),
        message(
            "You are X. O has played h8, a centre cell, so you are in the centre board. Send O to "
            "the bottom left board."
        ),
        right(
            lambda attempt: _place(attempt) == _BOTTOM_LEFT,
            "d6 is the bottom left cell of the centre board, so O has to answer in the bottom left "
            "board.",
        ),
        wrong(
            lambda attempt: _place(attempt) == _CENTRE,
            "e5 is the centre cell of the centre board, so O has to answer right here.",
        ),
        fallback(_SENDING),
    ),
    Step(
        "win a small board",
        "f3 h7 e2 e4",
        message(
            "Three of your marks in a row, a column or a diagonal win a small board. It is closed "
            "now, and drawn as one large mark."
        ),
        message("You are X, in the top centre board. Win it."),
        right(
            _takes_board,
            "d1, e2 and f3 are a diagonal, and the top centre board is yours. Nobody can play "
            "there again.",
        ),
        fallback("{cell} does not complete a row of three. It sends {side} to the {board} board."),
    ),
    Step(
        "sent to a closed board",
        "f5 g5 c5 h5 e5 f4 i2 i5",
        message(
            "A player who is sent to a closed board may play in any open one instead. That is "
            "usually a gift."
        ),
        message(
            "O has won the middle right board with i5. But i5 is itself a middle right cell, so "
            "you, X, can choose among all other boards. Win one."
        ),
        right(
            _takes_board,
            "d5, e5 and f5 are a row, and the centre board is yours. Being sent to a closed board "
            "let you go where you had two in a row.",
        ),
        wrong(
            lambda attempt: _board(attempt) == _CENTRE,
            "The centre board is the right one. But {cell} makes no three in a row there: you have "
            "e5 and f5.",
        ),
        fallback(
            lambda attempt: message(
                "You may play there, in the {board} board, but it wins nothing. Look for two X in "
                "a row with an empty cell beside them.",
                board=PLACES[_board(attempt)],
            )
        ),
    ),
    Step(
        "full boards",
        "f4 h2 e4 e2 f6 g9 b8 e5 d5 b5 e6 f9 h8 d6 c9 g8 c6 g7 b2 d4 b1 e3 e8 f5",
        message(
            "A small board that is full without three in a row is closed, too, and counts for "
            "nobody."
        ),
        message(
            "You are X. The centre board is full, and O has won the bottom right one. Give O no "
            "free choice, and no small board to win at once."
        ),
        right(
            lambda attempt: not _gives_choice(attempt) and not _loses_board(attempt),
            "{cell} sends O to the {board} board, which is open, and which O cannot win at once.",
        ),
        wrong(
            ("h5",),
            "h5 sends O to the centre board. That one is full, so O may play in any open board, "
            "and wins the top centre board with e1.",
        ),
        wrong(
            ("i6",),
            "i6 sends O to the bottom right board. That one is won, so O may play in any open "
            "board, and wins the top centre board with e1.",
        ),
        fallback("h4 sends O to the top centre board, where O has e2 and e3 and wins with e1."),
    ),
    Step(
        "look where you send",
        "f2 g4 b2 d5 a4 a2 c4 h1 e1 d1 c3 g7 a1 f5 h4 f1 i1 i3 i8 g5 b4 e3 f7 g3 b8 d6 c8",
        message(
            "Three small boards in a row win the game. So ask two questions about every cell. What "
            "does it win here? What does it let your opponent do there?"
        ),
        message(
            "You are O, and could win the middle right board. X has two boards of the left column, "
            "and b8 and c8 in the third. Stop X from winning the game now."
        ),
        right(
            lambda attempt: attempt.move != "g6",
            "{cell} sends X to the {board} board, far from a8. g6 would have won this board, but "
            "it is a bottom left cell and sends X to a8.",
        ),
        fallback(
            "g6 wins the middle right board, and loses the game. It is a bottom left cell, so it "
            "sends X to the bottom left board. There a8 makes three boards in a column."
        ),
    ),
    Step(
        "win the game",
        "b1 f3 h9 d8 b6 f7 g1 c2 h4 f1 i1 g2 a6 c7 h1 f2 g4 c1 c4 c3 h7 f9 h8 d4",
        message(
            "Three small boards in a row, a column or a diagonal win the game, for one point. If "
            "no cell is left and nobody has that, the game is a draw, for half a point each."
        ),
        message(
            "You are X. The top left board is closed, so you may play in any open one. Win the "
            "game."
        ),
        right(
            wins,
            "i4 wins the middle right board. With the ones above and below it, that is a column of "
            "three, and the game.",
        ),
        wrong(
            _takes_board,
            "{cell} wins the middle left board. But the ones above and below it are not yours. "
            "Which board stands between two that you have won?",
        ),
        fallback(
            "{cell} wins no board. You have won the top right board and the bottom right one. Look "
            "at the one between them."
        ),
    ),
    values_of=_values,
)


EXTREME_LESSON: Lesson[LocalBoardsPosition] = Lesson(
    VARIANTS["extreme"],
    Step(
        "every cell sends",
        "",
        message(
            "Board 1 has the columns a to i, board 2 the columns j to r: 162 cells. The place of "
            "your cell in its small board sends your opponent to the small boards at that place. "
            "For instance, b2 is a centre cell, so it sends O to the centre of both big boards."
        ),
        message(
            "You are X, and may begin in any cell. Choose one that sends O to the bottom right "
            "boards."
        ),
        right(
            lambda attempt: _place(attempt) == _BOTTOM_RIGHT,
            "{cell} is the bottom right cell of its small board. So O has to answer in the bottom "
            "right board of one big board or of the other.",
        ),
        wrong(
            lambda attempt: _board(attempt) % 9 == _BOTTOM_RIGHT,
            "{cell} is in a bottom right board, but only its place within that board counts. It is "
            "the {place}, so it sends O to the {boards}.",
        ),
        fallback(_SENDING_TO_TWO),
    ),
    Step(
        "one place on two boards",
        "e5 m4",
        message(
            "You play in either of the two small boards to which you have been sent. Dots are "
            "empty cells where you may not play now."
        ),
        message(
            "You are X. O has played m4, a top left cell. Send O to the centre boards with a cell "
            "on board 2."
        ),
        right(
            ("k2",),
            "k2 is the centre cell of the top left board, so O has to answer in the centre of "
            "board 1 or of board 2.",
        ),
        wrong(
            ("b2",),
            "b2 sends O to the centre boards, but it is on board 1. The columns of board 2 begin "
            "with j.",
        ),
        wrong(
            _is_on_second,
            "{cell} is on board 2, but it is the {place} of its small board, and sends O to the "
            "{boards}.",
        ),
        fallback(
            "{cell} is on board 1, and sends O to the {boards}. Take the centre cell of the small "
            "board on board 2."
        ),
    ),
    Step(
        "win a small board",
        "e5 n5 e4 e2",
        message(
            "Three of your marks in a row, a column or a diagonal win a small board. Nobody can "
            "play there again, and the winner moves again at once. This is a bonus move."
        ),
        message("You are X, sent to the centre boards. Win one."),
        right(
            _takes_board,
            "e4, e5 and e6 are a column, and the centre of board 1 is yours. It is still your "
            "turn.",
        ),
        wrong(
            _is_on_second,
            "You can play {cell}, but on board 2 you have no mark yet. On board 1 you have e4 and "
            "e5.",
        ),
        fallback(_NO_ROW),
    ),
    Step(
        "the bonus move",
        "e5 n5 e4 e2 e6",
        message(
            "The rule of places binds a bonus move, too. e6 was a bottom centre cell, so you play "
            "next in a bottom centre board. If one of two boards is closed, only the other is left."
        ),
        message(
            "You are X, and have just closed a centre board. With your bonus move, send O to the "
            "centre boards."
        ),
        right(
            lambda attempt: _place(attempt) == _CENTRE,
            "{cell} is a centre cell, and sends O to the centre boards. The one on board 1 is "
            "closed, so only the one on board 2 is left to O.",
        ),
        fallback(_SENDING_TO_TWO),
    ),
    Step(
        "one bonus move a turn",
        "b4 f1 i2 i4 i3 p7 k2 e6 m7 j1 j3 a7 l1",
        message(
            "A bonus move may win a small board as well. But there is only one in a turn, so after "
            "it the turn passes."
        ),
        message(
            "You are X. With l1 you have won the top left board of board 2, and you have a bonus "
            "move in a top right board. Win that one, too."
        ),
        right(
            _takes_board,
            "i1, i2 and i3 are a column, so you have won two small boards in one turn. Now it is "
            "O's turn all the same. i1 is a top right cell, and the top right board of board 1 is "
            "closed. So O has to play on board 2.",
        ),
        wrong(
            _is_on_second,
            "{cell} is on board 2, where the top right board is empty. In the one on board 1 you "
            "have i2 and i3.",
        ),
        fallback(_NO_ROW),
    ),
    Step(
        "abandoned boards",
        "n2 m6 a9 j9 j7 j3 b9 d9 c9 g9 l8 g6 k7 d3 k8 d4 a3 j8 j6 l7 p3 k9 m9 l9 p9 m3 d6",
        message(
            "A small board that is full without three in a row is closed, too, and counts for "
            "nobody. A player who is sent to two closed boards may play in any open one, of either "
            "big board."
        ),
        message(
            "You are X. O has played d6, which sends you to the bottom left boards. One is won, "
            "and the other is full. Play in any open board, and win a small board."
        ),
        right(
            _takes_board,
            "o1, n2 and m3 are a diagonal, and the top centre board of board 2 is yours. You have "
            "a bonus move now.",
        ),
        wrong(
            lambda attempt: _board(attempt) == 10,
            "That is the right small board. But {cell} makes no row of three with n2 and m3.",
        ),
        fallback(
            "You can play {cell}, but it wins nothing. Look for two X in a row with an empty cell "
            "at the end. There is one such pair."
        ),
    ),
    Step(
        "win the game",
        "j4 a2 l5 p5 a5 j6 j8 j5 l6 h8 o6 h9 e9 o8 r6 h7 m2 k4 m1 a1 k1 d3 c8 g4 l2 h4 m3 l9 q9 m9 "
        "l8 g5 k5 o5 i6 p7 c2 q6 n8 f4 g2 c4 h3 o9 r7 i1 q2 o4 r2 i5",
        message(
            "Three small boards in a row, a column or a diagonal of one big board win the game, by "
            "a bonus move, too. If all 18 are closed and nobody has that, the game is a draw."
        ),
        message(
            "You are X in the middle right boards, and could win either of them. Win the game."
        ),
        right(
            wins,
            "p6, q6 and r6 are a row, and now you have all three middle boards of board 2. The "
            "game is yours, for one point. A draw would be half a point each.",
        ),
        wrong(
            ("i4",),
            "i4 wins the middle right board of board 1, beside two other boards of yours. But "
            "those are on board 2, and no row runs from one big board to the other. You have a "
            "bonus move, not the game.",
        ),
        fallback(_NO_ROW),
    ),
    values_of=_values,
)

LESSONS = (ULTIMATE_LESSON, EXTREME_LESSON)
