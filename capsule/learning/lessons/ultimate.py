"""The lesson in ultimate, in seven steps.

- Nine small boards make up a big one, and X begins in any of the 81 cells: step 1.
- A cell is named by its column and its row, a1 to i9: step 1.
- A cell's place in its small board names the board where the opponent must play: steps 1 and 2.
- Three in a row win a small board and close it: step 3.
- Sent to a closed board, one may play in any open one: step 4.
- A full board is closed, too, and counts for nobody: step 5.
- Three small boards in a row win the game: steps 6 and 7.
- If no cell is left to play in, the game is a draw: step 7.
"""

from collections.abc import Mapping
from typing import TypeAlias

from capsule.learning.lessons.model import CELL_PLACES, Lesson, Step, TriedMove, right, wins, wrong
from engine.boards.grid import PLACES
from engine.boards.local_boards import cells_of
from engine.game import message
from engine.variants.ultimate import ULTIMATE, UltimatePosition

_Attempt: TypeAlias = TriedMove[UltimatePosition]

_CELLS = cells_of(9)
_TOP_RIGHT, _CENTRE, _BOTTOM_LEFT = 2, 4, 6


def _board(attempt: _Attempt) -> int:
    """Return the small board in which an attempt is."""
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


def _names(attempt: _Attempt) -> Mapping[str, object]:
    place = _place(attempt)
    return {
        "cell": attempt.move,
        "place": CELL_PLACES[place],
        "board": PLACES[place],
        "side": attempt.before.turn.other,
    }


_SENDING = message(
    "{cell} is the {place} of its small board, so it sends {side} to the {board} board."
)


