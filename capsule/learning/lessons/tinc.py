"""The lesson in tinc, in seven steps.

- The grid begins as one cell, so the first turn is one symbol: step 1.
- If any symbol stands on the edge, the grid grows by a cell in each direction: steps 1 and 2.
- Cells are named in the grid as the mover sees it: steps 1, 2 and 7.
- In a turn a player places one or two symbols, written c3 or c3+d4: step 2.
- If no symbol stands on the edge, the grid stays: step 3.
- A full row, a full column or a full main diagonal of one's own wins: step 4.
- The win comes before the growth: step 4.
- Short diagonals do not count: step 5.
- A player who puts a symbol on the edge every turn cannot lose: step 6.
- There is no largest grid and no draw by rule: step 7.
"""

from typing import TypeAlias

from capsule.learning.lessons.model import Lesson, Step, TriedMove, fallback, right, wins, wrong
from engine import Message, message
from engine.variants.tinc import TINC, TincPosition

_Attempt: TypeAlias = TriedMove[TincPosition]


def _cells(attempt: _Attempt) -> list[str]:
    return attempt.move.split("+")


def _is_single(attempt: _Attempt) -> bool:
    return len(_cells(attempt)) == 1


def _grows(attempt: _Attempt) -> bool:
    return attempt.after.size > attempt.before.size


def _on_edge(attempt: _Attempt) -> Message:
    """Return the sentence that the grid grows, with a cell of an attempt that is on the edge."""
    edge = {"1", str(attempt.before.size)}, {"a", "abcdefg"[attempt.before.size - 1]}
    cell = next(cell for cell in _cells(attempt) if cell[1:] in edge[0] or cell[0] in edge[1])
    return message("{cell} is on the edge, so the grid grows.", cell=cell)


def _one_end(attempt: _Attempt) -> Message:
    (placed,) = set(_cells(attempt)) & {"a1", "e5"}
    return message(
        "{placed} is one end of the diagonal, but the other, {missing}, is missing. So nobody has "
        "won. {placed} is on the edge, so the grid grows, and your line is too short now.",
        placed=placed,
        missing="e5" if placed == "a1" else "a1",
    )


def _one_end_of_column(attempt: _Attempt) -> Message:
    (placed,) = set(_cells(attempt)) & {"c1", "c5"}
    return message(
        "{placed} is one end of column c, but the other, {missing}, is missing. You may place two "
        "symbols in a turn.",
        placed=placed,
        missing="c5" if placed == "c1" else "c1",
    )


def _no_line(attempt: _Attempt) -> Message:
    if _grows(attempt):
        return message(
            "{move} completes no line, and makes the grid grow. A line must reach from one side to "
            "the opposite side.",
            move=attempt.move,
        )
    return message(
        "{move} completes no line, since both its ends must be on the edge. Which line of three X "
        "has both ends empty?",
        move=attempt.move,
    )


