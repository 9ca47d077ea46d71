"""The facts on the pages: the stored ones are those computed here, and by others."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from engine import VARIANTS
from engine.facts.computing import beginnings, compute
from engine.facts.growth import growth
from engine.facts.model import RANDOM, Facts, facts_about, from_json, to_json
from engine.facts.samples import sample
from engine.facts.sequences import sequences
from engine.facts.sources import SOURCES

PERFT = Path(__file__).parents[2] / "data" / "perft"

QUICK = 100_000
"""Sequences that a test of the default run may count."""

STORED = tuple(SOURCES)


def stored(variant: str) -> Facts:
    facts = facts_about(variant)
    assert facts is not None
    return facts


def known(variant: str) -> list[int]:
    """Return the counts of sequences that programs came to which share nothing with the engine."""
    counts: list[int] = json.loads((PERFT / f"{variant}.json").read_text("utf-8"))["sequences"]
    return counts


@pytest.mark.parametrize("variant", STORED)
def test_facts_are_read_as_they_were_written(variant: str) -> None:
    facts = stored(variant)
    assert facts.variant == variant
    assert from_json(to_json(facts)) == facts


@pytest.mark.parametrize("variant", STORED)
def test_other_programs_count_the_same_sequences(variant: str) -> None:
    others = known(variant)
    assert list(stored(variant).sequences[: len(others)]) == others


@pytest.mark.parametrize("variant", STORED)
def test_sequences_are_counted_again(variant: str) -> None:
    counts = stored(variant).sequences
    lengths = [n for n, before in enumerate([1, *counts[:-1]], start=1) if before <= QUICK]
    assert len(lengths) >= 3
    for length in lengths:
        assert sequences(VARIANTS[variant].start, length) == counts[length - 1]


@pytest.mark.parametrize("variant", STORED)
def test_first_moves_are_judged_again(variant: str) -> None:
    kinds = beginnings(SOURCES[variant])
    assert kinds == stored(variant).first_moves
    moves = [move for kind in kinds for move in kind.moves]
    assert sorted(moves) == sorted(VARIANTS[variant].start.legal_moves())


@pytest.mark.parametrize("variant", STORED)
def test_the_shortest_and_the_longest_game_are_played_to_their_ends(variant: str) -> None:
    facts = stored(variant)
    assert facts.shortest == tuple(SOURCES[variant].shortest.split())
    longest = SOURCES[variant].longest
    assert facts.longest == (None if longest is None else tuple(longest.split()))
    for game in (facts.shortest, facts.longest):
        assert game is None or VARIANTS[variant].replay(game).outcome is not None
    assert (facts.longest is None) is VARIANTS[variant].may_never_end


@pytest.mark.parametrize(
    ("variant", "shortest", "longest"),
    [
        ("tinc", 5, None),
        ("ultimate", 17, 81),
        ("numeric", 4, 9),
        ("quantum", 6, 13),
        ("extreme", 15, 162),
    ],
)
def test_how_long_games_are(variant: str, shortest: int, longest: int | None) -> None:
    assert len(SOURCES[variant].shortest.split()) == shortest
    longest_game = SOURCES[variant].longest
    assert (None if longest_game is None else len(longest_game.split())) == longest
    for each in stored(variant).samples:
        assert each.shortest >= shortest
        assert longest is None or each.longest <= longest


@pytest.mark.parametrize(
    "variant",
    [pytest.param(each, marks=() if each == "numeric" else pytest.mark.slow) for each in STORED],
)
def test_random_players_play_the_same_games_again(variant: str) -> None:
    recorded = stored(variant).sample(RANDOM)
    again = sample(variant, RANDOM, recorded.games, recorded.seed)
    assert again == recorded
    assert recorded.unfinished == 0 or recorded.limit is not None
    assert (
        recorded.x_wins + recorded.o_wins + recorded.draws + recorded.unfinished == recorded.games
    )


def test_all_games_of_numeric_add_up() -> None:
    every = stored("numeric").every_game
    assert every is not None
    for before, ply in pairwise(every.plies):
        assert ply.sequences % before.open == 0, "every open position has as many replies"
    assert [ply.ended for ply in every.plies[:4]] == [0, 0, 0, 27_648]
    assert every.games == every.x_wins + every.o_wins + every.draws
    chances = [every.chance_of(result) for result in ("x_wins", "o_wins", "draws")]
    assert sum(chances) == 1
    recorded = stored("numeric").sample(RANDOM)
    for chance, count in zip(
        chances, (recorded.x_wins, recorded.o_wins, recorded.draws), strict=True
    ):
        assert abs(float(chance) - count / recorded.games) < 0.05
    assert abs(float(every.mean_random_length) - recorded.mean_length) < 0.2


def test_how_tinc_grows_and_is_won_soonest() -> None:
    grown = growth()
    assert stored("tinc").growth == grown
    facts = json.loads((PERFT / "tinc.json").read_text("utf-8"))["facts"]
    assert {str(size): count for size, count in grown.sizes} == facts["size after turn 3"]


@pytest.mark.deep
@pytest.mark.parametrize("variant", STORED)
def test_all_of_it_is_computed_again(variant: str) -> None:
    assert compute(variant) == stored(variant)
