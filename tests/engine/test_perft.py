"""Perft: how many different move sequences of each length there are, against known counts.

The counts, in tests/data/perft, were made by programs that share nothing with the engine. A
sequence stops where its game ends, so one that is shorter than asked for does not count.

Playing every move takes long, so the longer counts add up how many moves `legal_moves` yields
before the last ply and do not play those. That is exact because what perft counts is just that:
the legal moves. Whether they can be played as well is shown by the counts that play them all.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from engine import VARIANTS, Position, Variant
from engine.variants.tinc import TincPosition

FOLDER = Path(__file__).parents[1] / "data" / "perft"
TABLES = {key: json.loads((FOLDER / f"{key}.json").read_text("utf-8")) for key in VARIANTS}

QUICK = 60_000
"""The most moves that a test of the default run may play."""

MOST = 300_000
"""The most moves that a slow test may play; those that play more are deep."""

LISTED = 30
"""The number of moves listed in about the time that it takes to play one."""


def sequences(*, played: bool) -> list[object]:
    """Return variant, length and count of the known counts, marked by how long they take.

    They are those where all moves are `played`, if these are few enough, or those where the last
    one is only counted, if it would take long to play it.
    """
    found = []
    for key, table in TABLES.items():
        for length, (before, count) in enumerate(pairwise([1, *table["sequences"]]), start=1):
            if count <= MOST if played else count > QUICK:
                work = count if played else max(before, count // LISTED)
                name = f"{key}-{length}"
                found.append(
                    pytest.param(VARIANTS[key], length, count, id=name, marks=marks_of(work))
                )
    return found


def marks_of(work: int) -> tuple[pytest.MarkDecorator, ...]:
    """Return the markers of a test that plays this many moves."""
    if work <= QUICK:
        return ()
    return (pytest.mark.slow if work <= MOST else pytest.mark.deep,)


def after(position: Position, length: int) -> Iterator[Position]:
    """Yield the position after each sequence of this length."""
    if length == 0:
        yield position
        return
    for move in position.legal_moves():
        yield from after(position.play(move), length - 1)


def ends(position: Position, length: int) -> int:
    """Return how many sequences of this length there are, the last move of each counted only."""
    moves = position.legal_moves()
    if length == 1:
        return len(list(moves))
    return sum(ends(position.play(move), length - 1) for move in moves)


@pytest.mark.parametrize(("variant", "length", "count"), sequences(played=True))
def test_sequences_with_every_move_played(variant: Variant, length: int, count: int) -> None:
    assert sum(1 for _ in after(variant.start, length)) == count


@pytest.mark.parametrize(("variant", "length", "count"), sequences(played=False))
def test_sequences_with_the_last_move_counted(variant: Variant, length: int, count: int) -> None:
    assert ends(variant.start, length) == count


@pytest.mark.deep
def test_every_turn_4_of_tinc_can_be_played_and_none_wins() -> None:
    count = 0
    for position in after(VARIANTS["tinc"].start, 4):
        assert position.outcome is None
        count += 1
    assert count == TABLES["tinc"]["sequences"][3]


@pytest.mark.parametrize("turn", [2, 3])
def test_how_often_a_tinc_grid_has_grown(turn: int) -> None:
    grids = after(VARIANTS["tinc"].start, turn)
    sizes = Counter(str(grid.size) for grid in grids if isinstance(grid, TincPosition))
    assert sizes == TABLES["tinc"]["facts"][f"size after turn {turn}"]


GAMES_WON = TABLES["numeric"]["facts"]["games won by move"]


@pytest.mark.parametrize("move", [3, pytest.param(4, marks=pytest.mark.deep)])
def test_how_many_games_of_numeric_are_won_by_a_move(move: int) -> None:
    start = VARIANTS["numeric"].start
    # A first move and its images lead to as many games.
    ways = Counter(start.play(min(start.images(first))) for first in start.legal_moves())
    for _ in range(move - 2):
        ways, before = Counter(), ways
        for position, count in before.items():
            for each in position.legal_moves():
                ways[position.play(each)] += count
    games, won = 0, 0
    for position, count in ways.items():
        for each in position.legal_moves():
            games += count
            won += count * (position.play(each).outcome is not None)
    assert won == GAMES_WON[str(move)]
    assert games == TABLES["numeric"]["sequences"][move - 1]
