"""The engine's benchmark itself runs, and counts what it says."""

import json
from random import Random

import pytest

from engine import VARIANTS, Variant
from tests.bench.engine import MAX_MOVES, main, perft, random_game

each_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))


@each_variant
def test_a_random_game_is_repeated_by_its_seed(variant: Variant) -> None:
    lengths = [
        [random_game(variant, random) for _ in range(5)] for random in (Random(1), Random(1))
    ]
    assert lengths[0] == lengths[1]
    assert 0 < max(lengths[0]) <= (MAX_MOVES if variant.may_never_end else 162)


@pytest.mark.parametrize(("key", "nodes"), [("tinc", 1 + 36), ("ultimate", 81 + 720)])
def test_the_nodes_of_a_perft_are_the_positions_it_comes_to(key: str, nodes: int) -> None:
    assert perft(VARIANTS[key].start, 2) == nodes


def test_the_table_has_a_line_for_each_variant(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--seconds", "0"])
    facts, empty, *rows = capsys.readouterr().out.splitlines()
    assert "python: " in facts
    assert "cores: " in facts
    assert empty == ""
    assert [row.split()[0] for row in rows] == ["variant", *VARIANTS]
    assert len({len(row) for row in rows}) == 1


def test_the_json_has_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--seconds", "0", "--seed", "7", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert figures["seed"] == 7
    assert [row["variant"] for row in figures["variants"]] == list(VARIANTS)
    assert all(row["nodes_per_second"] > 0 for row in figures["variants"])
