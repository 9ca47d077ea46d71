"""The worth of every position of quantum: a table of the first four moves, then exact search.

Values are X's points less O's, in half points: 2, 1, 0, -1 or -2.

A part is a set of connected squares, an empty square being a part by itself. As long as no cycle is
closed a part is a tree, so that its settling depends on one thing: its root, the square where the
mark that closes a cycle settles. Every other square then takes the mark that joins it to the next
square towards the root. A part is stored as what it settles to for each of its squares as root.
Each move leaves one part less, as it joins two of them or closes a cycle in one. The side that
closes a cycle in a part names two roots, and the opponent takes the better one for itself: so there
is a closing move that reaches something exactly when two of the roots do.

What has settled is one integer, five masks of nine squares each: all X marks, all O marks, the X
marks up to 5, those up to 7, the O marks up to 6. That is all the scoring asks: three marks of one
side always have a highest subscript of 5 or more with X, of 6 or more with O.
"""

import zlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from engine.boards.grid import FULL, HAS_LINE, SYMMETRIES, places
from engine.game import Side

if TYPE_CHECKING:
    from engine.variants.quantum import QuantumPosition

    Part = tuple[tuple[int, int], ...]
    """Each square of a part, and what the others settle to if it is the root."""


OPENING_MOVES = 4
"""The table has the positions after up to this many moves, except those that await a choice."""

NO_MARK = 45
"""The digit in a key of a mark that has not been made yet."""

_O, _X_TO_5, _X_TO_7, _O_TO_6 = 9, 18, 27, 36
_LINE = bytes(HAS_LINE)
_PAIRS = tuple(1 << first | 1 << second for first in range(9) for second in range(first + 1, 9))


def _mark(number: int, square: int) -> int:
    bit = 1 << square
    if number % 2:
        return bit | (bit << _X_TO_5 if number <= 5 else 0) | (bit << _X_TO_7 if number <= 7 else 0)
    return bit << _O | (bit << _O_TO_6 if number <= 6 else 0)


_MARKS = ((), *(tuple(_mark(number, square) for square in range(9)) for number in range(1, 10)))
"""For each subscript and square the mark that settles there."""


def _scores_x(settled: int) -> bool:
    """Return whether X scores the point, and O half of one, if both have three in a row."""
    if _LINE[settled >> _X_TO_5 & FULL]:
        return True
    return not _LINE[settled >> _O_TO_6 & FULL] and bool(_LINE[settled >> _X_TO_7 & FULL])


def _ended(settled: int) -> int | None:
    """Return the value of a game that has ended with three in a row, else None."""
    x_line, o_line = _LINE[settled & FULL], _LINE[settled >> _O & FULL]
    if x_line and o_line:
        return 1 if _scores_x(settled) else -1
    if x_line:
        return 2
    return -2 if o_line else None


_NO, _YES, _TIE = 0, 1, 2


def _full_board(x_marks: int, points: int) -> int:
    """Return whether a full board is worth `points` or more; `_TIE`: if X scores the point."""
    x_line, o_line = HAS_LINE[x_marks], HAS_LINE[x_marks ^ FULL]
    if x_line and o_line:
        return _NO if points == 2 else _YES if points == -1 else _TIE
    return int((2 * x_line - 2 * o_line) >= points)


_FULL_BOARD = {
    points: bytes(_full_board(x_marks, points) for x_marks in range(FULL + 1))
    for points in (2, 1, 0, -1)
}


class _Goal(NamedTuple):
    """The goal of X: `points` or more. After move `limit` it counts as `beyond`."""

    points: int
    limit: int = 9
    beyond: bool = False