LESSON: Lesson[TincPosition] = Lesson(
    TINC,
    Step(
        "one cell",
        "",
        message(
            "The grid begins as a single cell, a1. After each turn, if any symbol stands on the "
            "edge of the grid, it grows by one cell in each direction."
        ),
        message("You are X. Place your symbol in the only cell, and see."),
        right(
            _grows,
            "The single cell was all edge, so the grid has grown to three by three. Your X has not "
            "moved, but its cell is called b2 now. Names are counted from the top left corner.",
        ),
    ),
    Step(
        "one or two symbols",
        "a1",
        message(
            "On your turn you place one or two of your symbols in any empty cells. For instance, "
            "c3 places one, and a1+c3 places two."
        ),
        message("You are O. Put one O to the left of the X and one to the right of it."),
        right(
            ("a2+c2",),
            "Both stood on the edge, so the grid has grown to five by five. The cells a2 and c2 "
            "are b3 and d3 now.",
        ),
        wrong(
            ("a2", "c2"),
            "{cell} is right, but you may place two symbols in a turn. Name both cells, with a "
            "plus between them.",
        ),
        wrong(
            _is_single,
            "That places one O, on {cell}. Name both cells beside the X on b2, the left one and "
            "the right one, with a plus between them.",
        ),
        fallback(
            "{move} places two, but not to the left and right of the X. It is on b2, so both cells "
            "are in row 2, too."
        ),
    ),
    Step(
        "a quiet turn",
        "a1 a2+c2",
        message(
            "If no symbol stands on the edge after a turn, the grid stays as it is. Players call "
            "that a quiet turn."
        ),
        message("You are X. Place two X, and leave the grid as large as it is."),
        right(
            lambda attempt: not _grows(attempt) and not _is_single(attempt),
            "The edge is empty, so the grid stays at five by five. Only a quiet turn brings you "
            "closer to a line, since growth makes lines longer.",
        ),
        wrong(
            _grows,
            lambda attempt: message(
                "{growth} Keep to the nine cells in the middle, of which three are taken.",
                growth=_on_edge(attempt),
            ),
        ),
        fallback("The grid stays as it is, but that was one X only. Place two, such as b2+d4."),
    ),
    Step(
        "a line from side to side",
        "a1 a2+c2 b2+d4 c2",
        message(
            "You win if your symbols fill a line from one side of the grid to the opposite side. "
            "That is a full row, a full column or a full main diagonal. A win is checked before "
            "the grid grows."
        ),
        message("You are X. Win with this turn."),
        right(
            wins,
            "a1 and e5 complete the diagonal from corner to corner. You have won before the grid "
            "could grow.",
        ),
        wrong(lambda attempt: bool({"a1", "e5"} & set(_cells(attempt))), _one_end),
        fallback(_no_line),
    ),
    Step(
        "opposite sides",
        "a1 c1+a3 c2+b3 b2 c4 d3",
        message(
            "A short diagonal cuts off a corner and joins two neighbouring sides. It is no line, "
            "even if it is full."
        ),
        message(
            "You are X. Column c lacks its two ends, and so does the diagonal a4, b3, c2, d1. One "
            "of them wins."
        ),
        right(
            wins,
            "Column c is yours from the top to the bottom. Those are opposite sides, so you win.",
        ),
        wrong(
            ("d1+a4",),
            "That diagonal joins the left side and the top. They are neighbours, so it does not "
            "count. And with two symbols on the edge the grid has grown.",
        ),
        wrong(lambda attempt: bool({"c1", "c5"} & set(_cells(attempt))), _one_end_of_column),
        fallback(_no_line),
    ),
    Step(
        "the edge saves you",
        "a1 a2+c2 b2+d4",
        message(
            "When the grid grows, every line on it becomes too short. So a player who puts at "
            "least one symbol on the edge every turn cannot lose."
        ),
        message(
            "You are O. X lacks only a1 and e5, and will place both next turn. Stop X from winning."
        ),
        right(
            _grows,
            "The grid has grown to seven by seven. X's three on the diagonal need four more, and X "
            "places only two.",
        ),
        fallback("{move} leaves the edge empty, so the grid stays, and X wins with a1+e5."),
    ),
    Step(
        "no end to it",
        "a1 a2+c2 b2+d4 e1",
        message(
            "There is no largest grid, and no draw by the rules. Players can agree on a draw, "
            "resign, or run out of time. After column z come aa, ab and so on."
        ),
        message(
            "O has saved the game with a symbol on the edge. You are X, and your diagonal is c3, "
            "d4, e5 now. Make it two longer, without touching the edge."
        ),
        right(
            ("b2+f6",),
            "You have five in a row, and again only the ends are missing, a1 and g7. If O does not "
            "notice, you win. If O does, the grid will grow again.",
        ),
        wrong(
            _grows,
            lambda attempt: message(
                "{growth} Your diagonal goes on at b2 on one side, and at f6 on the other.",
                growth=_on_edge(attempt),
            ),
        ),
        wrong(
            ("b2", "f6"),
            "{cell} is right, and makes it one longer. The other end of the diagonal is free, too.",
        ),
        fallback(
            "{move} leaves the edge alone, but does not make the diagonal two longer. It goes on "
            "at b2 on one side, and at f6 on the other."
        ),
    ),
)
