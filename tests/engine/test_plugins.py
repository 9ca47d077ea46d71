"""Variants and bots from outside: registered, played, judged and recorded like the engine's own."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

import engine
import engine.puzzles
from engine import VARIANTS, Side, message, plugins
from engine.bots import MAIN_LEVELS, Level, VariantBots, hint, level, levels_of, registry, suggest
from engine.bots.analysis import analyse
from engine.bots.handicaps import RandomBot
from engine.bots.hosting.match import MatchTerms, played
from engine.puzzles import PuzzleSources, puzzles_of, refutation_of
from engine.puzzles.checking import faults
from engine.puzzles.collection import to_json as to_line
from engine.puzzles.generation import find, numbered
from engine.record import Record, from_json, from_text, to_json, to_text
from tests.support.noughts import NOUGHTS, NoughtsPosition
from tests.support.sixth_variant import noughts_plugged_in

plugged_in = pytest.mark.usefixtures("noughts")

WON = ["b2", "a1", "c1", "b3", "a3"]
"""A game of noughts that X wins."""


def test_a_plug_in_is_there_only_while_it_is_loaded() -> None:
    own = list(VARIANTS)
    with noughts_plugged_in():
        assert list(VARIANTS) == [*own, "noughts"]
        assert plugins.loaded() == ("tests.support.noughts",)
        plugins.load("tests.support.noughts")
        assert plugins.loaded() == ("tests.support.noughts",), "once is enough"
    assert list(VARIANTS) == own == ["tinc", "ultimate", "numeric", "quantum", "extreme"]
    assert plugins.loaded() == ()


def test_a_plug_in_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ImportError):
        plugins.load("nowhere.to.be.found")
    assert plugins.loaded() == ()


@pytest.mark.parametrize("key", ["", "Noughts", "noughts and crosses", "1st", "a/b"])
def test_a_key_is_a_word_that_an_address_can_hold(key: str) -> None:
    with pytest.raises(ValueError, match="lower-case word"):
        engine.register(replace(NOUGHTS, key=key))


@plugged_in
def test_neither_a_key_nor_a_class_of_positions_is_taken_twice() -> None:
    with pytest.raises(ValueError, match="noughts already"):
        engine.register(NOUGHTS)
    with pytest.raises(ValueError, match="same class of positions"):
        engine.register(replace(NOUGHTS, key="crosses"))


def test_a_position_knows_its_variant_if_that_is_registered() -> None:
    assert [engine.variant_of(each.start) for each in VARIANTS.values()] == [*VARIANTS.values()]
    with pytest.raises(ValueError, match="NoughtsPosition"):
        engine.variant_of(NoughtsPosition())


@plugged_in
def test_it_is_recorded_as_text_and_as_json() -> None:
    outcome = VARIANTS["noughts"].replay(WON).outcome
    assert outcome is not None
    begun = datetime(2026, 11, 20, 14, 2, tzinfo=UTC)
    record = Record(
        variant="noughts",
        id="k3x9m2pqrt",
        x="alice",
        o="bob",
        moves=tuple(WON),
        status="finished",
        winner=outcome.winner,
        points=outcome.points,
        created=begun,
        ended=begun,
    )
    assert from_text(to_text(record)) == from_json(to_json(record)) == record


@pytest.mark.slow
@plugged_in
def test_the_expert_does_not_lose_and_seldom_fails_to_beat_the_novice() -> None:
    expert, novice = level("noughts", "expert").bot, level("noughts", "novice").bot
    results = []
    for seed, side in enumerate((*Side, *Side)):
        rng, position = Random(seed), NOUGHTS.start
        while position.outcome is None:
            bot = expert if position.turn is side else novice
            # Time enough for all the games that it imagines, however busy the machine is.
            position = position.play(bot.choose(position, 60, rng).move)
        results.append(position.outcome.value_for(side))
    assert 0 not in results
    assert sum(results) > 2.5


@plugged_in
def test_a_hint_blocks_a_line_and_a_suggestion_takes_one() -> None:
    threatened = NOUGHTS.replay(["b2", "a1", "c1"])
    choice = hint(threatened, 0.2, Random(1))
    assert choice.move == "a3"
    assert str(choice.reason) == "looked best in the time available"
    assert suggest(NOUGHTS.replay(["b2", "a1", "c1", "b3"])) == "a3"
    assert suggest(NOUGHTS.replay(WON)) is None


@plugged_in
def test_an_analysis_finds_where_it_turned() -> None:
    analysis = analyse("noughts", WON, 0.1, Random(1))
    assert not analysis.is_exact
    assert analysis.win_probabilities[-1] == 1.0
    lost = {finding.number: finding for finding in analysis.findings}[4]
    assert (lost.move, lost.best) == ("b3", "a3")
    assert str(analysis.words()[-1]).endswith("; a3 looked better")


@plugged_in
def test_two_levels_play_it_in_processes_of_their_own() -> None:
    with closing(played(MatchTerms("noughts", ("club", "novice"), games=2, seconds=0.05))) as games:
        for game in games:
            assert game.forfeit is None
            assert VARIANTS["noughts"].replay(game.moves).outcome is not None


@pytest.fixture
def bots(noughts: None) -> Iterator[VariantBots]:
    """Bots of its own for the variant from outside."""
    lazy = Level(RandomBot, message("Plays anything."))
    own = VariantBots(
        levels=dict.fromkeys((*MAIN_LEVELS[:-1], "expert-plus", "master"), lazy),
        explain=lambda position, move: message("puts {side} there", side=position.turn),
    )
    engine.bots.register("noughts", own)
    yield own
    engine.bots.unregister("noughts")


def test_bots_from_outside_take_the_place_of_the_search(bots: VariantBots) -> None:
    assert [*levels_of("noughts")] == [
        "novice",
        "casual",
        "club",
        "expert",
        "expert-plus",
        "master",
    ]
    assert str(hint(NOUGHTS.start, 0.1, Random(1)).reason) == "puts X there"
    with pytest.raises(ValueError, match="bots for noughts already"):
        engine.bots.register("noughts", bots)


@plugged_in
@pytest.mark.parametrize(
    "names", [MAIN_LEVELS[:-1], (*MAIN_LEVELS, "grandmaster"), MAIN_LEVELS[::-1]]
)
def test_levels_have_the_names_that_the_capsule_knows(names: tuple[str, ...]) -> None:
    lazy = Level(RandomBot, message("Plays anything."))
    with pytest.raises(ValueError, match="Levels are novice, casual, club, expert, master and"):
        engine.bots.register("noughts", VariantBots(levels=dict.fromkeys(names, lazy)))


@plugged_in
def test_without_bots_of_its_own_it_has_those_for_any_variant() -> None:
    assert registry.bots_of("noughts") == VariantBots()
    with pytest.raises(ValueError, match="no variant 'chess'"):
        registry.bots_of("chess")


@plugged_in
def test_a_plug_in_brings_its_own_puzzles(tmp_path: Path) -> None:
    sources = PuzzleSources("tests.support.noughts_prover", tmp_path / "noughts.jsonl")
    engine.puzzles.register("noughts", sources)
    try:
        found = filter(None, find("noughts", (), 1, Random(1)))
        made = numbered("noughts", found, 1)
        sources.file.write_text("".join(f"{to_line(one)}\n" for one in made), "utf-8")
        assert list(puzzles_of("noughts")) == made
        assert [fault for one in made for fault in faults(one)] == []
        wrong = next(move for move in made[0].position().legal_moves() if move not in made[0].line)
        (said,) = refutation_of(made[0], wrong).sentences
        assert str(said) == f"{wrong} does not win."
        with pytest.raises(ValueError, match="puzzles of noughts already"):
            engine.puzzles.register("noughts", sources)
    finally:
        engine.puzzles.unregister("noughts")
    assert puzzles_of("noughts") == ()
