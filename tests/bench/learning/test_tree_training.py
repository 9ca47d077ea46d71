"""The trainer of ultimate and extreme that learns from games of tree searches."""

from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.bots.local_boards.bot import board_of
from engine.bots.local_boards.compiled import flat
from engine.bots.local_boards.kernel import evaluation, layout
from engine.bots.local_boards.tables import unpacked, weights_path
from tests.bench.learning.self_play import EXPLORED, FIRST, HOW_MANY, LEFT, SHARED_MEMORY, VALUE
from tests.bench.learning.sharing import no_weights
from tests.bench.learning.trainer import Trainer
from tests.bench.learning.tree_games import by_visits, most_visited, random_move
from tests.bench.learning.tree_training import (
    SETTLED,
    Fitting,
    Positions,
    main,
    play_one,
    targets_of,
    trainer_of,
)

pytestmark = pytest.mark.slow

BOTH = ("ultimate", "extreme")


def games_of(trainer: Trainer, number: int, seed: int, visits: int = 8) -> Positions:
    rng, positions = Random(seed), Positions()
    for _ in range(number):
        positions.add(trainer.record, *play_one(trainer, visits, rng))
    return positions


# The targets


def test_a_target_is_half_what_was_seen_and_half_what_came_of_it() -> None:
    targets = targets_of([0.5, 0.6, 0.9], [False, False, False], 1.0)
    last = 0.8 * 1 + 0.2 * 0.9
    middle = 0.8 * last + 0.2 * 0.6
    first = 0.8 * middle + 0.2 * 0.5
    assert targets == pytest.approx([(0.5 + first) / 2, (0.6 + middle) / 2, (0.9 + last) / 2])


def test_what_came_of_a_random_move_says_nothing_about_the_positions_before_it() -> None:
    targets = targets_of([0.5, 0.6, 0.1], [False, True, False], 0.0)
    assert targets == pytest.approx([(0.5 + 0.8 * 0.6 + 0.2 * 0.5) / 2, 0.6, (0.1 + 0.2 * 0.1) / 2])
    assert targets[:2] == targets_of([0.5, 0.6, 0.1], [False, True, False], 1.0)[:2]


def test_a_proven_position_has_what_is_proven_for_its_target() -> None:
    assert targets_of([0.3, 1.0], [False, False], 1.0)[-1] == pytest.approx(1.0)
    assert targets_of([0.3, 0.0], [False, False], 0.0)[-1] == pytest.approx(0.0)


def test_positions_come_from_the_record_of_a_game() -> None:
    record = [0] * (3 * SHARED_MEMORY)
    for number, (share, explored, entries) in enumerate(((0.5, 1, [7, 8]), (0.25, 0, [9]))):
        at = number * SHARED_MEMORY
        record[at + VALUE], record[at + EXPLORED] = int(share * layout.SURE), explored
        record[at + LEFT], record[at + HOW_MANY] = 17 * number, len(entries)
        record[at + FIRST : at + FIRST + len(entries)] = entries
    positions = Positions()
    positions.add(record, 2, 2)
    positions.add(record, 0, 1)
    positions.add(record, 1, 0)
    assert positions.entries.tolist() == [7, 8, 9, 7, 8]
    assert positions.begins.tolist() == [0, 2, 3, 5]
    assert positions.left.tolist() == [0, 17, 0]
    assert positions.games.tolist() == [0, 2]
    assert positions.targets.tolist() == pytest.approx([0.5, (0.25 + 0.8 + 0.05) / 2, 0.5])


def test_the_last_games_are_kept_apart_whole() -> None:
    begins = array("q", [0, 40, 80, 96, 99])
    assert Positions(targets=array("d", [0.5] * 100), games=begins).apart() == 96
    assert Positions(targets=array("d", [0.5] * 100), games=begins[:2]).apart() == 40


# The games


def test_a_random_opening_does_not_lose_at_once() -> None:
    state = flat([0] * layout.STATE_SIZE, "q")
    values = (-layout.WIN, 30, -layout.WIN, -700, 5)
    for number, value in enumerate(values):
        state[layout.CHILDREN + 3 * number] = value
        state[layout.CHILDREN + 3 * number + 1] = 10 + number
    assert {random_move(state, 5, chance) for chance in range(50)} == {11, 13, 14}
    assert {random_move(state, 1, chance) for chance in range(50)} == {10}


def root_with(*moves: tuple[int, int]) -> Any:  # noqa: ANN401 - a list, or numpy's array
    """Return the nodes of a root, and its children: the visits of each, and 1 or -1 if proven."""
    nodes = flat([0] * (layout.NODE * (1 + len(moves))), "i")
    nodes[layout.FIRST_CHILD], nodes[layout.FACTS] = 1, len(moves) << layout.HOW_MANY
    for child, (visits, proven) in enumerate(moves, start=1):
        nodes[layout.NODE * child + layout.VISITS] = visits
        nodes[layout.NODE * child + layout.PRIOR] = layout.LOST if proven < 0 else 0
        nodes[layout.NODE * child + layout.FACTS] = layout.WON if proven > 0 else 0
    return nodes


def test_the_move_played_is_the_most_visited_that_does_not_lose() -> None:
    assert most_visited(root_with((90, -1), (10, 0), (30, 0)), 1) == 3
    assert most_visited(root_with((90, 0), (10, 1), (30, 0)), 1) == 2
    assert most_visited(root_with((90, -1), (95, -1)), 1) == 1


