"""Puzzles of tinc hold whatever the other side replies, every reply tried one by one.

Lines and their gaps are counted independently here, from the cells of both sides.
"""

from collections.abc import Iterator, Sequence

import pytest

from engine import Side
from engine.cells import cell_name, cells_in
from engine.puzzles import Puzzle, Task, fault_of, puzzles_of, refutation_of
from engine.variants.tinc import TincPosition
from tests.support.luck import fresh_luck

WRONG = 150
"""The most wrong turns of a puzzle that are checked."""

KINDS: tuple[tuple[Task, int | None], ...] = (
    (Task.WIN_IN, 1),
    (Task.WIN_INSIDE, 2),
    (Task.WIN_INSIDE, 3),
    (Task.FORK, None),
    (Task.HOLD, None),
)


def gaps(position: TincPosition, side: Side) -> list[set[str]]:
    """Return the cells, except the ends, that a side lacks in each line that is open to it."""
    size = position.size
    lines = [
        *([cell_name(column, row) for column in range(size)] for row in range(1, size - 1)),
        *([cell_name(column, row) for row in range(size)] for column in range(1, size - 1)),
        [cell_name(number, number) for number in range(size)],
        [cell_name(number, size - 1 - number) for number in range(size)],
    ]
    own, others = {*position.cells(side)}, {*position.cells(side.other)}
    return [{*line[1:-1]} - own for line in lines if others.isdisjoint(line)]


def is_ready(position: TincPosition, side: Side) -> bool:
    return any(not missing for missing in gaps(position, side))


def can_be_ready(position: TincPosition, side: Side) -> bool:
    return any(1 <= len(missing) <= 2 for missing in gaps(position, side))


def is_on_edge(position: TincPosition, move: str) -> bool:
    last = cell_name(position.size - 1, position.size - 1)
    column, row = last.rstrip("0123456789"), last.lstrip("abcdefghijklmnopqrstuvwxyz")
    return any(cell.startswith(("a", column)) or cell[1:] in ("1", row) for cell in move.split("+"))


def replies(position: TincPosition, *, on_edge: bool) -> Iterator[TincPosition]:
    """Yield the positions after all turns inside, or after all that touch the edge."""
    for move in position.legal_moves():
        if is_on_edge(position, move) is on_edge:
            yield position.play(move)


def sample(task: Task, turns: int | None) -> tuple[Puzzle, TincPosition]:
    """Return a puzzle of a kind, in a grid that is small enough to try everything."""
    small = [
        (one, position)
        for one in puzzles_of("tinc")
        if one.task is task
        and one.turns == turns
        and isinstance(position := one.position(), TincPosition)
        and position.size <= 7
    ]
    return fresh_luck().choice(small)


def wrong_turns(one: Puzzle, position: TincPosition) -> Sequence[str]:
    wrong = [move for move in position.legal_moves() if move not in one.solutions]
    return fresh_luck().sample(wrong, min(len(wrong), WRONG))


def answered(one: Puzzle, position: TincPosition, move: str) -> TincPosition:
    """Return the position after a wrong turn and the reply that refutes it."""
    reply = refutation_of(one, move).reply
    assert reply is not None
    return position.play(move).play(reply)


def test_one_turn_alone_wins_at_once() -> None:
    one, position = sample(Task.WIN_IN, 1)
    wins = [move for move in position.legal_moves() if position.play(move).outcome is not None]
    assert wins == [*one.solutions], one.number


def test_one_turn_alone_leaves_a_line_to_fill_next() -> None:
    one, position = sample(Task.WIN_INSIDE, 2)
    side = position.turn
    right = [move for move in position.legal_moves() if is_ready(position.play(move), side)]
    assert right == [*one.solutions], one.number
    assert not is_ready(position, side.other)


def test_a_win_in_three_turns_withstands_every_reply_inside_and_no_other_turn_does() -> None:
    one, position = sample(Task.WIN_INSIDE, 3)
    side = position.turn
    for after in replies(position.play(one.solutions[0]), on_edge=False):
        assert can_be_ready(after, side), (one.number, after)
        assert not is_ready(after, side.other), (one.number, after)
    for move in wrong_turns(one, position):
        after = answered(one, position, move)
        assert not is_on_edge(position.play(move), refutation_of(one, move).line[0])
        assert not can_be_ready(after, side), (one.number, move)


