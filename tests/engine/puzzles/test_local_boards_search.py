"""The search for puzzles of ultimate and extreme."""

from itertools import islice
from random import Random

import pytest

from engine import VARIANTS
from engine.puzzles.local_boards import PROVER
from engine.puzzles.local_boards_search import found, games

pytestmark = pytest.mark.slow


def test_positions_that_are_found_make_puzzles_and_no_others_do() -> None:
    game, _ = next(games("ultimate", Random(2)))
    start = len(game) - 6
    kept = [*found("ultimate", game, start)]
    for ply in range(start + 1, len(game)):
        proven = PROVER.prove(VARIANTS["ultimate"].replay(game[:ply]))
        assert (proven is not None) == (tuple(game[:ply]) in kept)


def test_continuations_leave_the_first_game_where_they_say() -> None:
    first, *others = [*islice(games("ultimate", Random(1)), 2)]
    assert first[1] == 0
    for game, start in others:
        assert VARIANTS["ultimate"].replay(game).outcome is not None
        assert game[:start] == first[0][:start]
        assert game[start] != first[0][start]
