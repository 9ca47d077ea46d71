"""After a game: what it was worth after each move, what went wrong, and the plot of it."""

import time
from random import Random

import pytest

from engine import VARIANTS, MoveError, Side, Variant
from engine.bots.analysis import MIN_SWING, Analysis, Finding, analyse, from_json, to_json
from engine.bots.solvers import numeric, quantum
from engine.bots.solvers.tinc import TincBot, expected
from engine.variants.numeric import NumericPosition
from engine.variants.quantum import QuantumPosition
from engine.variants.tinc import TincPosition
from tests.support.engine.playouts import each_registered_variant
from tests.support.waiting import PATIENCE

SOLVED = ("numeric", "quantum")


def random_game(variant: str, seed: int) -> list[str]:
    random, position, moves = Random(seed), VARIANTS[variant].start, list[str]()
    while position.outcome is None and len(moves) < 40:
        moves.append(position.random_move(random))
        position = position.play(moves[-1])
    return moves


def analysed(variant: str, moves: list[str], seconds: float = 0.005) -> Analysis:
    return analyse(variant, moves, seconds, Random(1))


def words_on(variant: str, finding: Finding) -> str:
    analysis = Analysis(variant, is_exact=True, first=0, win_probabilities=(), findings=(finding,))
    (words,) = analysis.words()
    return str(words)


def sentences(variant: str, moves: str) -> list[str]:
    return [str(words) for words in analysed(variant, moves.split()).words()]


@each_registered_variant
def test_there_is_a_value_after_every_move(variant: Variant) -> None:
    moves = random_game(variant.key, 4)
    analysis = analysed(variant.key, moves)
    assert analysis.first == 0
    assert len(analysis.win_probabilities) == len(moves) + 1
    assert all(0 <= each <= 1 for each in analysis.win_probabilities)
    outcome = variant.replay(moves).outcome
    if outcome is not None:
        x, o = outcome.points
        assert analysis.win_probabilities[-1] == (1 + x - o) / 2


@each_registered_variant
def test_a_game_without_moves_has_a_value_too(variant: Variant) -> None:
    analysis = analysed(variant.key, [])
    assert len(analysis.win_probabilities) == 1
    assert not analysis.findings


@each_registered_variant
def test_moves_that_cannot_be_played_are_refused(variant: Variant) -> None:
    with pytest.raises(MoveError):
        analysed(variant.key, ["z9"])


def test_an_analysis_that_was_stored_by_the_first_release_can_be_read() -> None:
    stored = (
        '{"variant": "ultimate", "is_exact": false, "first": 0, "chances": [0.5, 0.75], "findings":'
        ' [{"number": 1, "move": "e5", "side": "X", "before": 0.5, "after": 0.75, "best": null}]}'
    )
    analysis = from_json(stored)
    assert analysis.win_probabilities == (0.5, 0.75)
    assert analysis.findings == (Finding(1, "e5", Side.X, 0.5, 0.75, None),)
    assert to_json(analysis) == stored


def worth(position: NumericPosition | QuantumPosition, side: Side) -> float:
    if isinstance(position, NumericPosition):
        points = numeric.solve(position)
    else:
        points = quantum.solve(position)
    return points if position.turn is side else -points


@pytest.mark.parametrize("variant", SOLVED)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(1, 8))]
)
def test_in_solved_games_a_mistake_is_a_move_that_lost_something_and_the_best_loses_nothing(
    variant: str, seed: int
) -> None:
    moves = random_game(variant, seed)
    analysis = analysed(variant, moves)
    assert analysis.is_exact
    mistakes = {finding.number: finding for finding in analysis.findings}
    position = VARIANTS[variant].start
    for number, move in enumerate(moves, start=1):
        side, after = position.turn, position.play(move)
        assert isinstance(position, NumericPosition | QuantumPosition)
        assert isinstance(after, NumericPosition | QuantumPosition)
        assert analysis.win_probabilities[number] == (1 + worth(after, Side.X)) / 2
        assert (number in mistakes) is (worth(after, side) < worth(position, side))
        if number in mistakes:
            better = position.play(mistakes[number].best or "")
            assert isinstance(better, NumericPosition | QuantumPosition)
            assert worth(better, side) == worth(position, side)
        position = after


def test_a_mistake_is_named_with_what_would_have_been_better() -> None:
    [gift, *_] = sentences("numeric", "b2=5 a1=2")
    assert gift.startswith("Move 1, b2=5, gave away the win: ")
    assert gift.endswith(" wins")
    assert sentences("numeric", "b1=1") == []


@pytest.mark.parametrize(
    ("side", "before", "after", "sentence"),
    [
        (Side.X, 1.0, 0.75, "Move 3, m, gave away half a point: b wins outright"),
        (Side.X, 1.0, 0.5, "Move 3, m, gave away the win: b wins"),
        (Side.X, 1.0, 0.0, "Move 3, m, turned a win into a loss: b wins"),
        (Side.X, 0.75, 0.5, "Move 3, m, gave away the win: b wins by half a point"),
        (Side.O, 0.25, 0.75, "Move 3, m, turned a win into a loss: b wins by half a point"),
        (Side.O, 0.5, 0.75, "Move 3, m, gave away the draw: b keeps it"),
        (Side.O, 0.5, 1.0, "Move 3, m, gave away the draw: b keeps it"),
        (Side.O, 0.75, 1.0, "Move 3, m, gave away half a point: b loses by only half a point"),
    ],
)
def test_each_sort_of_mistake_has_its_words(
    side: Side, before: float, after: float, sentence: str
) -> None:
    assert words_on("quantum", Finding(3, "m", side, before, after, "b")) == sentence


