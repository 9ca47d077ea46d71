"""Perfect play in numeric, also from positions made by hand: quick wins, long defences, traps."""

from collections.abc import Sequence
from math import inf
from random import Random
from time import monotonic
from typing import NamedTuple

from engine.boards.grid import NINE
from engine.boards.line_names import IN_LINE
from engine.bots.bot import Choice, require_running
from engine.bots.evaluators import solving
from engine.bots.solvers.numeric_search import NumericSearch, OutOfTime, lines_made, sign_of
from engine.game import Position, Side
from engine.messages import Message, in_context
from engine.variants.numeric import NUMERIC, SIDE_NAMES, NumericPosition

_REACHES = (1, 3, 9)
"""The depths, in cells, of the searches that time may end, in turn; nine is to the end."""


_EARLY, _NEARLY = 6, 0.85
"""While at least this many cells are empty, a bot that varies also plays moves in a lost position
to which nearly as many replies are mistakes: at least this share of the highest number."""

_FIRST_REPLY, _SOONER = 8, 2
"""With this many cells empty, it also plays moves that hold out a turn, or two cells, less."""


class _Verdict(NamedTuple):
    """The solution of a position: the best moves, their score, and whether that is proven."""

    moves: tuple[str, ...]
    score: int
    proven: bool
    tempting: bool
    visited: int


NUMERIC_NUMBERS = range(1, 10)
"""The numbers that the game has."""


class PerfectNumeric:
    """Never gives away what theory gives it, and makes the opponent look for the way.

    If `varies` is true, it is content early in a lost game with moves that are nearly as hard to
    answer as the hardest, so that games begin in more ways.
    """

    def __init__(self, *, varies: bool = False) -> None:
        self._varies = varies
        self._known: dict[Position, _Verdict] = {}

    def warm(self) -> None:
        """Think over the first move, which takes longest."""
        self._verdict(NumericPosition.of(NUMERIC.start), inf)

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        """Return one of the best moves of a numeric position that is not over.

        Of winning moves it takes the quickest, of losing ones those that hold out longest, then
        those where most replies are mistakes, or nearly as long and as many. With the game's own
        numbers that takes a moment, independent of `seconds`. With more it looks as far ahead as
        the time allows, and says so if nothing is proven.

        Raises `TypeError` for another game's position, `ValueError` for one that is over.
        """
        numeric = NumericPosition.of(position)
        require_running(numeric)
        numbers = len(numeric.odd) + len(numeric.even)
        is_of_the_game = numbers <= len(NUMERIC_NUMBERS)
        deadline = inf if is_of_the_game else monotonic() + seconds
        verdict = self._verdict(numeric, deadline)
        move = rng.choice(verdict.moves)
        sign = sign_of(verdict.score)
        reason = _reason(numeric, move, verdict, deadline)
        return Choice(move, (1 + sign) / 2, verdict.proven, reason, verdict.visited)

    def _verdict(self, position: NumericPosition, deadline: float) -> _Verdict:
        verdict = self._known.get(position)
        if verdict is None:
            verdict = _judged(position, deadline, varies=self._varies)
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
        return 2 * position.outcome.value_for(position.turn) - 1
    search = NumericSearch(position)
    return float(sign_of(search.score(search.own, search.others, -1, 1)))


def values(position: NumericPosition) -> dict[str, float]:
    """Return for each legal move what `solve` gives the side to move after it."""
    if position.outcome is not None:
        return {}
    return {move: float(sign) for move, sign in NumericSearch(position).signs().items()}


def _judged(position: NumericPosition, deadline: float, *, varies: bool) -> _Verdict:
    left = position.cells.count(None)
    best = dict.fromkeys(position.legal_moves(), 0)
    proven, visited = False, 0
    reaches = _REACHES if deadline < inf and len(position.odd + position.even) > left + 1 else (9,)
    for reach in reaches:
        search = NumericSearch(position, reach, deadline)
        try:
            best = search.best_scores(_SOONER if varies and left == _FIRST_REPLY else 0)
        except OutOfTime:
            break
        finally:
            visited += search.visited
        proven = reach >= left or max(best.values()) > 0
        if proven:
            break
    score = max(best.values())
    if score >= 0:
        best = {move: worth for move, worth in best.items() if worth == score}
    shares = _shares_of_traps([*best], search) if proven and score <= 0 else {}
    largest = max(shares.values(), default=0.0)
    enough = largest * _NEARLY if varies and score < 0 and left >= _EARLY else largest
    moves = tuple(move for move in best if shares.get(move, 0.0) >= enough)
    return _Verdict(moves, score, proven, largest > 0, visited)


