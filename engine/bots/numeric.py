"""Perfect play in numeric: an exact search, on hand-made positions too.

The search scores a position by how the game ends and how soon: a win is worth one more than the
cells that it leaves empty, a loss the same below zero, a draw nothing. So a quicker win is worth
more, and the score of a position depends on nothing but the position.
"""

from __future__ import annotations

from itertools import product
from math import inf
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from engine.bots.bot import Choice
from engine.game import Message, Position, Side, message
from engine.grid import LINES, NINE
from engine.numeric import LINE_NAMES, NUMERIC, SIDE_NAMES, TARGET, NumericPosition

if TYPE_CHECKING:
    from collections.abc import Sequence

_LINES_THROUGH: tuple[tuple[int, ...], ...] = tuple(
    tuple(index for index, line in enumerate(LINES) if place in line) for place in range(9)
)
_OTHERS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(other for other in LINES[index] if other != place) for index in indices)
    for place, indices in enumerate(_LINES_THROUGH)
)
"""For each place the two other places of each line through it."""

_SYMMETRIES: tuple[tuple[int, ...], ...] = tuple(
    tuple(
        3 * (2 - row if flipped else row) + (2 - column if mirrored else column)
        for row, column in (
            divmod(place, 3)[::-1] if transposed else divmod(place, 3) for place in range(9)
        )
    )
    for transposed, flipped, mirrored in product((False, True), repeat=3)
)
"""The eight ways to lay the square onto itself."""

_WINS, _FREE, _TWICE = -2, -1, 9
_UNKNOWN = (-9, 9)
_MEMORY = 100_000
"""How many positions a search remembers, in some 40 MB, before it starts afresh."""

_REACHES = (1, 3, 9)
"""How many cells ahead a search that time may end looks, in turn; nine is to the end."""


class _OutOfTime(Exception):
    """The time to think has run out."""


class _Search:
    """Finds scores. It looks `reach` cells ahead and takes what lies beyond for a draw."""

    def __init__(self, position: NumericPosition, reach: int = 9, deadline: float = inf) -> None:
        hands = frozenset(position.odd), frozenset(position.even)
        self.own, self.others = hands if position.turn is Side.X else hands[::-1]
        self.cells = [*position.cells]
        self.twins = _twins(self.cells)
        self.horizon = max(1, position.cells.count(None) - reach)
        self.deadline = deadline
        self.visited = 0
        self.memory: dict[tuple[int | None, ...], tuple[int, int]] = {}

    def score(self, own: frozenset[int], others: frozenset[int], alpha: int, beta: int) -> int:
        """Return the score for the side to move, which holds `own`.

        It is exact where it lies between `alpha` and `beta`, else a bound on the same side of them.
        """
        empty = [place for place in range(9) if self.cells[place] is None]
        left = len(empty)
        if not own or not left:
            return 0
        threat = self._threat(empty, own, others)
        if threat == _WINS:
            return left
        if threat == _TWICE:
            return 1 - left
        if left <= self.horizon:
            return 0
        beta = min(beta, left - 2)  # who does not win at once wins with the third cell at best
        if alpha >= beta:
            return beta
        return self._remembered(own, others, empty if threat == _FREE else [threat], (alpha, beta))

    def _threat(self, empty: Sequence[int], own: frozenset[int], others: frozenset[int]) -> int:
        """Return the place where the opponent threatens to make 15, or one of three signs.

        `_WINS`: the side to move makes 15 itself. `_TWICE`: the opponent threatens in two places.
        """
        cells, found = self.cells, _FREE
        for place in empty:
            for first, second in _OTHERS[place]:
                one, two = cells[first], cells[second]
                if one is None or two is None:
                    continue
                needed = TARGET - one - two
                if needed in own:
                    return _WINS
                if needed in others and found != place:
                    found = place if found == _FREE else _TWICE
        return found

    def _remembered(
        self,
        own: frozenset[int],
        others: frozenset[int],
        empty: Sequence[int],
        window: tuple[int, int],
    ) -> int:
        alpha, beta = window
        key = (*self.cells,)
        lowest, highest = self.memory.get(key, _UNKNOWN)
        if lowest >= beta or lowest == highest:
            return lowest
        if highest <= alpha:
            return highest
        self.visited += 1
        if not self.visited % 256 and monotonic() > self.deadline:
            raise _OutOfTime
        best = self._best(own, others, empty, window)
        if len(self.memory) >= _MEMORY:
            self.memory.clear()
        self.memory[key] = (
            best if best > alpha else lowest,
            best if best < beta else highest,
        )
        return best

    def _best(
        self,
        own: frozenset[int],
        others: frozenset[int],
        empty: Sequence[int],
        window: tuple[int, int],
    ) -> int:
        alpha, beta = window
        best = -9
        for place in empty:
            for number in own:
                self.cells[place] = number
                best = max(best, -self.score(others, own - {number}, -beta, -max(alpha, best)))
                if best >= beta:
                    break
            self.cells[place] = None
            if best >= beta:
                break
        return best

    def scores(self) -> dict[str, int]:
        """Return the exact score of each move of a position that is not over.

        Raises `_OutOfTime`.
        """
        scores: dict[tuple[int, int], int] = {}
        for place, cell in enumerate(self.cells):
            for number in sorted(self.own) if cell is None else ():
                twin = scores.get((self.twins[place], number))
                scores[place, number] = self._after(place, number) if twin is None else twin
        return {f"{NINE[place]}={number}": score for (place, number), score in scores.items()}

    def _after(self, place: int, number: int) -> int:
        if self._makes_15(place, number):
            return self.cells.count(None)
        self.cells[place] = number
        try:
            return -self.score(self.others, self.own - {number}, *_UNKNOWN)
        finally:
            self.cells[place] = None

    def _makes_15(self, place: int, number: int) -> bool:
        return bool(_lines_made(self.cells, place, number))

    def traps(self, place: int, number: int) -> float:
        """Return the share of the replies to a move that are mistakes.

        Raises `_OutOfTime`.
        """
        own = self.own - {number}
        self.cells[place] = number
        try:
            best = _sign(self.score(self.others, own, -1, 1))
            replies = [
                (reply, answer)
                for reply, cell in enumerate(self.cells)
                for answer in (self.others if cell is None else ())
            ]
            wrong = sum(best > self._answered(own, *reply, best) for reply in replies)
        finally:
            self.cells[place] = None
        return wrong / len(replies) if replies else 0.0

    def _answered(self, own: frozenset[int], reply: int, answer: int, best: int) -> int:
        """Return what a reply is worth to the opponent, exact where it is less than `best`."""
        if best < 0 or self._makes_15(reply, answer):
            return best
        self.cells[reply] = answer
        try:
            return -_sign(self.score(own, self.others - {answer}, -1, 1))
        finally:
            self.cells[reply] = None


