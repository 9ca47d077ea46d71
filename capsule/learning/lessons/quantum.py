"""The lesson in quantum, in eight steps.

- A move puts two small marks with the same number in two different cells: step 1.
- X has the odd numbers, O the even ones: step 1.
- Cells that share a move are entangled: step 2.
- A move that closes a cycle causes a measurement: step 3.
- The same two cells twice are a cycle, too: step 3.
- The opponent of the player who closed the cycle chooses where its mark settles: step 4.
- The other marks of the cycle settle by force, one in a cell: step 4.
- A settled cell takes no more marks: step 5.
- The choice is a separate move, and the same player makes the next move: step 5.
- Marks that hang on the cycle settle, too, and those of other strings do not: step 6.
- Three settled marks in a line win, 1 point to 0: step 6.
- Of two lines the one with the lower highest number scores 1, the other ½: step 7.
- A player with two lines takes the better one, and scores no more than 1: step 7.
- The last cell takes a single mark, x9: step 8.
- If all cells have settled and nobody has a line, nobody scores: step 8.
"""

from collections.abc import Mapping
from typing import TypeAlias

from capsule.learning.lessons.model import Lesson, Step, TriedMove, fallback, right, wrong
from engine import Message, message
from engine.variants.quantum import QUANTUM, QuantumPosition

_Attempt: TypeAlias = TriedMove[QuantumPosition]

_FIRST_STRING, _SECOND_STRING = {"a1", "b1"}, {"c2", "c3"}
_STRING = {"b2", "b3", "c3"}
_CORNERS = {"a1", "c1", "a3", "c3"}


def _squares(attempt: _Attempt) -> set[str]:
    return set(attempt.move.split("+"))


def _is_beside_one_move(attempt: _Attempt) -> bool:
    return _squares(attempt) in (_FIRST_STRING, _SECOND_STRING)


def _joins_both_strings(attempt: _Attempt) -> bool:
    cells = _squares(attempt)
    return bool(cells & _FIRST_STRING and cells & _SECOND_STRING)


def _shares(attempt: _Attempt, string: set[str]) -> tuple[str, str]:
    """Return the cell of an attempt on a string, and its cell beside the string."""
    (shared,), (other,) = _squares(attempt) & string, _squares(attempt) - string
    return shared, other


def _values(attempt: _Attempt) -> Mapping[str, str]:
    first, _, second = attempt.move.partition("+")
    return {"move": attempt.move, "first": first, "second": second}


def _joining_one(attempt: _Attempt) -> Message:
    is_first = bool(_squares(attempt) & _FIRST_STRING)
    shared, other = _shares(attempt, _FIRST_STRING if is_first else _SECOND_STRING)
    return message(
        "x3 shares {shared} with {mark}, but {other} was empty. The string is longer now, but "
        "still apart from the other one.",
        shared=shared,
        mark="x1" if is_first else "o2",
        other=other,
    )


def _is_on_one_string(attempt: _Attempt) -> bool:
    return bool(_squares(attempt) & (_FIRST_STRING | _SECOND_STRING))


def _touches_string(attempt: _Attempt) -> bool:
    return bool(_squares(attempt) & _STRING)


def _longer_string(attempt: _Attempt) -> Message:
    shared, other = _shares(attempt, _STRING)
    return message(
        "x3 hangs on the string at {shared}, but {other} was empty. So the string has only become "
        "longer. For a ring, both cells must be on the string.",
        shared=shared,
        other=other,
    )


