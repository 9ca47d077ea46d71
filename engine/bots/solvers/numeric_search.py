"""Exact search in numeric, for a board with any numbers on it and in the hands.

The search scores a position by how the game ends and how soon: a win is worth one more than the
cells that it leaves empty, a loss the same below zero, a draw nothing. So a quicker win is worth
more, and the score of a position depends on nothing but the position.
"""

from collections.abc import Callable, Sequence
from math import inf
from operator import itemgetter
from time import monotonic
from typing import TypeAlias

from engine.boards.grid import LINES, NINE, SYMMETRIES
from engine.game import Side
from engine.variants.numeric import NUMERIC, TARGET, NumericPosition

_LINES_THROUGH: tuple[tuple[int, ...], ...] = tuple(
    tuple(index for index, line in enumerate(LINES) if place in line) for place in range(9)
)
_OTHERS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(other for other in LINES[index] if other != place) for index in indices)
    for place, indices in enumerate(_LINES_THROUGH)
)
"""For each place the two other places of each line through it."""

_WINS, _FREE, _TWICE = -2, -1, 9
_UNKNOWN = (-9, 9)
_MEMORY = 100_000
"""The number of positions that are remembered, in some 40 MB, before all are forgotten."""

_IMAGES = tuple(itemgetter(*symmetry) for symmetry in SYMMETRIES)
_FEW = 4
"""With this many empty cells or fewer, a search is quicker than a look at all images."""

_Memory: TypeAlias = dict[tuple[float, ...], tuple[int, int]]
"""The lowest and the highest score of a position, by its cells; an empty one is minus infinity."""

_START = NumericPosition.of(NUMERIC.start)
_of_the_game: _Memory = {}
"""The memory of all searches of the game itself to its end: its cells say who holds which number.
"""


class OutOfTime(Exception):
    """The time to think has run out."""


class NumericSearch:
    """Finds scores. It looks `reach` cells ahead and takes what lies beyond for a draw."""

    def __init__(self, position: NumericPosition, reach: int = 9, deadline: float = inf) -> None:
        hands = frozenset(position.odd), frozenset(position.even)
        self.own, self.others = hands if position.turn is Side.X else hands[::-1]
        self.cells = [*position.cells]
        self.twins = _twins(self.cells)
        self.horizon = max(1, position.cells.count(None) - reach)
        self.deadline = deadline
        self.visited = 0
        self.memory = _of_the_game if reach == 9 and _is_of_the_game(position) else {}

    def score(self, own: frozenset[int], others: frozenset[int], alpha: int, beta: int) -> int:
        """Return the score for the side to move, which holds `own`.

        It is exact if it lies between `alpha` and `beta`, else a bound on the same side of them.
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
        beta = min(beta, left - 2)  # a win that is not immediate takes three more cells at least
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
        key = self._key()
        lowest, highest = self.memory.get(key, _UNKNOWN)
        if lowest >= beta or lowest == highest:
            return lowest
        if highest <= alpha:
            return highest
        self.visited += 1
        if not self.visited % 256 and monotonic() > self.deadline:
            raise OutOfTime
        best = self._best(own, others, empty, window)
        if len(self.memory) >= _MEMORY:
            self.memory.clear()
        self.memory[key] = (best if best > alpha else lowest, best if best < beta else highest)
        return best

    def _key(self) -> tuple[float, ...]:
        """Return what the memory knows the cells by; with many empty ones, the least image."""
        cells = tuple([-inf if cell is None else cell for cell in self.cells])
        if cells.count(-inf) <= _FEW:
            return cells
        return min([image(cells) for image in _IMAGES])

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

    def signs(self) -> dict[str, int]:
        """Return for each move of a position that is not over: 1 wins, 0 draws, -1 loses."""
        return {move: sign_of(score) for move, score in self._scores(lambda _: (-1, 1)).items()}

    def best_scores(self, within: int = 0) -> dict[str, int]:
        """Return the score of each move that no other move beats, or none by more than `within`.

        Raises `OutOfTime`.
        """
        scores = self._scores(lambda best: (best - within - 1, 9))
        enough = max(scores.values()) - within
        return {move: score for move, score in scores.items() if score >= enough}

    def _scores(self, window: Callable[[int], tuple[int, int]]) -> dict[str, int]:
        """Return the scores of all moves, each exact within the window for the best one so far."""
        scores: dict[tuple[int, int], int] = {}
        best = -9
        for place, cell in enumerate(self.cells):
            for number in sorted(self.own) if cell is None else ():
                score = scores.get((self.twins[place], number))
                if score is None:
                    score = self._after(place, number, *window(best))
                scores[place, number] = score
                best = max(best, score)
        return {f"{NINE[place]}={number}": score for (place, number), score in scores.items()}

    def _after(self, place: int, number: int, alpha: int, beta: int) -> int:
        if lines_made(self.cells, place, number):
            return self.cells.count(None)
        self.cells[place] = number
        score = -self.score(self.others, self.own - {number}, -beta, -alpha)
        self.cells[place] = None
        return score

    def traps(self, place: int, number: int) -> float:
        """Return the share of the replies to a move that are mistakes.

        Raises `OutOfTime`.
        """
        own = self.own - {number}
        self.cells[place] = number
        best = sign_of(self.score(self.others, own, -1, 1))
        replies = [
            (reply, answer)
            for reply, cell in enumerate(self.cells)
            for answer in (self.others if cell is None else ())
        ]
        wrong = sum(best > self._answered(own, *reply, best) for reply in replies)
        self.cells[place] = None
        return wrong / len(replies) if replies else 0.0

    def _answered(self, own: frozenset[int], reply: int, answer: int, best: int) -> int:
        """Return what a reply is worth to the opponent, exact if it is less than `best`."""
        if best < 0 or lines_made(self.cells, reply, answer):
            return best
        self.cells[reply] = answer
        value = -sign_of(self.score(own, self.others - {answer}, -1, 1))
        self.cells[reply] = None
        return value


def _is_of_the_game(position: NumericPosition) -> bool:
    """Return whether the game has this position, or one that differs by who placed which number."""
    placed = {*position.cells}
    hands = {*_START.odd} - placed, {*_START.even} - placed
    is_odds_turn = position.cells.count(None) % 2 == 1
    return ({*position.odd}, {*position.even}) == hands and (
        position.turn is Side.X
    ) is is_odds_turn


def lines_made(cells: Sequence[int | None], place: int, number: int) -> tuple[int, ...]:
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
        for symmetry in SYMMETRIES
        if all(cells[symmetry[place]] == cells[place] for place in range(9))
    ]
    return tuple(min(symmetry[place] for symmetry in same) for place in range(9))


def sign_of(score: int) -> int:
    """Return 1 for a winning score, 0 for a draw, -1 for a losing one."""
    return (score > 0) - (score < 0)