class _Verdict(NamedTuple):
    """What is known of a position: the best moves, what they score, and whether that is proven."""

    moves: tuple[str, ...]
    score: int
    proven: bool
    tempting: bool
    visited: int


class PerfectNumeric:
    """Never gives away what theory gives it, and makes the opponent look for the way."""

    def __init__(self) -> None:
        self._known: dict[Position, _Verdict] = {}

    def warm(self) -> None:
        """Think over the first move, which takes longest."""
        self._verdict(_checked(NUMERIC.start), inf)

    def choose(self, position: Position, seconds: float, chance: Random) -> Choice:
        """Return one of the best moves of a numeric position that is not over.

        Of winning moves it takes the quickest, of losing ones those that hold out longest, then
        those where most replies are mistakes. Where time runs out, as it may with many more numbers
        than the game has, it looks some moves ahead and says that nothing is proven.

        Raises `TypeError` for another game's position, `ValueError` for one that is over.
        """
        numeric = _checked(position)
        if numeric.outcome is not None:
            raise ValueError("The game is over: there is no move to choose")
        verdict = self._verdict(numeric, monotonic() + seconds)
        move = chance.choice(verdict.moves)
        sign = _sign(verdict.score)
        return Choice(
            move, (1 + sign) / 2, verdict.proven, _reason(numeric, move, verdict), verdict.visited
        )

    def _verdict(self, position: NumericPosition, deadline: float) -> _Verdict:
        verdict = self._known.get(position)
        if verdict is None:
            verdict = _judged(position, deadline)
            if verdict.proven:
                if len(self._known) >= 1000:
                    self._known.clear()
                self._known[position] = verdict
        return verdict


def solve(position: NumericPosition) -> float:
    """Return the points that the side to move can force, less the opponent's: 1, 0 or -1.

    A position of the game takes milliseconds. One made by hand with dozens of numbers on an empty
    board may take minutes.
    """
    if position.outcome is not None:
        return _points(position)
    search = _Search(position)
    return float(_sign(search.score(search.own, search.others, -1, 1)))


def values(position: NumericPosition) -> dict[str, float]:
    """Return for each legal move what `solve` gives the side to move after it."""
    if position.outcome is not None:
        return {}
    return {move: float(_sign(score)) for move, score in _Search(position).scores().items()}