def _shares_of_traps(moves: Sequence[str], search: NumericSearch) -> dict[str, float]:
    """Return for each move which share of the replies are mistakes; nothing if time runs out."""
    shares: dict[str, float] = {}
    try:
        for move in moves:
            cell, _, number = move.partition("=")
            place = NINE.index(cell)
            twin = shares.get(f"{NINE[search.twins[place]]}={number}")
            shares[move] = search.traps(place, int(number)) if twin is None else twin
    except OutOfTime:
        return {}
    return shares


def _reason(
    position: NumericPosition, move: str, verdict: _Verdict, deadline: float
) -> Message | None:
    cell, _, digits = move.partition("=")
    place, number = NINE.index(cell), int(digits)
    cells = [*position.cells]
    if made := lines_made(cells, place, number):
        # Translators: {lines} are lines with the context “in a line”.
        return in_context("what a move does", "makes 15 in {lines}", lines=_names(made))
    opponent = position.turn.other
    theirs = position.odd if opponent is Side.X else position.even
    blocked = {index for held in theirs for index in lines_made(cells, place, held)}
    if blocked:
        # Translators: {lines} are lines with the context “in a line”.
        block = in_context(
            "what a move does", "blocks 15 in {lines}", lines=_names(sorted(blocked))
        )
        if verdict.score >= 0:
            return block
        loss = _test(position, move, deadline) or in_context("what a move does", "still loses")
        # Translators: {block} is “blocks 15 in row 2”, {loss} is “still loses” or “loses only if
        # Odd finds a1=3”.
        return in_context("what a move does", "{block}, but {loss}", block=block, loss=loss)
    if len(position.legal_moves()) == 1:
        return in_context("what a move does", "is the only move")
    if verdict.proven and verdict.score < 0:
        return _test(position, move, deadline) or in_context(
            "what a move does", "loses, as every move does"
        )
    return _prospect(verdict, SIDE_NAMES[opponent]) if verdict.proven else None


def _prospect(verdict: _Verdict, opponent: Message) -> Message:
    if verdict.score > 0:
        # Translators: {side} is X or O, or Odd or Even.
        return in_context("what a move does", "wins whatever {side} replies", side=opponent)
    if verdict.tempting:
        # Translators: {side} is X or O, or Odd or Even.
        return in_context(
            "what a move does", "keeps the draw and sets {side} a trap", side=opponent
        )
    return in_context("what a move does", "keeps the draw")


def _test(position: NumericPosition, move: str, deadline: float) -> Message | None:
    """Return which replies to a losing move the opponent has to find; None if any will do.

    None is also the answer if the time runs out.
    """
    search = NumericSearch(position.play(move), deadline=deadline)
    try:
        signs = search.signs()
    except OutOfTime:
        return None
    winning = tuple(reply for reply, sign in signs.items() if sign > 0)
    if len(winning) == len(signs):
        return None
    side = SIDE_NAMES[position.turn.other]
    if len(winning) == 1:
        # Translators: {side} is Odd or Even, {reply} a move.
        return in_context(
            "what a move does", "loses only if {side} finds {reply}", side=side, reply=winning[0]
        )
    # Translators: {side} is Odd or Even, {replies} a list of moves.
    return in_context(
        "what a move does",
        "loses only if {side} finds one of {replies}",
        side=side,
        replies=winning,
    )


def _names(lines: Sequence[int]) -> tuple[Message, ...]:
    return tuple(IN_LINE[index] for index in lines)


EVALUATOR = solving(lambda position: solve(NumericPosition.of(position)), PerfectNumeric)
"""The evaluator of numeric."""
