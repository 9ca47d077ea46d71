"""Puzzles are what they claim: proven again in each run, and by the rules if that is quick.

Each run proves another sample; the seed is printed.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice

import pytest

from engine import VARIANTS, Position, Side
from engine.puzzles import Puzzle, Task, Value, puzzles_of
from engine.puzzles.checking import alike, faults, given_away, images_of
from engine.puzzles.grading import grade
from engine.puzzles.numeric import RENUMBERINGS
from engine.puzzles.proofs import prover_of
from tests.support.luck import fresh_luck

PROVEN = {"numeric": 8, "quantum": 1, "tinc": 2, "ultimate": 1, "extreme": 1}
"""The number of puzzles of each game that a run proves again."""


@pytest.mark.slow
@pytest.mark.parametrize("variant", PROVEN)
def test_a_fresh_sample_of_puzzles_is_proven(variant: str) -> None:
    puzzles = puzzles_of(variant)
    for one in fresh_luck().sample(puzzles, min(len(puzzles), PROVEN[variant])):
        assert faults(one) == [], f"{variant} {one.number}"


@pytest.mark.deep
@pytest.mark.parametrize("variant", PROVEN)
def test_all_puzzles_are_proven(variant: str) -> None:
    for one in puzzles_of(variant):
        assert faults(one) == [], f"{variant} {one.number}"


def worth(position: Position, side: Side, least: float, most: float) -> float:
    """Return what best play brings a side, by the rules alone, if that is between two bounds."""
    if position.outcome is not None:
        return position.outcome.value_for(side)
    best = 0.0 if position.turn is side else 1.0
    for move in position.legal_moves():
        value = worth(position.play(move), side, least, most)
        if position.turn is side:
            best = max(best, value)
            least = max(least, best)
        else:
            best = min(best, value)
            most = min(most, best)
        if least >= most:
            break
    return best


@pytest.mark.parametrize(
    ("variant", "moves_made", "sample"), [("numeric", 4, 6), ("quantum", 7, 3)]
)
def test_the_rules_alone_say_the_same_as_the_solvers(
    variant: str, moves_made: int, sample: int
) -> None:
    late = [one for one in puzzles_of(variant) if len(one.moves) >= moves_made]
    for one in fresh_luck().sample(late, sample):
        position = one.position()
        best = worth(position, one.side, 0.0, 1.0)
        expected = {Value.WIN: 1.0, Value.DRAW: 0.5}
        before = one.before
        value = expected[before] if isinstance(before, Value) else (1 + before) / 2
        assert best == value, f"{variant} {one.number}"
        for move in position.legal_moves():
            value = worth(position.play(move), one.side, 0.0, 1.0)
            assert (value == best) is (move in one.solutions), f"{variant} {one.number}: {move}"


def _false(one: Puzzle) -> Iterator[Puzzle]:
    """Yield puzzles that say something untrue, each in another way."""
    legal = list(islice(one.position().legal_moves(), 40))
    wrong = next(move for move in legal if move not in one.solutions)
    yield replace(one, solutions=(wrong,), line=(wrong,))
    yield replace(one, solutions=(*one.solutions, wrong))
    yield replace(one, before=Value.LOSS)
    yield replace(one, task=Task.SAVE if one.task is not Task.SAVE else Task.WIN)
    yield replace(one, grade=one.grade % 5 + 1)
    yield replace(one, line=one.line[:-1])
    yield replace(one, side=one.side.other)
    yield replace(one, moves=one.moves[:-2])
    yield replace(one, moves=(*one.moves, *one.line))
    yield replace(one, moves=(*one.moves, "z99"))
    if one.refutations:
        yield replace(one, refutations=dict(islice(one.refutations.items(), 1)))


@pytest.mark.parametrize("variant", PROVEN)
def test_a_puzzle_that_is_not_true_is_found_out(variant: str) -> None:
    one = puzzles_of(variant)[0]
    assert faults(one) == []
    for false in _false(one):
        assert faults(false) != [], false


@pytest.mark.parametrize("variant", [key for key in VARIANTS if puzzles_of(key)])
def test_a_puzzle_that_is_another_turned_is_found_out(variant: str) -> None:
    first, second, *_ = puzzles_of(variant)
    position = VARIANTS[variant].start
    turned = []
    for move in first.moves:
        turned.append(position.images(move)[3])
        position = position.play(move)
    again = replace(first, number=99, moves=tuple(turned))
    assert [*alike([first, second])] == []
    assert [*alike([first, second, again])] == [(first, again)]


def test_a_puzzle_of_numeric_with_other_numbers_for_the_same_lines_is_found_out() -> None:
    first, second, *_ = puzzles_of("numeric")
    assert {number: 10 - number for number in range(1, 10)} in RENUMBERINGS
    for renumbering in RENUMBERINGS:
        split = (move.split("=") for move in first.moves)
        moves = tuple(f"{cell}={renumbering[int(number)]}" for cell, number in split)
        again = replace(first, number=99, moves=moves)
        assert [*alike([first, second, again])] == [(first, again)]


def test_a_renumbering_keeps_every_way_to_make_fifteen_and_the_hands() -> None:
    ways = [set(way) for way in combinations(range(1, 10), 3) if sum(way) == 15]
    assert len(ways) == len(RENUMBERINGS) == 8
    for renumbering in RENUMBERINGS:
        assert all({renumbering[number] for number in way} in ways for way in ways)
        assert all((number - image) % 2 == 0 for number, image in renumbering.items())


@pytest.mark.parametrize("variant", [key for key in VARIANTS if puzzles_of(key)])
def test_a_puzzle_on_the_solution_of_another_is_found_out(variant: str) -> None:
    first = next(one for one in puzzles_of(variant) if len(one.line) > 2)
    moves, line = (*first.moves, *first.line[:2]), first.line[2:]
    later = replace(first, number=99, moves=moves, solutions=line[:1], line=line)
    assert [*given_away([first])] == []
    assert [*given_away([later, first])] == [(first, later)]


@pytest.mark.deep
def test_no_position_of_numeric_makes_a_puzzle_of_grade_five() -> None:
    """After five moves each side has two turns left at most, which is too little for grade 5."""
    positions: dict[frozenset[Position], tuple[str, ...]] = {frozenset(): ()}
    hardest = 0
    for _ in range(5):
        following: dict[frozenset[Position], tuple[str, ...]] = {}
        for moves in positions.values():
            position = VARIANTS["numeric"].replay(moves)
            proven = prover_of("numeric").prove(position)
            if proven is not None:
                hardest = max(hardest, grade(proven.look, proven.tempting))
            for move in position.legal_moves():
                if position.play(move).outcome is None:
                    longer = (*moves, move)
                    following[images_of("numeric", longer)] = longer
        positions = following
    assert hardest == 4