def suggest_numeric(
    position: NumericPosition, side: Side | None = None, seconds: float = 1.0
) -> str | None:
    """Return the best move for `side`, or None where it has none.

    The position may be made by hand. `side` need not be the side to move: the move is then the best
    if it were. A lost side gets a move too. There is none in a game that has been won, on a full
    board, or for a side that holds no number.
    """
    side = side or position.turn
    if position.won:
        return None
    if side is not position.turn:
        position = NumericPosition.set_up(position.cells, position.odd, position.even, side)
    if position.outcome is not None:
        return None
    chance = Random(0)  # noqa: S311 - no secret: the same position gets the same suggestion
    return PerfectNumeric().choose(position, seconds, chance).move


def _judged(position: NumericPosition, deadline: float) -> _Verdict:
    left = position.cells.count(None)
    scores = dict.fromkeys(position.legal_moves(), 0)
    proven, visited = False, 0
    reaches = _REACHES if deadline < inf and len(position.odd + position.even) > left + 1 else (9,)
    for reach in reaches:
        search = _Search(position, reach, deadline)
        try:
            scores = search.scores()
        except _OutOfTime:
            break
        finally:
            visited += search.visited
        proven = reach >= left or max(scores.values()) > 0
        if proven:
            break
    score = max(scores.values())
    best = [move for move in scores if scores[move] == score]
    shares = _shares_of_traps(best, search, score) if proven else dict.fromkeys(best, 0.0)
    most = max(shares.values(), default=0.0)
    moves = tuple(move for move in best if shares.get(move, 0.0) == most)
    return _Verdict(moves, score, proven, most > 0, visited)


def _shares_of_traps(moves: Sequence[str], search: _Search, score: int) -> dict[str, float]:
    """Return for each move which share of the replies are mistakes, as far as time goes."""
    shares: dict[str, float] = {}
    if score > 0 or len(moves) == 1:
        return shares
    try:
        for move in moves:
            cell, _, number = move.partition("=")
            place = NINE.index(cell)
            twin = shares.get(f"{NINE[search.twins[place]]}={number}")
            shares[move] = search.traps(place, int(number)) if twin is None else twin
    except _OutOfTime:
        return {}
    return shares


def _reason(position: NumericPosition, move: str, verdict: _Verdict) -> Message | None:
    cell, _, digits = move.partition("=")
    place, number = NINE.index(cell), int(digits)
    cells = [*position.cells]
    if made := _lines_made(cells, place, number):
        return message("makes 15 in {lines}", lines=_names(made))
    opponent = position.turn.other
    theirs = position.odd if opponent is Side.X else position.even
    blocked = {index for held in theirs for index in _lines_made(cells, place, held)}
    if blocked:
        return message("blocks 15 in {lines}", lines=_names(sorted(blocked)))
    if len(position.legal_moves()) == 1:
        return message("is the only move")
    if not verdict.proven:
        return None
    return _prospect(verdict, SIDE_NAMES[opponent])


def _prospect(verdict: _Verdict, opponent: Message) -> Message:
    if verdict.score > 0:
        return message("wins whatever {side} replies", side=opponent)
    if verdict.score == 0 and verdict.tempting:
        return message("keeps the draw and sets {side} a trap", side=opponent)
    if verdict.score == 0:
        return message("keeps the draw")
    if verdict.tempting:
        return message("loses if {side} finds the right replies", side=opponent)
    return message("loses, as every move does")


def _lines_made(cells: Sequence[int | None], place: int, number: int) -> tuple[int, ...]:
    """Return the indices of the lines that make 15 when `number` is put in an empty place."""
    return tuple(
        index
        for index, (first, second) in zip(_LINES_THROUGH[place], _OTHERS[place], strict=True)
        if (one := cells[first]) is not None
        and (two := cells[second]) is not None
        and one + two + number == TARGET
    )


def _twins(cells: Sequence[int | None]) -> tuple[int, ...]:
    """Return for each place the first of those that the symmetries of the position make of it."""
    same = [
        symmetry
        for symmetry in _SYMMETRIES
        if all(cells[symmetry[place]] == cells[place] for place in range(9))
    ]
    return tuple(min(symmetry[place] for symmetry in same) for place in range(9))


def _names(lines: Sequence[int]) -> tuple[Message, ...]:
    return tuple(LINE_NAMES[index] for index in lines)


def _points(position: NumericPosition) -> float:
    outcome = position.outcome
    if outcome is None:
        raise ValueError("The game is not over")
    odd, even = outcome.points
    return float(odd - even if position.turn is Side.X else even - odd)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _checked(position: Position) -> NumericPosition:
    if not isinstance(position, NumericPosition):
        raise TypeError("This bot plays numeric alone")
    return position