@pytest.mark.parametrize(
    ("finding", "sentence"),
    [
        (
            Finding(9, "e5", Side.O, 0.4, 0.7, "a1"),
            "Move 9, e5: O's chance fell from 60 % to 30 %; a1 looked better",
        ),
        (
            Finding(9, "e5", Side.X, 0.9, 0.0, None),
            "Move 9, e5: X's chance fell from 90 % to 0 %, and nothing better was found",
        ),
        (
            Finding(9, "e5", Side.X, 0.2, 0.999, None),
            "Move 9, e5, was stronger than it looked: X's chance rose from 20 % to 99 %",
        ),
    ],
)
def test_turning_points_are_told_as_the_estimates_that_they_are(
    finding: Finding, sentence: str
) -> None:
    assert words_on("ultimate", finding) == sentence


def test_verdicts_name_the_sides_as_the_game_does() -> None:
    exact = Analysis(
        "numeric", is_exact=True, first=0, win_probabilities=(1.0, 0.5, 0.0), findings=()
    )
    assert [str(exact.verdict(number)) for number in range(3)] == [
        "Odd wins",
        "a draw",
        "Even wins",
    ]
    halves = Analysis(
        "quantum", is_exact=True, first=0, win_probabilities=(0.75, 0.25), findings=()
    )
    assert str(halves.verdict(1)) == "O wins by half a point"
    estimate = Analysis(
        "ultimate", is_exact=False, first=7, win_probabilities=(0.1, 0.625), findings=()
    )
    assert str(estimate.verdict(8)) == "X 62 %"


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_other_games_have_up_to_three_turning_points_the_largest_swings(variant: str) -> None:
    moves = random_game(variant, 11)
    analysis = analysed(variant, moves, seconds=0.01)
    assert not analysis.is_exact
    swings = sorted(
        (abs(after - before), number)
        for number, (before, after) in enumerate(
            zip(analysis.win_probabilities, analysis.win_probabilities[1:], strict=False), start=1
        )
        if abs(after - before) >= MIN_SWING
    )
    assert [finding.number for finding in analysis.findings] == sorted(
        number for _, number in swings[-3:]
    )
    for finding in analysis.findings:
        assert finding.move == moves[finding.number - 1]
        assert finding.best != finding.move


def test_a_win_that_was_missed_in_ultimate_was_certain() -> None:
    moves, side = missed_win("ultimate")
    analysis = analysed("ultimate", moves, seconds=0.01)
    assert analysis.win_probabilities[-2] == (1.0 if side is Side.X else 0.0)


def missed_win(variant: str) -> tuple[list[str], Side]:
    """Return a game up to where somebody might have won at once, but made another move."""
    for seed in range(100):
        position, moves = VARIANTS[variant].start, random_game(variant, seed)
        for number, move in enumerate(moves, start=1):
            outcomes = [position.play(each).outcome for each in position.legal_moves()]
            position = position.play(move)
            if any(outcome and outcome.winner for outcome in outcomes) and not position.outcome:
                return moves[:number], position.turn.other
    raise AssertionError


def careless_game(seed: int) -> list[str]:
    random, position, moves = Random(seed), VARIANTS["tinc"].start, list[str]()
    bot = TincBot(overlooks=0.5, forgets=0.8)
    while position.outcome is None and len(moves) < 40:
        moves.append(bot.choose(position, 1.0, random).move)
        position = position.play(moves[-1])
    return moves


def test_a_missed_win_in_tinc_and_a_forgotten_edge_are_told() -> None:
    told = []
    for seed in range(40):
        moves = careless_game(seed)
        analysis = analysed("tinc", moves)
        assert len(analysis.findings) <= 3
        for finding in analysis.findings:
            before = TincPosition.of(VARIANTS["tinc"].replay(moves[: finding.number - 1]))
            assert finding.loss > 0
            better = before.play(finding.best or "")
            assert isinstance(better, TincPosition)
            if expected(before) == 1:
                assert better.outcome is not None
            else:
                assert expected(better) == 0.5
        told += [str(words).partition(", ")[2] for words in analysis.words()]
    assert any(", forgot the edge and left O a line to fill: " in words for words in told)
    assert any(", missed a win: " in words for words in told)


@pytest.mark.deep
def test_a_game_of_a_thousand_turns_is_analysed_soon_and_a_longer_one_in_part() -> None:
    random, position, moves = Random(1), VARIANTS["tinc"].start, list[str]()
    while len(moves) < 1100:
        assert isinstance(position, TincPosition)
        move = position.random_move(random)
        after = position.play(move)
        if after.outcome is None:
            position = after
            moves.append(move)
    begin = time.monotonic()
    analysis = analysed("tinc", moves)
    assert time.monotonic() - begin < PATIENCE
    assert analysis.first == 100
    assert len(analysis.win_probabilities) == 1001
    assert str(analysis.verdict(1100)) in {"neither can force a win", "X wins", "O wins"}