def _reaches(settled: int, parts: "tuple[Part, ...]", number: int, goal: _Goal) -> bool:
    """Return whether X reaches the goal if move `number` comes next."""
    if number > goal.limit:
        return goal.beyond
    if len(parts) == 1:
        return _last_reaches(settled, parts[0], goal.points)
    if len(parts) == 2 and goal.limit == 9:
        return _eighth_reaches(settled, parts[0], parts[1], goal.points)
    wanted = number % 2 == 1
    for index, part in enumerate(parts):
        rest = parts[:index] + parts[index + 1 :]
        if len(part) > 1 and _closing_serves(settled, part, rest, (number, goal)):
            return wanted
    for index, part in enumerate(parts):
        for later in range(index + 1, len(parts)):
            rest = parts[:index] + parts[index + 1 : later] + parts[later + 1 :]
            for joined in _joined(part, parts[later], number):
                if _reaches(settled, (*rest, joined), number + 1, goal) is wanted:
                    return wanted
    return not wanted


def _closing_serves(
    settled: int, part: "Part", rest: "tuple[Part, ...]", turn: tuple[int, _Goal]
) -> bool:
    """Return whether two roots of a part are what the side wants that closes a cycle in it."""
    number, goal = turn
    marks, wanted = _MARKS[number], number % 2 == 1
    found = False
    for root, others in part:
        now = settled | others | marks[root]
        value = _ended(now)
        reached = _reaches(now, rest, number + 1, goal) if value is None else value >= goal.points
        if reached is wanted:
            if found:
                return True
            found = True
    return False


def _joined(first: "Part", second: "Part", number: int) -> "list[Part]":
    """Return all that move `number` can make of two parts, by a square of each."""
    marks = _MARKS[number]
    joined = []
    for square, others in first:
        below_first = others | marks[square]
        for other_square, other_others in second:
            below_second = other_others | marks[other_square]
            joined.append(
                (
                    *[(root, rest | below_second) for root, rest in first],
                    *[(root, rest | below_first) for root, rest in second],
                )
            )
    return joined


def _last_reaches(settled: int, part: "Part", points: int) -> bool:
    """Return whether X's last move, in the only part that is left, reaches `points`."""
    found = _count(settled, part, points, 2)
    return found == 2 or (found == 1 and len(part) == 1)


def _count(settled: int, part: "Part", points: int, enough: int) -> int:
    """Return how many roots of the last part reach `points`, but no more than `enough`."""
    full_board, marks = _FULL_BOARD[points], _MARKS[9]
    found = 0
    for root, others in part:
        now = settled | others | marks[root]
        reached = full_board[now & FULL]
        if reached and (reached == _YES or _scores_x(now)):
            found += 1
            if found == enough:
                break
    return found


def _eighth_reaches(settled: int, first: "Part", second: "Part", points: int) -> bool:
    """Return whether X reaches `points` if O makes the eighth move with two parts left.

    If O joins the parts, the roots in one of them that reach `points` depend on nothing but the
    square that O marks in the other: so O finds the best squares one by one.
    """
    for part, rest in ((first, second), (second, first)):
        if len(part) > 1 and _closing_serves(settled, part, (rest,), (8, _Goal(points))):
            return False
    fewest = _fewest(settled, first, second, points)
    return fewest == 2 or fewest + _fewest(settled, second, first, points) >= 2


def _fewest(settled: int, part: "Part", other: "Part", points: int) -> int:
    """Return how few roots of `part` O's eighth mark in a square of `other` leaves, 2 at most."""
    marks = _MARKS[8]
    fewest = 2
    for square, others in other:
        fewest = _count(settled | others | marks[square], part, points, fewest)
        if not fewest:
            break
    return fewest


def _parts(position: "QuantumPosition") -> "tuple[int, tuple[Part, ...]]":
    """Return what has settled and the parts of a position that awaits no choice."""
    settled = 0
    part_of: dict[int, Part] = {}
    for square, number in enumerate(position.settled):
        if number:
            settled |= _MARKS[number][square]
        else:
            part_of[square] = ((square, 0),)
    for number, pair in enumerate(position.spooky, start=1):
        if pair:
            first, second = places(pair)
            marks, one, two = _MARKS[number], part_of[first], part_of[second]
            below_first, below_second = dict(one)[first], dict(two)[second]
            joined = (
                *[(root, rest | below_second | marks[second]) for root, rest in one],
                *[(root, rest | below_first | marks[first]) for root, rest in two],
            )
            part_of.update(dict.fromkeys([root for root, _ in joined], joined))
    return settled, tuple(dict.fromkeys(part_of.values()))