LESSON: Lesson[QuantumPosition] = Lesson(
    QUANTUM,
    Step(
        "two cells at once",
        "",
        message(
            "A move puts a small mark in each of two cells. X makes x1, O makes o2, X makes x3, "
            "and so on. For instance, a1+b2 would put x1 in the top left corner and in the centre."
        ),
        message("You are X. Put x1 in two opposite corners."),
        right(
            ("a1+c3", "c1+a3"),
            "Both small marks are one move, in both corners at once. It will end up in one of "
            "them, and nobody knows yet in which.",
        ),
        wrong(
            lambda attempt: _squares(attempt) <= _CORNERS,
            "{move} are two corners of the same side. Opposite corners are a1 and c3, or c1 and "
            "a3.",
        ),
        fallback(
            "{move} is a move, but not in two corners. The corners are a1, c1, a3 and c3. Columns "
            "go from a to c, and rows from 1 to 3, beginning at the top left."
        ),
    ),
    Step(
        "entangled cells",
        "a1+b1 c2+c3",
        message(
            "Cells that share a move are entangled. Here x1 ties a1 and b1 together, and o2 ties "
            "c2 and c3. A cell may hold several small marks. So one move can hang on another, like "
            "beads on a string."
        ),
        message("You are X. Put x3 so that it ties both strings together."),
        right(
            _joins_both_strings,
            "x3 shares {first} with one string and {second} with the other. Now three moves hang "
            "together, in four cells.",
        ),
        wrong(
            _is_beside_one_move,
            "x3 shares both cells with the same move. That ties the two into a ring, as the next "
            "step explains. It does not reach the other string.",
        ),
        wrong(_is_on_one_string, _joining_one),
        fallback(
            "Both cells were empty, so x3 begins a third string. Use one cell that holds x1 and "
            "one that holds o2."
        ),
    ),
    Step(
        "a cycle",
        "b3+c3 b2+b3",
        message(
            "A move that ties a string into a ring closes a cycle, and causes a measurement. "
            "Everything on the string has to settle. Two moves in the same two cells are a ring, "
            "too."
        ),
        message("You are X. x1 joins c3 and b3, and o2 joins b3 and b2. Close a cycle with x3."),
        right(
            ("b2+c3",),
            "x1 leads from c3 to b3, o2 from b3 to b2, and x3 from b2 back to c3. You closed the "
            "cycle, so your opponent chooses where x3, in brackets, settles.",
        ),
        right(
            ("b3+c3",),
            "x3 is where x1 is: a cycle of two cells. You closed it, so your opponent chooses "
            "whether x3 settles in c3 or in b3.",
        ),
        right(
            ("b2+b3",),
            "x3 is where o2 is: a cycle of two cells. You closed it, so your opponent chooses "
            "whether x3 settles in b3 or in b2.",
        ),
        wrong(_touches_string, _longer_string),
        fallback(
            "Both cells were empty, so x3 is a string of its own. For a ring, both cells must be "
            "on the string c3, b3, b2."
        ),
    ),
    Step(
        "a measurement",
        "b3+c3 b2+b3 b2+c3",
        message(
            "The player who did not close the cycle chooses where the closing mark settles. A cell "
            "has room for one settled mark. So any other mark there has to settle in its other "
            "cell. There it pushes out the next mark, and so on round the ring."
        ),
        message(
            "You are O now. X has closed the cycle c3, b3, b2 with x3. Choose c3 or b2 for x3. "
            "Your o2 should settle in the centre, b2."
        ),
        right(
            ("c3",),
            "x3 settles in c3 and pushes x1 out to b3. There it pushes o2 out to b2, the centre. "
            "You have made a measurement.",
        ),
        fallback(
            "x3 takes b2, so o2 has to settle in b3, and pushes x1 out to c3. To get b2 for o2, "
            "keep x3 away from it."
        ),
    ),
    Step(
        "settled cells",
        "b3+c3 b2+b3 b2+c3 c3",
        message(
            "A settled mark is drawn large, and its cell takes no more marks. The choice counts as "
            "a move, and the player who chose makes the next move, too."
        ),
        message(
            "You are O and move again. X has b3 and c3, and needs a3. Put o4 in a3 and in the "
            "corner that makes a line with a3 and your b2."
        ),
        right(
            ("c1+a3",),
            "If o4 settles in a3, it stops the bottom row. If it settles in c1, it is still on a "
            "diagonal with your b2.",
        ),
        wrong(
            lambda attempt: "a3" in _squares(attempt),
            "a3 is right. The diagonal from a3 through b2 ends in the top right corner.",
        ),
        wrong(
            lambda attempt: "c1" in _squares(attempt),
            "c1 is right. But without a3, nothing of yours is in the way of X's bottom row.",
        ),
        fallback(
            "You can play that. But o4 belongs in a3, at the end of the bottom row, and in c1, the "
            "corner across b2."
        ),
    ),
    Step(
        "three in a row",
        "a1+a3 a1+a3 a3 b2+c3 c1+a2 b3+c3 b3+c3",
        message(
            "Marks that only hang on the ring settle, too. Other strings stay as they are. Three "
            "settled marks of yours in a row, a column or a diagonal win, 1 point to 0."
        ),
        message(
            "You are X. With o6, beside your x5, O has closed a cycle of b3 and c3. Choose so that "
            "you have three in a row."
        ),
        right(
            ("b3",),
            "o6 settles in b3 and x5 in c3. x3 hangs on the ring at c3, so it settles in b2. With "
            "x1 in a1 that is a diagonal, and you win. o4 was on another string, and is still in "
            "two cells.",
        ),
        fallback(
            "o6 settles in c3 and pushes out both other marks there, x3 to b2 and x5 to b3. You "
            "have a1 and b2, but O has c3, the end of the diagonal."
        ),
    ),
    Step(
        "two lines",
        "b1+c1 a1+a3 b1+b3 b1+a2 a1+b2 a2+a3 b1+c1",
        message(
            "One measurement can give a line to both players. Then compare the highest number in "
            "each line. The player whose highest number is lower scores 1 point, the other ½."
        ),
        message(
            "You are O. You get column a with o2, o4 and o6, whatever you choose for x7. X gets "
            "column b with x3, x5 and either x1 or x7 in b1. Choose a cell for x7 that brings you "
            "the whole point."
        ),
        right(
            ("b1",),
            "The highest number in X's column is 7, in yours 6. So you score 1 point, and X ½. A "
            "player with two lines would take the better one, and still score 1 at most.",
        ),
        fallback(
            "x7 settles in c1, so x1 settles in b1. The highest number in X's column is now 5, in "
            "yours 6. So X scores 1 point, and you ½."
        ),
    ),
    Step(
        "the last cell",
        "a1+c1 c1+b2 a3+b3 b1+a3 a1+b1 b2+a3 a3 a2+c2 a2+c2",
        message(
            "When only one cell is left, x9 is a single mark and settles there. If all nine cells "
            "have settled and nobody has a line, the game is a draw, and nobody scores."
        ),
        message(
            "You are X. Your x9 will go to c3. First choose where o8 settles. Then x9 should give "
            "you three in a row."
        ),
        right(
            ("a2",),
            "o8 settles in a2, and x7 in c2. With x1 in c1 and x9 in c3, column c will be yours: 1 "
            "point.",
        ),
        fallback(
            "o8 settles in c2, and x7 in a2. With x9 in c3, all nine cells have settled and nobody "
            "has a line: a draw, 0 to 0."
        ),
    ),
    values_of=_values,
)
