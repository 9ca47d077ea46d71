"""Puzzles of tinc, proven by a search of every turn of the solver.

Best play draws every position of tinc in which no line can be filled at once, since a symbol on the
edge is always a defence (`engine.bots.solvers.tinc` proves it). So beside winning at once the tasks
are about pressure: how soon, or how often, the other side can be sent to the edge. A turn sends it
there if it leaves a line ready.

- `WIN_IN`, in one turn: fill the line that is ready. The value is a win.
- `FORK`: leave three lines ready. At the edge the other side places two symbols, each of which
  stops one line, since no two ready lines share an end. The third is ready again once both its
  ends, which are inside now, are filled. The pressure is 2: sent to the edge twice running. With
  two lines ready, or one, both are stopped, and any other line lacks at least three symbols since
  the grid has grown, so that the pressure is 1.
- `WIN_INSIDE` in two turns: leave a line ready. The other side may place what it likes inside; the
  line is filled next turn. The pressure is 1.
- `WIN_INSIDE` in three turns: no line can be made ready at once, and the right turn leaves lines
  that one turn makes ready, more than two symbols inside can stop, and the other side none such. So
  after any of its turns inside, one of them is made ready, and filled in the third turn. The
  pressure is ½. After any other turn the other side stops all such lines with two symbols.
- `HOLD`: two lines are ready against the solver, who must go to the edge and there put a symbol
  on an end of each. The pressure is 0; if one is left it is -1, and without the edge it is lost.

The solver's turns are all tried, one by one, those on the edge too: the grid grows as the rules
say. Of the other side's, those inside are not tried one by one, since what they can do is counted:
the lines that they stop, and those that they make ready. One symbol is never better there than two.

For the grade, a solver looks two turns ahead to win inside in two and to hold, since a line that is
not stopped is ready again in the next turn, and three for a fork, whose third line is filled then.

These look right: beside a win at once, lines that one turn makes ready, and those
that one symbol of the other side has spoilt; beside a fork, turns that leave two lines ready; in
two turns, spoilt lines; in three turns, turns that take both symbols to answer; to hold, the lines
that are ready, since it is not enough to stop one.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.boards.lines_across import ends_of
from engine.game import Position
from engine.messages import Message
from engine.puzzles.model import Proof, Puzzle, Refutation, Task, Value
from engine.puzzles.proofs import Proven, Prover
from engine.puzzles.tinc_hints import area_in_words, fault_in_words, idea_in_words
from engine.puzzles.tinc_lines import A_TURN, Lines, stops
from engine.puzzles.tinc_replies import best_countermove, inside_reply, sentences
from engine.variants.tinc import TincPosition

_MIN_REACH = 2
"""In a smaller grid nothing can be ready."""

_FORK = 3
"""The number of ready lines that a turn cannot stop."""

_KEPT = 3
"""The number of wrong turns that look right whose refutations are kept."""

Judge: TypeAlias = Callable[[TincPosition], bool]
"""A test of the position after a turn: whether the turn does what was asked."""


class TincProver(Prover):
    """Proves by trying every turn."""

    def prove(self, position: Position) -> Proven | None:
        """Return what is proven of a position where one turn alone does what is asked."""
        tinc = TincPosition.of(position)
        if tinc.outcome is not None or tinc.reach < _MIN_REACH:
            return None
        own, theirs = Lines(tinc, tinc.turn), Lines(tinc, tinc.turn.other)
        if own.ready:
            return _won_at_once(tinc, own)
        if theirs.ready:
            return _held(tinc, theirs)
        if own.short:
            return _forked(tinc, own) or _won_inside(tinc, own)
        return _won_in_three(tinc, own)

    def refutation(self, puzzle: Puzzle, position: Position, move: str) -> Refutation:
        """Return what the other side replies to a turn that does not do what is asked."""
        tinc = TincPosition.of(position)
        countermove = best_countermove(tinc, move, puzzle.task)
        words = sentences(puzzle, tinc, move, countermove)
        return Refutation(move, (countermove.reply,), words)

    def fault(self, position: Position, move: str, better: str) -> tuple[Message, ...]:
        """Return the line that is ready for the other side, or the win that was missed."""
        del better
        return fault_in_words(TincPosition.of(position), move)

    def idea(self, puzzle: Puzzle, position: Position) -> Message:
        """Return what the lines in question lack."""
        return idea_in_words(puzzle, TincPosition.of(position))

    def area(self, puzzle: Puzzle, position: Position) -> Message:
        """Return the lines in question, or one of them."""
        return area_in_words(puzzle, TincPosition.of(position))


PROVER = TincProver()
"""Proves the puzzles of tinc."""


def _right(position: TincPosition, judge: Judge) -> tuple[str, ...]:
    """Return all turns that do what is asked."""
    return tuple(move for move in position.legal_moves() if judge(position.play(move)))


def _mover_lines(after: TincPosition) -> Lines:
    """Return the lines of the side that has just made its turn."""
    return Lines(after, after.turn.other)


def _refuted(
    position: TincPosition, task: Task, moves: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return the refutations of the first of the wrong turns that look right.

    They are stored so that the likeliest mistakes are known without a search.
    """
    return {move: (best_countermove(position, move, task).reply,) for move in moves[:_KEPT]}


