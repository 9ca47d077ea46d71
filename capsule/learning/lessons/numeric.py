"""The lesson in numeric, in six steps.

- Odd holds 1, 3, 5, 7 and 9 and begins, Even holds 2, 4, 6 and 8: step 1.
- A move puts one of the player's numbers in an empty cell, and is written b2=5: step 1.
- Each number is there once: steps 1 and 4.
- Three numbers in a row, a column or a diagonal that make exactly 15 win: step 2.
- A line wins for the player who completes it, whosever numbers they are: step 3.
- Two cells that make 15 are nothing: step 4.
- A full board without such a line is a draw: step 6.

Step 5 teaches no rule but what the rules come to: a threat has to be stopped.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from capsule.learning.lessons.model import Lesson, Step, TriedMove, fallback, right, wins, wrong
from engine import Message, message
from engine.boards.grid import LINES, NINE
from engine.boards.line_names import LINE_NAMES
from engine.variants.numeric import NUMERIC, NumericPosition

_Attempt: TypeAlias = TriedMove[NumericPosition]


def _cell(attempt: _Attempt) -> str:
    return attempt.move.partition("=")[0]


def _number(attempt: _Attempt) -> str:
    return attempt.move.partition("=")[2]


def _values(attempt: _Attempt) -> Mapping[str, object]:
    sums = [total for total, _ in _completed(attempt)]
    return {
        "move": attempt.move,
        "number": _number(attempt),
        "cell": _cell(attempt),
        "sum": sums[0] if sums else None,
    }


def _winning_reply(attempt: _Attempt) -> str | None:
    """Return the reply that wins at once after an attempt, None without one."""
    after = attempt.after
    for reply in after.legal_moves():
        outcome = after.play(reply).outcome
        if outcome is not None and outcome.winner is after.turn:
            return reply
    return None


def _is_safe(attempt: _Attempt) -> bool:
    return _winning_reply(attempt) is None


def _completed(attempt: _Attempt) -> Sequence[tuple[int, Message]]:
    """Return the sum of each line that an attempt has completed, as a number and in words."""
    found = []
    for line, name in zip(LINES, LINE_NAMES, strict=True):
        numbers = [number for each in line if (number := attempt.after.cells[each]) is not None]
        if NINE.index(_cell(attempt)) in line and len(numbers) == len(line):
            words = message(
                "{line} makes {numbers} = {sum}",
                line=name,
                numbers=" + ".join(map(str, numbers)),
                sum=sum(numbers),
            )
            found.append((sum(numbers), words))
    return found


def _winning_sums(attempt: _Attempt) -> tuple[Message, ...]:
    return tuple(words for total, words in _completed(attempt) if total == 15)


def _victory(attempt: _Attempt) -> Message:
    return message("You win: {sums}.", sums=_winning_sums(attempt))


def _missed(attempt: _Attempt) -> Message:
    """Return the sums of the lines that a move completes without winning."""
    sums = tuple(words for _, words in _completed(attempt))
    if not sums:
        return message(
            "{move} completes no line. Look for a line in which two numbers stand already.",
            move=attempt.move,
        )
    return message(
        "{move} completes a line, but not with 15: {sums}.", move=attempt.move, sums=sums
    )


def _lost(attempt: _Attempt) -> Message:
    """Return how the other side wins after an attempt."""
    reply = _winning_reply(attempt)
    if reply is None:
        raise ValueError(f"{attempt.move} does not lose at once")
    answer = TriedMove(attempt.after, reply, attempt.after.play(reply))
    return message(
        "Now Odd plays {reply} and wins: {sums}.", reply=reply, sums=_winning_sums(answer)
    )


LESSON: Lesson[NumericPosition] = Lesson(
    NUMERIC,
    Step(
        "numbers for marks",
        "",
        message(
            "Odd begins, with the numbers 1, 3, 5, 7 and 9. Even has 2, 4, 6 and 8. A turn puts "
            "one number in an empty cell: a1=5 puts 5 in the top left corner."
        ),
        message("You are Odd. Put your highest number in the centre."),
        right(
            ("b2=9",),
            "The 9 is in the centre. You cannot place it again: there is only one of each number.",
        ),
        wrong(
            lambda attempt: _cell(attempt) == "b2",
            "That is the centre, but {number} is not your highest number.",
        ),
        wrong(
            lambda attempt: _number(attempt) == "9",
            "That is your highest number, but {cell} is not the centre. Columns have letters and "
            "rows have numbers, so the centre is b2.",
        ),
        fallback("{move} puts {number} on {cell}. The centre is b2, and your highest number is 9."),
    ),
    Step(
        "fifteen wins",
        "a1=7 b3=4 b2=3 c1=6",
        message(
            "Complete a line of three numbers that makes exactly 15, and you win. Rows, columns "
            "and both diagonals are lines."
        ),
        message("You are Odd, and hold 1, 5 and 9. Win with this move."),
        right(wins, _victory),
        wrong(
            lambda attempt: _cell(attempt) == "c3",
            "The right cell with the wrong number: 7 + 3 + {number} makes {sum}, not 15.",
        ),
        fallback(_missed),
    ),
    Step(
        "anybody's numbers",
        "a3=9 c3=4 b2=7",
        message(
            "It does not matter who placed the other two numbers of a line. The player who places "
            "the last one, and makes 15, wins."
        ),
        message("Now you are Even, and hold 2, 6 and 8. Win with this move."),
        right(wins, "9 + 2 + 4 makes 15. The 9 was Odd's, but you completed the line and win."),
        wrong(
            lambda attempt: _cell(attempt) == "b3",
            "The right cell with the wrong number: 9 + {number} + 4 makes {sum}, not 15.",
        ),
        fallback(_missed),
    ),
    Step(
        "dead lines",
        "b3=1 c1=6 a2=7 c3=2 a1=9 a3=4",
        message(
            "A number that has been placed is gone, so a line that needs it is dead. Two numbers "
            "that make 15 already are no win, and their line is dead, too."
        ),
        message(
            "You are Odd, and hold 3 and 5. Four lines have two numbers, and only one of them is "
            "alive. Win with this move."
        ),
        right(
            wins,
            "6 + 5 + 4 makes 15 in the diagonal. The others were dead. The top row had 15 with two "
            "numbers. The right column needed the 7 that stands on a2. The other diagonal needed "
            "the 4 that stands on a3.",
        ),
        wrong(
            lambda attempt: _cell(attempt) == "b1",
            "9 and 6 make 15 already, so every third number is too much. With {number} the top row "
            "makes {sum}.",
        ),
        wrong(
            lambda attempt: _cell(attempt) == "c2",
            "The right column has 6 + 2 = 8 and needs 7, but the 7 stands on a2 already. With "
            "{number} it makes {sum}.",
        ),
        fallback(
            "The right cell with the wrong number: 6 + 3 + 4 makes 13, and 9 + 3 + 2 makes 14."
        ),
    ),
    Step(
        "stop a threat",
        "c2=9 b3=4 c1=1 b2=8 a3=3",
        message(
            "Take the sum of two numbers in a line from 15. If your opponent holds the result, you "
            "must fill the third cell, or lose."
        ),
        message(
            "You are Even, and hold 2 and 6. Odd holds 5 and 7. You cannot win at once, so stop "
            "Odd from winning."
        ),
        right(
            _is_safe,
            "Column c makes 1 + 9 + 6 = 16, so it is dead, and no other line needs 5 or 7.",
        ),
        wrong(
            ("c3=2",),
            "Column c is stopped. But with 8 in the centre and 2 on c3, the diagonal needs 5, and "
            "Odd wins with a1=5. Before you fill a cell, look at all its lines.",
        ),
        fallback(_lost),
    ),
    Step(
        "a draw",
        "c1=7 c2=2 b3=3 a3=6 c3=1 a2=4 b1=9",
        message(
            "If the board is full and no line makes 15, the game is a draw. It is worth half a "
            "point each, and a win one point."
        ),
        message(
            "You are Even, and 8 is your last number. Odd will put 5 in the cell that you leave. "
            "Save the draw."
        ),
        right(
            _is_safe,
            "Odd has only b2 left, where 5 makes 11, 14, 17 and 18 in its four lines. So the game "
            "is a draw.",
        ),
        fallback(
            "That leaves a1 to Odd. There 5 makes 15 with the 4 and the 6 below it, and Odd wins."
        ),
    ),
    values_of=_values,
)