LESSON: Lesson[UltimatePosition] = Lesson(
    variant=ULTIMATE,
    kind=UltimatePosition,
    names=_names,
    steps=(
        Step(
            title=message("every cell sends"),
            moves=(),
            teaching=message(
                "Nine small boards stand three by three, with 81 cells from a1 to i9. The place of "
                "your cell in its small board sends your opponent to the small board at that "
                "place. For instance, b2 is a centre cell, so it sends O to the centre board."
            ),
            task=message(
                "You are X, and may begin in any cell. Choose one that sends O to the top right "
                "board."
            ),
            replies=(
                right(
                    lambda attempt: _place(attempt) == _TOP_RIGHT,
                    "{cell} is the top right cell of its small board. So O has to answer in the "
                    "top right board.",
                ),
                wrong(
                    lambda attempt: _board(attempt) == _TOP_RIGHT,
                    "{cell} is in the top right board, but only its place within that board "
                    "counts. It is the {place}, so it sends O to the {board} board.",
                ),
            ),
            otherwise=_SENDING,
        ),
        Step(
            title=message("go where you are sent"),
            moves=("c3", "h8"),
            teaching=message(
                "You must play in the small board to which you have been sent. Dots are empty "
                "cells where you may not play now."
            ),
            task=message(
                "You are X. O has played h8, a centre cell, so you are in the centre board. Send O "
                "to the bottom left board."
            ),
            replies=(
                right(
                    lambda attempt: _place(attempt) == _BOTTOM_LEFT,
                    "d6 is the bottom left cell of the centre board, so O has to answer in the "
                    "bottom left board.",
                ),
                wrong(
                    lambda attempt: _place(attempt) == _CENTRE,
                    "e5 is the centre cell of the centre board, so O has to answer right here.",
                ),
            ),
            otherwise=_SENDING,
        ),
        Step(
            title=message("win a small board"),
            moves=("f3", "h7", "e2", "e4"),
            teaching=message(
                "Three of your marks in a row, a column or a diagonal win a small board. It is "
                "closed now, and drawn as one large mark."
            ),
            task=message("You are X, in the top centre board. Win it."),
            replies=(
                right(
                    _takes_board,
                    "d1, e2 and f3 are a diagonal, and the top centre board is yours. Nobody can "
                    "play there again.",
                ),
            ),
            otherwise=message(
                "{cell} does not complete a row of three. It sends {side} to the {board} board."
            ),
        ),
        Step(
            title=message("sent to a closed board"),
            moves=tuple("f5 g5 c5 h5 e5 f4 i2 i5".split()),
            teaching=message(
                "A player who is sent to a closed board may play in any open one instead. That is "
                "usually a gift."
            ),
            task=message(
                "O has won the middle right board with i5. But i5 is itself a middle right cell, "
                "so you, X, can choose among all other boards. Win one."
            ),
            replies=(
                right(
                    _takes_board,
                    "d5, e5 and f5 are a row, and the centre board is yours. Being sent to a "
                    "closed board let you go where you had two in a row.",
                ),
                wrong(
                    lambda attempt: _board(attempt) == _CENTRE,
                    "The centre board is the right one. But {cell} makes no three in a row there: "
                    "you have e5 and f5.",
                ),
            ),
            otherwise=lambda attempt: message(
                "You may play there, in the {board} board, but it wins nothing. Look for two X in "
                "a row with an empty cell beside them.",
                board=PLACES[_board(attempt)],
            ),
        ),
        Step(
            title=message("full boards"),
            moves=tuple(
                "f4 h2 e4 e2 f6 g9 b8 e5 d5 b5 e6 f9 h8 d6 c9 g8 c6 g7 b2 d4 b1 e3 e8 f5".split()
            ),
            teaching=message(
                "A small board that is full without three in a row is closed, too, and counts for "
                "nobody."
            ),
            task=message(
                "You are X. The centre board is full, and O has won the bottom right one. Give O "
                "no free choice, and no small board to win at once."
            ),
            replies=(
                right(
                    lambda attempt: not _gives_choice(attempt) and not _loses_board(attempt),
                    "{cell} sends O to the {board} board, which is open, and which O cannot win at "
                    "once.",
                ),
                wrong(
                    ("h5",),
                    "h5 sends O to the centre board. That one is full, so O may play in any open "
                    "board, and wins the top centre board with e1.",
                ),
                wrong(
                    ("i6",),
                    "i6 sends O to the bottom right board. That one is won, so O may play in any "
                    "open board, and wins the top centre board with e1.",
                ),
            ),
            otherwise=message(
                "h4 sends O to the top centre board, where O has e2 and e3 and wins with e1."
            ),
        ),
        Step(
            title=message("look where you send"),
            moves=tuple(
                "f2 g4 b2 d5 a4 a2 c4 h1 e1 d1 c3 g7 a1 f5 h4 f1 i1 i3 i8 g5 b4 e3 f7 g3 b8 d6 "
                "c8".split()
            ),
            teaching=message(
                "Three small boards in a row win the game. So ask two questions about every cell. "
                "What does it win here? What does it let your opponent do there?"
            ),
            task=message(
                "You are O, and could win the middle right board. X has two boards of the left "
                "column, and b8 and c8 in the third. Stop X from winning the game now."
            ),
            replies=(
                right(
                    lambda attempt: attempt.move != "g6",
                    "{cell} sends X to the {board} board, far from a8. g6 would have won this "
                    "board, but it is a bottom left cell and sends X to a8.",
                ),
            ),
            otherwise=message(
                "g6 wins the middle right board, and loses the game. It is a bottom left cell, so "
                "it sends X to the bottom left board. There a8 makes three boards in a column."
            ),
        ),
        Step(
            title=message("win the game"),
            moves=tuple(
                "b1 f3 h9 d8 b6 f7 g1 c2 h4 f1 i1 g2 a6 c7 h1 f2 g4 c1 c4 c3 h7 f9 h8 d4".split()
            ),
            teaching=message(
                "Three small boards in a row, a column or a diagonal win the game, for one point. "
                "If no cell is left and nobody has that, the game is a draw, for half a point each."
            ),
            task=message(
                "You are X. The top left board is closed, so you may play in any open one. Win the "
                "game."
            ),
            replies=(
                right(
                    wins,
                    "i4 wins the middle right board. With the ones above and below it, that is a "
                    "column of three, and the game.",
                ),
                wrong(
                    _takes_board,
                    "{cell} wins the middle left board. But the ones above and below it are not "
                    "yours. Which board stands between two that you have won?",
                ),
            ),
            otherwise=message(
                "{cell} wins no board. You have won the top right board and the bottom right one. "
                "Look at the one between them."
            ),
        ),
    ),
)