def _won_at_once(position: TincPosition, own: Lines) -> Proven | None:
    right = _right(position, lambda after: after.outcome is not None)
    if len(right) != 1:
        return None
    return Proven(
        task=Task.WIN_IN,
        turns=1,
        solutions=right,
        line=(right[0],),
        before=Value.WIN,
        proof=Proof.EXACT,
        look=1,
        tempting=len(own.short) + _spoilt(position, own, 1),
        refutations=_refuted(
            position, Task.WIN_IN, [position.turn_in(own.gaps(line)) for line in own.short]
        ),
    )


def _forked(position: TincPosition, own: Lines) -> Proven | None:
    if len(own.short) < _FORK:
        return None
    right = _right(position, lambda after: len(_mover_lines(after).ready) >= _FORK)
    if len(right) != 1:
        return None
    after = position.play(right[0])
    nearly = _right(position, lambda after: len(_mover_lines(after).ready) == A_TURN)
    reply = best_countermove(position, right[0], Task.FORK).reply
    return Proven(
        task=Task.FORK,
        turns=None,
        solutions=right,
        line=(right[0], reply, _ready_again(after, reply)),
        before=2.0,
        proof=Proof.SEARCH,
        look=3,
        tempting=len(nearly),
        refutations=_refuted(position, Task.FORK, nearly),
    )


def _ready_again(position: TincPosition, reply: str) -> str:
    """Return the turn that makes a line ready again after the edge has stopped others."""
    after = position.play(reply)
    own = Lines(after, after.turn)
    return after.turn_in(own.gaps(own.short[0]))


def _won_inside(position: TincPosition, own: Lines) -> Proven | None:
    right = _right(position, lambda after: bool(_mover_lines(after).ready))
    if len(right) != 1 or not _leaves_room(position, right[0]):
        return None
    return Proven(
        task=Task.WIN_INSIDE,
        turns=2,
        solutions=right,
        line=_line_inside(position, right[0]),
        before=1.0,
        proof=Proof.SEARCH,
        look=2,
        tempting=_spoilt(position, own, A_TURN),
        refutations=_refuted(
            position,
            Task.WIN_INSIDE,
            [
                position.turn_in(sorted(own.gaps(line))[:A_TURN])
                for line in own.lacking(A_TURN + 1, A_TURN + 1)
            ],
        ),
    )


def _won_in_three(position: TincPosition, own: Lines) -> Proven | None:
    if len(own.lacking(A_TURN + 1, 2 * A_TURN)) < _FORK:
        return None
    right = _right(position, _cannot_be_stopped)
    if len(right) != 1 or Lines(position.play(right[0]), position.turn.other).short:
        return None
    nearly = _right(position, _nearly_cannot_be_stopped)
    return Proven(
        task=Task.WIN_INSIDE,
        turns=3,
        solutions=right,
        line=_line_inside(position, right[0]),
        before=0.5,
        proof=Proof.SEARCH,
        look=3,
        tempting=len(nearly),
        refutations=_refuted(position, Task.WIN_INSIDE, nearly),
    )


def _cannot_be_stopped(after: TincPosition) -> bool:
    """Return whether a turn leaves more lines that one turn makes ready than can be stopped."""
    own = _mover_lines(after)
    return len(own.short) >= _FORK and stops([own.gaps(line) for line in own.short]) is None


def _nearly_cannot_be_stopped(after: TincPosition) -> bool:
    """Return whether a turn is wrong, and yet takes both symbols of the other side to answer."""
    own = _mover_lines(after)
    cells = stops([own.gaps(line) for line in own.short])
    return cells is not None and len(cells) == A_TURN


def _held(position: TincPosition, theirs: Lines) -> Proven | None:
    if len(theirs.ready) != A_TURN:
        return None
    right = _right(position, lambda after: after.reach > position.reach and _is_rid(after))
    return Proven(
        task=Task.HOLD,
        turns=None,
        solutions=right,
        line=(right[0],),
        before=0.0,
        proof=Proof.SEARCH,
        look=2,
        tempting=len(theirs.ready) + len(theirs.short),
        refutations=_refuted(
            position,
            Task.HOLD,
            [position.turn_in([min(ends_of(line, position.reach))]) for line in theirs.ready],
        ),
    )


def _is_rid(after: TincPosition) -> bool:
    """Return whether the side to move neither has a line ready nor can make one so in a turn."""
    theirs = Lines(after, after.turn)
    return not theirs.ready and not theirs.short


def _line_inside(position: TincPosition, move: str) -> tuple[str, ...]:
    """Return the line from a right turn to the win, with the other side keeping inside."""
    line, side = [move], position.turn
    now = position.play(move)
    while now.outcome is None:
        if now.turn is side:
            own = Lines(now, side)
            cells = ends_of(own.ready[0], now.reach) if own.ready else own.gaps(own.short[0])
            line.append(now.turn_in(cells))
        else:
            line.append(inside_reply(now))
        now = now.play(line[-1])
    return tuple(line)


def _leaves_room(position: TincPosition, move: str) -> bool:
    """Return whether the other side can place a whole turn inside; else the edge is all it has."""
    after = position.play(move)
    inside = sum(max(map(abs, cell)) < after.reach for cell in after.symbols)
    return inside + A_TURN <= (2 * after.reach - 1) ** 2


def _spoilt(position: TincPosition, own: Lines, lacking: int) -> int:
    """Return the number of lines that lack at most `lacking` symbols and have an opposing one."""
    counts = position.lines().counts
    inside = 2 * own.reach - 1
    return sum(
        counts[position.turn.other][line] == 1 and inside - count - 1 <= lacking
        for line, count in counts[position.turn].items()
    )