_IMAGES: tuple[tuple[int, ...], ...] = tuple(
    (
        *[_PAIRS.index(sum(1 << image[place] for place in places(pair))) for pair in _PAIRS],
        *[len(_PAIRS) + place for place in image],
        NO_MARK,
    )
    for image in SYMMETRIES
)
"""The digits of a key under each symmetry of the square."""


def opening_key(position: "QuantumPosition") -> int:
    """Return the key of a position that awaits no choice in the table of openings.

    A mark is 0 to 35 while it is in a pair of squares (a1+b1, a1+c1, ... b3+c3), 36 to 44 once it
    has settled (in a1, b1, ... c3), `NO_MARK` before it is made. A key has the marks of moves 1, 3,
    2 and 4 as digits to the base 46. What is worth the same has the same key, the lowest: positions
    that are turned or mirrored, or where marks 1 and 3, or 2 and 4, have changed places.
    """
    marks = [NO_MARK] * OPENING_MOVES
    for index, pair in enumerate(position.spooky):
        marks[index] = _PAIRS.index(pair) if pair else 36 + position.settled.index(index + 1)
    keys = []
    for image in _IMAGES:
        one, two, three, four = image[marks[0]], image[marks[1]], image[marks[2]], image[marks[3]]
        if one > three:
            one, three = three, one
        if two > four:
            two, four = four, two
        keys.append(((one * 46 + three) * 46 + two) * 46 + four)
    return min(keys)


@cache
def opening_table() -> bytes:
    """Return the table of openings: at each key the value plus 3, or 0 if there is none."""
    packed = files("engine.bots.solvers").joinpath("quantum_openings.bin").read_bytes()
    return zlib.decompress(packed)


def searched(position: "QuantumPosition") -> int:
    """Return the value of a position that is not over and awaits no choice, by search alone."""
    settled, parts = _parts(position)
    number = len(position.spooky) + 1
    if _reaches(settled, parts, number, _Goal(0)):
        higher = [points for points in (1, 2) if _reaches(settled, parts, number, _Goal(points))]
        return max(higher, default=0)
    return -1 if _reaches(settled, parts, number, _Goal(-1)) else -2


def value(position: "QuantumPosition") -> int:
    """Return the exact value of any position."""
    if position.outcome is not None:
        x_points, o_points = position.outcome.points
        return round(2 * (x_points - o_points))
    if position.measuring:
        choices = [value(position.play(choice)) for choice in position.choices]
        return max(choices) if position.turn is Side.X else min(choices)
    if len(position.spooky) <= OPENING_MOVES:
        return opening_table()[opening_key(position)] - 3
    return searched(position)


def reaches(position: "QuantumPosition", points: int) -> bool:
    """Return whether the value of a position is `points` or more; quicker than the value itself."""
    if points <= -2 or points > 2:
        return points <= -2
    if position.outcome is not None or len(position.spooky) <= OPENING_MOVES:
        return value(position) >= points
    return _reaches_within(position, _Goal(points))


def wins_by(position: "QuantumPosition", side: Side, limit: int) -> bool:
    """Return whether `side` can force that it wins outright, the game ending by move `limit`."""
    if side is Side.X:
        return _reaches_within(position, _Goal(2, limit, beyond=False))
    return not _reaches_within(position, _Goal(-1, limit, beyond=True))


def _reaches_within(position: "QuantumPosition", goal: _Goal) -> bool:
    if position.outcome is not None:
        return value(position) >= goal.points
    if position.measuring:
        choices = (_reaches_within(position.play(choice), goal) for choice in position.choices)
        return any(choices) if position.turn is Side.X else all(choices)
    settled, parts = _parts(position)
    return _reaches(settled, parts, len(position.spooky) + 1, goal)