def test_a_move_by_visits_is_one_that_was_considered() -> None:
    nodes = root_with((60, 0), (30, 0), (10, 0), (50, -1))
    chosen = [by_visits(nodes, 1, 1, chance) for chance in range(150)]
    assert [chosen.count(child) for child in (1, 2, 3, 4)] == [120, 30, 0, 0]
    assert by_visits(root_with((0, 0), (0, 0)), 1, 2, 5) == 2


@pytest.mark.parametrize("variant", BOTH)
def test_a_game_ends_as_its_last_position_is_seen(variant: str) -> None:
    trainer = trainer_of(variant, unpacked(weights_path(variant).read_bytes()))
    rng = Random(11)
    proven = 0
    for _ in range(6):
        noted, outcome = play_one(trainer, 12, rng)
        shares = [trainer.record[number * SHARED_MEMORY + VALUE] for number in range(noted)]
        assert all(0 <= share <= layout.SURE for share in shares)
        if shares[-1] in (0, layout.SURE):
            assert outcome == (2 if shares[-1] else 0)
            proven += 1
        for number in range(noted):
            at = number * SHARED_MEMORY + FIRST
            entries = trainer.record[at : at + trainer.record[at - FIRST + HOW_MANY]]
            assert all(layout.LOCAL <= entry < layout.TABLE_SIZE for entry in entries)
    assert proven


# The learning


@pytest.mark.parametrize("variant", BOTH)
def test_learning_lowers_the_error_on_the_positions_learned_from(variant: str) -> None:
    trainer = trainer_of(variant)
    fitting = Fitting(trainer, games_of(trainer, 4, seed=3))
    before = fitting.error(0, fitting.apart)
    rounds = list(fitting.rounds(5, 0.05, Random(3)))
    after = fitting.error(0, fitting.apart)
    assert len(rounds) == 5
    assert after.divergence < before.divergence / 2
    assert after.squared < before.squared / 2
    assert rounds[-1].learned.divergence < rounds[0].learned.divergence
    assert rounds[-1].apart == fitting.error(fitting.apart, fitting.count)


def test_looking_at_the_error_moves_nothing() -> None:
    trainer = trainer_of("ultimate")
    fitting = Fitting(trainer, games_of(trainer, 2, seed=4))
    weights, used = list(trainer.weights), list(trainer.used)
    assert fitting.error(0, fitting.count) == fitting.error(0, fitting.count)
    assert (list(trainer.weights), list(trainer.used)) == (weights, used)


def test_weights_that_were_learned_before_move_less_than_new_ones() -> None:
    new = trainer_of("ultimate")
    old = trainer_of("ultimate", no_weights())
    assert min(old.used) == max(old.used) == SETTLED
    positions = games_of(new, 2, seed=5)
    moved = []
    for trainer in (new, old):
        list(Fitting(trainer, positions).rounds(1, 0.05, Random(5)))
        moved.append(sum(abs(weight) for weight in trainer.weights))
    assert 0 < moved[1] < moved[0]


def test_the_search_sees_what_was_learned() -> None:
    trainer = trainer_of("ultimate")
    fitting = Fitting(trainer, games_of(trainer, 2, seed=6))
    table = list(trainer.board.table)
    list(fitting.rounds(2, 0.05, Random(6)))
    assert list(trainer.board.table) != table


def test_the_same_seed_learns_the_same() -> None:
    learned = []
    for seed in (7, 7, 8):
        trainer = trainer_of("ultimate")
        list(Fitting(trainer, games_of(trainer, 3, seed)).rounds(2, 0.05, Random(seed)))
        learned.append(trainer.packed())
    assert learned[0] == learned[1] != learned[2]


def test_the_command_goes_on_from_a_file_and_writes_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "learned"
    source = weights_path("ultimate")
    options = ["--visits", "6", "--games", "2", "--rounds", "2", "--seed", "9"]
    main(["ultimate", *options, "--from", str(source), "--to", str(to)])
    before, after = unpacked(source.read_bytes()), unpacked(to.read_bytes())
    assert before != after
    assert sum(a == b for a, b in zip(before, after, strict=True)) > len(before) // 2
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("2 games (")
    assert [line.partition(":")[0] for line in printed[1:]] == ["before", "round 1", "round 2"]


def test_the_command_plays_as_long_as_it_may_but_two_games(tmp_path: Path) -> None:
    to = tmp_path / "learned"
    main(["ultimate", "--visits", "4", "--minutes", "0", "--rounds", "1", "--to", str(to)])
    assert any(unpacked(to.read_bytes()))


def test_positions_add_up_to_what_the_search_thinks_of_them() -> None:
    board = board_of("ultimate")
    trainer = trainer_of("ultimate", unpacked(weights_path("ultimate").read_bytes()))
    positions = games_of(trainer, 2, seed=10)
    values = []
    for number, left in enumerate(positions.left):
        entries = positions.entries[positions.begins[number] : positions.begins[number + 1]]
        value = sum(int(board.table[entry]) for entry in entries)
        leader, other = divmod(left, 17) if value > 0 else divmod(left, 17)[::-1]
        values.append(value * int(board.table[layout.SCALE + 17 * leader + other]) / 1000)
    shares = [float(evaluation.share(value)) for value in values]
    off = [(share - target) ** 2 for share, target in zip(shares, positions.targets, strict=True)]
    error = Fitting(trainer, positions).error(0, len(shares))
    assert error.squared == pytest.approx(sum(off) / len(off), rel=0.01)
