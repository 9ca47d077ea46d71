"""Puzzles of quantum, proven by the solver, which knows what every move is worth in half points.

A puzzle is a position where one move alone is worth most. What best play brings is the points of
the side to move less the other side's: 1 is a win, ½ a win in which both have a line, 0 a draw. How
far one must look is how many own marks are placed until the game ends by best play.
"""

from collections.abc import Iterator, Sequence
from random import Random

from engine.bots.solvers.quantum import PerfectQuantum, values
from engine.game import Position
from engine.messages import Message, in_context, message
from engine.puzzles.model import Proof, Puzzle, Refutation, Task, Value
from engine.puzzles.proofs import Proven, Prover
from engine.variants.quantum import QuantumPosition

_TASKS: dict[float, tuple[Task, Value | float]] = {
    1.0: (Task.WIN, Value.WIN),
    0.5: (Task.WIN_POINTS, 0.5),
    0.0: (Task.SAVE, Value.DRAW),
    -0.5: (Task.SAVE_POINTS, -0.5),
}
"""The task and its wording, by the value of a position."""

_MIN_MOVES = 3
"""A measurement's two choices, or the last square, make no puzzle."""


class QuantumProver(Prover):
    """Proves by the exact value of every move."""

    def prove(self, position: Position) -> Proven | None:
        """Return what is proven of a position where one move alone is worth most."""
        quantum = QuantumPosition.of(position)
        worth = values(quantum)
        if len(worth) < _MIN_MOVES:
            return None
        best = max(worth.values())
        solutions = tuple(move for move, value in worth.items() if value == best)
        if best not in _TASKS or len(solutions) != 1:
            return None
        task, before = _TASKS[best]
        line = (solutions[0], *_best_line(quantum.play(solutions[0])))
        refutations = {
            move: _best_line(quantum.play(move)) for move in worth if move not in solutions
        }
        return Proven(
            task=task,
            turns=None,
            solutions=solutions,
            line=line,
            before=before,
            proof=Proof.EXACT,
            look=_own_marks(quantum, line),
            tempting=sum(len(answer) > 1 for answer in refutations.values()),
            refutations=refutations,
        )

    def refutation(self, puzzle: Puzzle, position: Position, move: str) -> Refutation:
        """Return the other side's best reply, the line from there to the end, and what it brings.

        The line is stored with the puzzle; it takes long to find only after the fourth move.
        """
        after = QuantumPosition.of(position).play(move)
        line = puzzle.refutations.get(move)
        if line is None:
            line = _best_line(after)
        return Refutation(move, line, tuple(_sentences(move, after, line)))

    def fault(self, position: Position, move: str, better: str) -> tuple[Message, ...]:
        """Return the other side's best reply, and what it brings."""
        del better
        after = QuantumPosition.of(position).play(move)
        return tuple(_sentences(move, after, _best_line(after)))

    def idea(self, puzzle: Puzzle, position: Position) -> Message:
        """Return whether the right move closes a cycle."""
        quantum = QuantumPosition.of(position)
        other = quantum.turn.other
        if quantum.play(puzzle.solutions[0]).measuring:
            return message(
                "The right move closes a cycle. Compare both choices of {other}.", other=other
            )
        if any(quantum.play(move).measuring for move in quantum.legal_moves()):
            return message(
                "The right move closes no cycle. See which cycles {other} could close.", other=other
            )
        return message(
            "No cycle can be closed yet. See which ones {other} could close after your move.",
            other=other,
        )

    def area(self, puzzle: Puzzle, position: Position) -> Message:
        """Return one of the two cells."""
        first, plus, _ = puzzle.solutions[0].partition("+")
        if not plus:
            return super().area(puzzle, position)
        # Translators: {cell} is a cell, such as “a1”.
        return message("One of the two cells is {cell}.", cell=first)


PROVER = QuantumProver()
"""Proves the puzzles of quantum."""

_SOLVER = PerfectQuantum()


def _best_line(position: QuantumPosition) -> tuple[str, ...]:
    """Return best play from a position to the end of the game, the same each time.

    A side that wins the point wins soon, one that loses it does not lose at once, and of equal
    moves it is one that leaves the other side the most mistakes.
    """
    line = []
    while position.outcome is None:
        # The solver leaves only the choice among equals to luck.
        line.append(_SOLVER.choose(position, 0, Random(0)).move)
        position = position.play(line[-1])
    return tuple(line)


def _own_marks(position: QuantumPosition, line: Sequence[str]) -> int:
    """Return how many moves of a line are marks, not choices, of the side to move."""
    side, count = position.turn, 0
    for move in line:
        count += position.turn is side and not position.measuring
        position = position.play(move)
    return count


def _sentences(move: str, after: QuantumPosition, line: Sequence[str]) -> Iterator[Message]:
    """Yield in words how the other side answers a wrong move, and the result of best play."""
    end = after
    for made in line:
        end = end.play(made)
    if end.outcome is None:
        raise ValueError(f"The line after {move} does not end the game")
    if not line:
        # Translators: {reason} is a clause with the context “why a game ended”.
        yield message("{move} ends the game: {reason}.", move=move, reason=end.outcome.reason)
    else:
        yield from _replied(move, after, line[0])
        both = _both_choices(after.play(line[0]))
        if both is not None:
            yield from both
            return
        if len(line) > 1:
            # Translators: {moves} is a list such as “X a1+b2, O c3+c1”.
            yield message("Best play goes on {moves}.", moves=tuple(_with_sides(after, line))[1:])
        # Translators: {reason} is a clause with the context “why a game ended”.
        yield message("In the end {reason}.", reason=end.outcome.reason)
    half = _HALVES.get(2 * end.outcome.value_for(after.turn.other) - 1)
    if half is not None:
        yield half


_HALVES: dict[float, Message] = {
    0.5: message("You win by half a point and no more."),
    -0.5: message("You lose by half a point."),
}
"""The explanation of an ending that the points alone do not make clear."""


def _with_sides(position: QuantumPosition, line: Sequence[str]) -> Iterator[Message]:
    """Yield the moves of a line, each with its side."""
    for move in line:
        # Translators: a side and its move, such as “X a1+b2”.
        yield in_context("a move in a line", "{side} {move}", side=position.turn, move=move)
        position = position.play(move)


def _replied(move: str, after: QuantumPosition, reply: str) -> Iterator[Message]:
    """Yield in words what the other side replies to a move."""
    values = {"move": move, "side": after.turn, "reply": reply}
    if after.measuring:
        yield message("{move} closes a cycle.", move=move)
        # Translators: the solver closed a cycle, and {side}, who is X or O, chooses the cell
        # {reply}. {marks} is a list such as “x1 in a1, o2 in b2”.
        yield message(
            "{side} chooses {reply}, which settles {marks}.",
            marks=after.settled_by(reply),
            **values,
        )
    elif after.play(reply).measuring:
        yield message("{move} lets {side} close a cycle with {reply}.", **values)
    else:
        yield message("{move} lets {side} reply {reply}.", **values)


def _both_choices(position: QuantumPosition) -> Sequence[Message] | None:
    """Return in words how both choices of a measurement end the game, None if one does not."""
    if not position.measuring:
        return None
    ends = [(choice, position.play(choice).outcome) for choice in position.choices]
    words = [
        # Translators: {choice} is a cell, {reason} a clause with the context “why a game ended”.
        message("With {choice}, {reason}.", choice=choice, reason=outcome.reason)
        for choice, outcome in ends
        if outcome is not None
    ]
    if len(words) < len(ends):
        return None
    return [message("Neither choice is good enough for you."), *words]