def test_a_fork_survives_every_reply_on_the_edge_and_nothing_less_does() -> None:
    one, position = sample(Task.FORK, None)
    side = position.turn
    forked = position.play(one.solutions[0])
    assert not is_ready(position, side.other)
    for after in replies(forked, on_edge=True):
        assert can_be_ready(after, side), (one.number, after)
        assert not is_ready(after, side.other), (one.number, after)
    for move in wrong_turns(one, position):
        after = answered(one, position, move)
        if is_ready(position.play(move), side):
            assert not is_ready(after, side), (one.number, move)
            assert not can_be_ready(after, side), (one.number, move)


def test_who_holds_is_rid_of_both_lines_and_no_other_turn_gets_rid_of_them() -> None:
    one, position = sample(Task.HOLD, None)
    side, other = position.turn, position.turn.other
    assert sum(not missing for missing in gaps(position, other)) == 2
    for move in one.solutions:
        after = position.play(move)
        assert not is_ready(after, other)
        assert not can_be_ready(after, other)
        assert after.turn is other
    for move in wrong_turns(one, position):
        after = answered(one, position, move)
        lost = after.outcome is not None and after.outcome.winner is other
        assert lost or is_ready(after, other), (one.number, move)
    assert side is one.side


@pytest.mark.parametrize(("task", "turns"), KINDS)
def test_there_are_several_of_each_kind(task: Task, turns: int | None) -> None:
    found = [one for one in puzzles_of("tinc") if one.task is task and one.turns == turns]
    assert len(found) >= 5


def test_no_two_ready_lines_share_an_end_so_that_a_symbol_stops_one_at_most() -> None:
    for one in puzzles_of("tinc"):
        if one.task is Task.FORK:
            position = TincPosition.of(one.position()).play(one.solutions[0])
            ready = [missing for missing in gaps(position, one.side) if not missing]
            assert len(ready) >= 3
            edge = [cell for cell in position.legal_moves() if is_on_edge(position, cell)]
            singles = [cell for cell in edge if "+" not in cell]
            left = [
                sum(not missing for missing in _old_gaps(position, cell, one.side))
                for cell in singles
            ]
            assert min(left) >= len(ready) - 1


def _old_gaps(position: TincPosition, cell: str, side: Side) -> list[set[str]]:
    """Return what a side misses in each line of the grid as it was when `cell` was marked."""
    marked = TincPosition(
        side,
        position.reach,
        position.symbols.adding([_counted(cell, position)], side.other),
        None,
        (),
    )
    return gaps(marked, side)


def _counted(cell: str, position: TincPosition) -> tuple[int, int]:
    ((column, row),) = cells_in(cell) or [(0, 0)]
    return column - position.reach, row - position.reach


def test_in_a_line_the_other_side_keeps_inside_or_takes_to_the_edge_as_the_task_says() -> None:
    for one in puzzles_of("tinc"):
        position = TincPosition.of(one.position())
        for move in one.line:
            after = position.play(move)
            if position.turn is not one.side:
                assert (after.reach > position.reach) is (one.task is Task.FORK), one.number
            position = after
        if one.task is Task.FORK:
            assert is_ready(position, one.side), one.number


def test_a_fault_names_the_line_that_is_ready_or_was() -> None:
    missed = next(one for one in puzzles_of("tinc") if one.task is Task.WIN_IN)
    position = TincPosition.of(missed.position())
    wrong = next(move for move in position.legal_moves() if move not in missed.solutions)
    missing, ready = map(str, fault_of("tinc", position, wrong, missed.solutions[0]))
    assert missing == f"{wrong} misses the win."
    assert f"{missed.solutions[0]} fills it." in ready
    held = next(one for one in puzzles_of("tinc") if one.task is Task.HOLD)
    position = TincPosition.of(held.position())
    inside = next(move for move in position.legal_moves() if not is_on_edge(position, move))
    (said,) = map(str, fault_of("tinc", position, inside, held.solutions[0]))
    assert said.endswith(f" is ready for {position.turn.other}.")
    assert is_ready(position.play(inside), position.turn.other)
