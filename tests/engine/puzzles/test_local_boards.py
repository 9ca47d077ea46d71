"""The prover of ultimate and extreme against a slow search by the rules themselves."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest

from engine import VARIANTS, Position, Side
from engine.boards.local_boards import LocalBoardsPosition
from engine.puzzles.local_boards import PROVER, turns_of
from engine.puzzles.local_boards_proof import OutOfNodes, WinProof
from engine.puzzles.local_boards_states import move_name, rules_of
from engine.puzzles.local_boards_turns import Turns
from engine.puzzles.model import Proof, Task, Value
from tests.support.engine.playouts import playout

AT_LEISURE = ["ultimate", pytest.param("extreme", marks=pytest.mark.deep)]
MOST_LEFT = 8
"""With more moves left, the slow search takes too long."""
NEVER = 99


@cache
def slow_value(position: Position) -> int:
    """Return 1 where X wins with best play, -1 where O does, 0 in a draw."""
    if position.outcome is not None:
        return {Side.X: 1, Side.O: -1, None: 0}[position.outcome.winner]
    values = [slow_value(position.play(move)) for move in position.legal_moves()]
    return max(values) if position.turn is Side.X else min(values)


@cache
def slow_turns(position: Position, side: Side, began: bool = False) -> int:  # noqa: FBT001, FBT002
    """Return in how few turns `side` wins against any defence; `began` says that one is made."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is side else NEVER
    if position.turn is not side:
        return max(slow_turns(position.play(move), side) for move in position.legal_moves())
    return int(not began) + min(
        slow_turns(position.play(move), side, True)  # noqa: FBT003
        for move in position.legal_moves()
    )


def endings(variant: str, games: int) -> Iterator[LocalBoardsPosition]:
    """Yield the last positions of random games, which are not over."""
    for seed in range(games):
        for position in playout(VARIANTS[variant], Random(f"ending {seed}")).positions:
            if position.outcome is None:
                before = LocalBoardsPosition.of(position)
                rules = rules_of(before.board_count)
                state = rules.state_of(before)
                anywhere = state._replace(allowed=rules.everything & ~state.closed)
                if rules.choices(anywhere) <= MOST_LEFT:
                    yield before


def values_along(position: Position, line: Sequence[str]) -> set[int]:
    """Return the values of the positions after each move of a line."""
    values = set()
    for move in line:
        position = position.play(move)
        values.add(slow_value(position))
    return values


def proof_of(position: LocalBoardsPosition, side: Side, limit: int = 100_000) -> WinProof:
    return WinProof(position.board_count, 0 if side is Side.X else 1, limit)


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_proofs_agree_with_a_slow_search_by_the_rules(variant: str) -> None:
    met = set()
    for position in endings(variant, 70):
        state = rules_of(position.board_count).state_of(position)
        value = slow_value(position)
        assert proof_of(position, Side.X).wins(state) == (value == 1), repr(position)
        assert proof_of(position, Side.O).wins(state) == (value == -1), repr(position)
        met.add((value, position.turn))
    assert len(met) == 6


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_turns_are_the_fewest_that_win_against_any_defence(variant: str) -> None:
    met = set()
    for position in endings(variant, 40):
        state = rules_of(position.board_count).state_of(position)
        for side in Side:
            proof = proof_of(position, side)
            wins = proof.wins(state)
            turns = Turns(proof, 100_000)
            fewest = slow_turns(position, side)
            if not wins:
                assert fewest >= NEVER
                assert turns.least(state, 6) is None
                continue
            assert turns.least(state, 6) == fewest
            line = tuple(map(move_name, turns.line(state, fewest)))
            assert turns_of(position, line, side) == fewest
            met.add(fewest)
    assert {1, 2} <= met


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_shown_ways_go_where_the_proof_says(variant: str) -> None:
    met = set()
    for position in endings(variant, 30):
        rules = rules_of(position.board_count)
        state = rules.state_of(position)
        for side in Side:
            proof = proof_of(position, side)
            wins = proof.wins(state)
            last: LocalBoardsPosition = position
            line = proof.line(proof.node(state))
            for move in line:
                last = last.play(move_name(move))
            assert len(line) == proof.distance(proof.node(state))
            if wins:
                assert last.outcome is not None
                assert last.outcome.winner is side
            elif last.outcome is not None:
                assert last.outcome.winner is not side
            else:
                assert not rules.can_make_line(rules.state_of(last), proof.attacker)
            met.add(wins)
    assert met == {True, False}


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_puzzles_are_the_positions_where_one_move_is_worth_more_than_all_others(
    variant: str,
) -> None:
    met = set()
    for position in endings(variant, 120):
        moves = list(position.legal_moves())
        if len(moves) < 4:
            continue
        sign = 1 if position.turn is Side.X else -1
        values = {move: sign * slow_value(position.play(move)) for move in moves}
        best = max(values.values())
        right = tuple(move for move in moves if values[move] == best)
        proven = PROVER.prove(position)
        if best < 0 or len(right) > 1:
            assert proven is None
            continue
        assert proven is not None
        assert proven.solutions == right
        assert proven.line[0] == right[0]
        assert proven.before is (Value.WIN if best else Value.DRAW)
        assert proven.proof is Proof.EXACT
        assert proven.task is (Task.WIN_IN if best else Task.SAVE)
        assert values_along(position, proven.line) == {best * sign}
        for move, line in proven.refutations.items():
            assert values_along(position, (move, *line)) == {slow_value(position.play(move))}
        assert {*proven.refutations} == {
            move for move in moves if move not in right and position.play(move).outcome is None
        }
        met.add(best)
    assert met == {0, 1}


def test_a_position_that_cannot_be_settled_is_no_puzzle() -> None:
    start = LocalBoardsPosition.of(VARIANTS["ultimate"].start)
    with pytest.raises(OutOfNodes):
        proof_of(start, Side.X, limit=1000).wins(rules_of(9).state_of(start))
    assert PROVER.prove(start) is None


def test_a_game_that_is_over_and_another_game_make_no_puzzle() -> None:
    over = VARIANTS["ultimate"].replay(playout(VARIANTS["ultimate"], Random(1)).moves)
    assert over.outcome is not None
    assert PROVER.prove(over) is None
    assert PROVER.prove(VARIANTS["numeric"].start) is None
