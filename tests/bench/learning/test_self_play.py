"""The features that are learned from, and moves as self-play makes them, against the bot's own."""

from itertools import pairwise
from random import Random

import pytest

from engine import VARIANTS
from engine.boards.local_boards import LocalBoardsPosition, name_of
from engine.bots.local_boards.bot import board_of
from engine.bots.local_boards.compiled import flat
from engine.bots.local_boards.kernel import expansion, layout
from tests.bench.learning.self_play import FIRST, HOW_MANY, LEFT, SHARED_MEMORY, active, put
from tests.support.engine.playouts import playout

pytestmark = pytest.mark.slow

BOTH = ["ultimate", "extreme"]


@pytest.mark.parametrize("variant", BOTH)
def test_training_adds_up_the_weights_that_the_search_adds_up(variant: str) -> None:
    board = board_of(variant)
    for position in playout(VARIANTS[variant], Random(4)).positions[:-1]:
        assert isinstance(position, LocalBoardsPosition)
        root = board.set_up(position)
        arguments = root.score, root.sent, root.mark, root.bonus, root.x_boards, root.o_boards
        stakes = root.closed, root.first, root.second
        count = expansion.children(
            board.table, board.state, layout.CHILDREN, *arguments, *stakes, layout.WIN
        )
        start = layout.CHILDREN
        for at in range(start, start if count == layout.WIN else start + 3 * count, 3):
            found, move = board.state[at], int(board.state[at + 1])
            after = position.play(name_of(*divmod(move, 9)))
            assert isinstance(after, LocalBoardsPosition)
            if after.outcome or abs(found) == layout.WIN:
                continue
            record = flat([0] * SHARED_MEMORY, "q")
            then = board.set_up(after)
            active(
                board.table, board.state, then.sent, then.mark, then.bonus, then.closed,
                then.first, then.second, record, 0,
            )  # fmt: skip
            entries = record[FIRST : FIRST + record[HOW_MANY]]
            value = sum(int(board.table[entry]) for entry in entries)
            leader, other = divmod(int(record[LEFT]), layout.LIVES)[:: 1 if value > 0 else -1]
            scale = int(board.table[layout.SCALE + layout.LIVES * leader + other])
            value = abs(value) * scale // 1000 * (1 if value > 0 else -1)
            assert found == (value if root.mark == 1 else -value)
            board.set_up(position)


@pytest.mark.parametrize("variant", BOTH)
def test_training_plays_by_the_rules(variant: str) -> None:
    board = board_of(variant)
    seen = 0
    for seed in range(20):
        game = playout(VARIANTS[variant], Random(seed))
        for position, after in pairwise(game.positions):
            assert isinstance(position, LocalBoardsPosition)
            assert isinstance(after, LocalBoardsPosition)
            if after.outcome:
                continue
            then = board.set_up(after)
            held = list(board.state[layout.BARRED : layout.JITTER])
            root = board.set_up(position)
            [cell] = (
                cell
                for cell in range(9 * board.count)
                if (position.x | position.o) ^ (after.x | after.o) == 1 << cell
            )
            found = put(
                board.table, board.state, cell, root.mark, root.bonus,
                root.x_boards, root.o_boards, root.closed, root.first, root.second,
            )  # fmt: skip
            assert found[1:] == (
                then.mark, then.bonus, then.x_boards, then.o_boards, then.closed,
                then.first, then.second,
            )  # fmt: skip
            # One open place left is ANY to the search, however the opponent came to be sent there.
            if found[0] != then.sent:
                assert then.sent == layout.ANY
                there = sum(1 << at for at in range(found[0], board.count, 9))
                assert after.allowed == there & ~after.closed
            assert list(board.state[layout.BARRED : layout.JITTER]) == held
            seen += 1
    assert seen > 500
