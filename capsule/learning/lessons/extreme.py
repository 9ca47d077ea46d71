"""The lesson in extreme, in seven steps.

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

from capsule.learning.lessons.model import CELL_PLACES, Lesson, Step, TriedMove, right, wins, wrong
from engine.boards.grid import PAIRS
from engine.boards.local_boards import cells_of
from engine.game import message
from engine.variants.extreme import EXTREME, ExtremePosition

_Attempt: TypeAlias = TriedMove[ExtremePosition]

_CELLS = cells_of(18)
_CENTRE, _BOTTOM_RIGHT = 4, 8


def _board(attempt: _Attempt) -> int:
    """Return the small board in which an attempt is, 0 to 17."""
    return _CELLS[attempt.move][0]


def _place(attempt: _Attempt) -> int:
    """Return the place of an attempt in its small board, which names where it sends."""
    return _CELLS[attempt.move][1]


def _is_on_second(attempt: _Attempt) -> bool:
    return _board(attempt) >= 9


def _takes_board(attempt: _Attempt) -> bool:
    before, after = attempt.before, attempt.after
    return (before.x_boards, before.o_boards) != (after.x_boards, after.o_boards)


def _names(attempt: _Attempt) -> Mapping[str, object]:
    place = _place(attempt)
    return {"cell": attempt.move, "place": CELL_PLACES[place], "boards": PAIRS[place]}


_SENDING = message("{cell} is the {place} of its small board, so it sends O to the {boards}.")
_NO_ROW = message("{cell} does not complete a row of three, so it wins nothing.")


LESSON: Lesson[ExtremePosition] = Lesson(
    variant=EXTREME,
    kind=ExtremePosition,
    names=_names,
    steps=(
        Step(
            title=message("every cell sends"),
            moves=(),
            teaching=message(
                "Board 1 has the columns a to i, board 2 the columns j to r: 162 cells. The place "
                "of your cell in its small board sends your opponent to the small boards at that "
                "place. For instance, b2 is a centre cell, so it sends O to the centre of both big "
                "boards."
            ),
            task=message(
                "You are X, and may begin in any cell. Choose one that sends O to the bottom right "
                "boards."
            ),
            replies=(
                right(
                    lambda attempt: _place(attempt) == _BOTTOM_RIGHT,
                    "{cell} is the bottom right cell of its small board. So O has to answer in the "
                    "bottom right board of one big board or of the other.",
                ),
                wrong(
                    lambda attempt: _board(attempt) % 9 == _BOTTOM_RIGHT,
                    "{cell} is in a bottom right board, but only its place within that board "
                    "counts. It is the {place}, so it sends O to the {boards}.",
                ),
            ),
            otherwise=_SENDING,
        ),
        Step(
            title=message("one place on two boards"),
            moves=("e5", "m4"),
            teaching=message(
                "You play in either of the two small boards to which you have been sent. Dots are "
                "empty cells where you may not play now."
            ),
            task=message(
                "You are X. O has played m4, a top left cell. Send O to the centre boards with a "
                "cell on board 2."
            ),
            replies=(
                right(
                    ("k2",),
                    "k2 is the centre cell of the top left board, so O has to answer in the centre "
                    "of board 1 or of board 2.",
                ),
                wrong(
                    ("b2",),
                    "b2 sends O to the centre boards, but it is on board 1. The columns of board 2 "
                    "begin with j.",
                ),
                wrong(
                    _is_on_second,
                    "{cell} is on board 2, but it is the {place} of its small board, and sends O "
                    "to the {boards}.",
                ),
            ),
            otherwise=message(
                "{cell} is on board 1, and sends O to the {boards}. Take the centre cell of the "
                "small board on board 2."
            ),
        ),
        Step(
            title=message("win a small board"),
            moves=("e5", "n5", "e4", "e2"),
            teaching=message(
                "Three of your marks in a row, a column or a diagonal win a small board. Nobody "
                "can play there again, and the winner moves again at once. This is a bonus move."
            ),
            task=message("You are X, sent to the centre boards. Win one."),
            replies=(
                right(
                    _takes_board,
                    "e4, e5 and e6 are a column, and the centre of board 1 is yours. It is still "
                    "your turn.",
                ),
                wrong(
                    _is_on_second,
                    "You can play {cell}, but on board 2 you have no mark yet. On board 1 you have "
                    "e4 and e5.",
                ),
            ),
            otherwise=_NO_ROW,
        ),
        Step(
            title=message("the bonus move"),
            moves=("e5", "n5", "e4", "e2", "e6"),
            teaching=message(
                "The rule of places binds a bonus move, too. e6 was a bottom centre cell, so you "
                "play next in a bottom centre board. If one of two boards is closed, only the "
                "other is left."
            ),
            task=message(
                "You are X, and have just closed a centre board. With your bonus move, send O to "
                "the centre boards."
            ),
            replies=(
                right(
                    lambda attempt: _place(attempt) == _CENTRE,
                    "{cell} is a centre cell, and sends O to the centre boards. The one on board 1 "
                    "is closed, so only the one on board 2 is left to O.",
                ),
            ),
            otherwise=_SENDING,
        ),
        Step(
            title=message("one bonus move a turn"),
            moves=tuple("b4 f1 i2 i4 i3 p7 k2 e6 m7 j1 j3 a7 l1".split()),
            teaching=message(
                "A bonus move may win a small board as well. But there is only one in a turn, so "
                "after it the turn passes."
            ),
            task=message(
                "You are X. With l1 you have won the top left board of board 2, and you have a "
                "bonus move in a top right board. Win that one, too."
            ),
            replies=(
                right(
                    _takes_board,
                    "i1, i2 and i3 are a column, so you have won two small boards in one turn. Now "
                    "it is O's turn all the same. i1 is a top right cell, and the top right board "
                    "of board 1 is closed. So O has to play on board 2.",
                ),
                wrong(
                    _is_on_second,
                    "{cell} is on board 2, where the top right board is empty. In the one on board "
                    "1 you have i2 and i3.",
                ),
            ),
            otherwise=_NO_ROW,
        ),
        Step(
            title=message("abandoned boards"),
            moves=tuple(
                "n2 m6 a9 j9 j7 j3 b9 d9 c9 g9 l8 g6 k7 d3 k8 d4 a3 j8 j6 l7 p3 k9 m9 l9 p9 m3 "
                "d6".split()
            ),
            teaching=message(
                "A small board that is full without three in a row is closed, too, and counts for "
                "nobody. A player who is sent to two closed boards may play in any open one, of "
                "either big board."
            ),
            task=message(
                "You are X. O has played d6, which sends you to the bottom left boards. One is "
                "won, and the other is full. Play in any open board, and win a small board."
            ),
            replies=(
                right(
                    _takes_board,
                    "o1, n2 and m3 are a diagonal, and the top centre board of board 2 is yours. "
                    "You have a bonus move now.",
                ),
                wrong(
                    lambda attempt: _board(attempt) == 10,
                    "That is the right small board. But {cell} makes no row of three with n2 and "
                    "m3.",
                ),
            ),
            otherwise=message(
                "You can play {cell}, but it wins nothing. Look for two X in a row with an empty "
                "cell at the end. There is one such pair."
            ),
        ),
        Step(
            title=message("win the game"),
            moves=tuple(
                "j4 a2 l5 p5 a5 j6 j8 j5 l6 h8 o6 h9 e9 o8 r6 h7 m2 k4 m1 a1 k1 d3 c8 g4 l2 h4 m3 "
                "l9 q9 m9 l8 g5 k5 o5 i6 p7 c2 q6 n8 f4 g2 c4 h3 o9 r7 i1 q2 o4 r2 i5".split()
            ),
            teaching=message(
                "Three small boards in a row, a column or a diagonal of one big board win the "
                "game, by a bonus move, too. If all 18 are closed and nobody has that, the game is "
                "a draw."
            ),
            task=message(
                "You are X in the middle right boards, and could win either of them. Win the game."
            ),
            replies=(
                right(
                    wins,
                    "p6, q6 and r6 are a row, and now you have all three middle boards of board 2. "
                    "The game is yours, for one point. A draw would be half a point each.",
                ),
                wrong(
                    ("i4",),
                    "i4 wins the middle right board of board 1, beside two other boards of yours. "
                    "But those are on board 2, and no row runs from one big board to the other. "
                    "You have a bonus move, not the game.",
                ),
            ),
            otherwise=_NO_ROW,
        ),
    ),
)
