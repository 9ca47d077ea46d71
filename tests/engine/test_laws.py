"""Laws of play that hold in every variant, tried on random games.

What is said in words and pictures has laws of its own, in `test_laws_of_words.py`.
"""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import VARIANTS, IllegalMove, MoveError, Side, Variant
from tests.support.engine.playouts import (
    LONGEST,
    each_variant,
    is_legal,
    notations,
    playout,
    single_cells,
    some_moves,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Position

games = st.randoms(use_true_random=False)
"""A source of choices for a playout, which Hypothesis can repeat and make simpler."""

law = settings(deadline=None, derandomize=True, max_examples=25)
slow_law = settings(law, max_examples=10)


def looks(position: Position) -> tuple[object, ...]:
    """Return all that a position shows of itself."""
    return (
        hash(position),
        position.turn,
        position.outcome,
        some_moves(position),
        position.diagram(),
        position.close_up(),
        [str(sentence) for sentence in position.describe()],
    )


def refusal(attempt: Callable[[str], object], move: str) -> MoveError | None:
    """Return the error that an attempt at a move ends in, if any."""
    try:
        attempt(move)
    except MoveError as error:
        return error
    return None


# How games go and end


@each_variant
@law
@given(random=games)
def test_every_game_ends_except_where_it_may_go_on_for_ever(
    variant: Variant, random: Random
) -> None:
    game = playout(variant, random)
    if variant.may_never_end:
        assert game.last.outcome is None or game.last.outcome.winner is not None
    else:
        assert game.last.outcome is not None
        assert len(game.moves) <= LONGEST[variant.key]


@each_variant
@law
@given(random=games)
def test_there_are_moves_exactly_while_the_game_goes_on(variant: Variant, random: Random) -> None:
    *before, last = playout(variant, random).positions
    for position in before:
        assert position.outcome is None
        assert some_moves(position)
    assert bool(some_moves(last)) == (last.outcome is None)


@each_variant
@law
@given(random=games)
def test_it_is_always_somebodys_turn(variant: Variant, random: Random) -> None:
    positions = playout(variant, random).positions
    assert positions[0].turn is Side.X
    assert all(position.turn in tuple(Side) for position in positions)


@each_variant
@law
@given(random=games)
def test_the_points_fit_the_winner(variant: Variant, random: Random) -> None:
    outcome = playout(variant, random).last.outcome
    if outcome is None:
        return
    points = {Side.X: outcome.points[0], Side.O: outcome.points[1]}
    if outcome.winner is None:
        assert outcome.points == variant.draw_points
    else:
        assert points[outcome.winner] == 1
        consolation = (0, 0.5) if variant.key == "quantum" else (0,)
        assert points[outcome.winner.other] in consolation


@each_variant
def test_a_draw_is_worth_half_a_point_each_but_nothing_in_quantum(variant: Variant) -> None:
    assert variant.draw_points == ((0, 0) if variant.key == "quantum" else (0.5, 0.5))


@pytest.mark.parametrize(
    ("key", "ways"),
    [
        ("tinc", {None, (1, 0), (0, 1)}),
        ("ultimate", {(1, 0), (0, 1), (0.5, 0.5)}),
        ("numeric", {(1, 0), (0, 1), (0.5, 0.5)}),
        ("quantum", {(1, 0), (0, 1), (1, 0.5), (0.5, 1), (0, 0)}),
        ("extreme", {(1, 0), (0, 1), (0.5, 0.5)}),
    ],
)
def test_random_games_end_in_each_way_that_the_rules_know(key: str, ways: set[object]) -> None:
    outcomes = [playout(VARIANTS[key], Random(seed)).last.outcome for seed in range(200)]
    assert {outcome and outcome.points for outcome in outcomes} == ways


# Moves


@each_variant
@law
@given(random=games)
def test_every_legal_move_reads_as_itself_and_can_be_played(
    variant: Variant, random: Random
) -> None:
    for position in playout(variant, random).positions:
        moves = some_moves(position)
        assert len(set(moves)) == len(moves)
        for move in moves:
            assert position.parse(move) == move
            assert position.play(move) != position


@each_variant
@law
@given(random=games)
def test_what_can_be_written_but_is_not_legal_is_refused_and_changes_nothing(
    variant: Variant, random: Random
) -> None:
    position = random.choice(playout(variant, random).positions)
    before = looks(position)
    legal = set(few_moves(position))
    for move in notations(variant, position):
        are_pairs_left_out = position.has_countless_moves
        allowed = move in legal or (are_pairs_left_out and set(move.split("+")) <= legal)
        played, parsed = refusal(position.play, move), refusal(position.parse, move)
        if allowed:
            assert played is parsed is None
        else:
            assert type(played) is type(parsed) is IllegalMove
            assert str(played) == str(parsed)
    assert looks(position) == before


@each_variant
@law
@given(random=games)
def test_when_the_game_is_over_every_move_is_refused_for_that(
    variant: Variant, random: Random
) -> None:
    last = playout(variant, random).last
    if last.outcome is None:
        return
    for move in notations(variant, last):
        with pytest.raises(IllegalMove, match=r"^The game is over$"):
            last.play(move)


# Replaying


@each_variant
@law
@given(random=games)
def test_a_replay_comes_to_the_same_position(variant: Variant, random: Random) -> None:
    game = playout(variant, random)
    for ply, position in enumerate(game.positions):
        again = variant.replay(game.moves[:ply])
        assert again == position
        assert looks(again) == looks(position)


@each_variant
@law
@given(random=games)
def test_all_positions_of_a_game_are_different(variant: Variant, random: Random) -> None:
    positions = playout(variant, random).positions
    assert len(set(positions)) == len(positions)


@each_variant
@law
@given(random=games)
def test_a_replay_says_which_move_is_wrong_and_why(variant: Variant, random: Random) -> None:
    game = playout(variant, random)
    ply = random.randrange(len(game.positions))
    position = game.positions[ply]
    wrong = [move for move in notations(variant, position) if not is_legal(position, move)]
    if not wrong:
        return
    bad = random.choice(wrong)
    with pytest.raises(IllegalMove) as reason:
        position.play(bad)
    with pytest.raises(MoveError) as caught:
        variant.replay([*game.moves[:ply], bad, *game.moves[ply:]])
    assert type(caught.value) is IllegalMove
    assert str(caught.value) == f"Move {ply + 1}, {bad}: {reason.value}"


def test_the_error_of_a_replay_reads_well() -> None:
    with pytest.raises(IllegalMove, match=r"^Move 3, e5: e5 is taken$"):
        VARIANTS["ultimate"].replay(["e5", "e6", "e5"])


# Positions are values


@each_variant
@law
@given(random=games)
def test_playing_leaves_a_position_as_it_was(variant: Variant, random: Random) -> None:
    for position in playout(variant, random).positions:
        before = looks(position)
        for move in some_moves(position):
            position.play(move)
        assert looks(position) == before


@each_variant
@slow_law
@given(random=games)
def test_no_attribute_of_a_position_can_be_set_or_added(variant: Variant, random: Random) -> None:
    position = playout(variant, random).last
    before = looks(position)
    for name in [*(name for name in dir(position) if not name.startswith("_")), "note"]:
        # Python 3.11 has a frozen dataclass with slots say TypeError for what is no field of it.
        with pytest.raises((AttributeError, TypeError)):
            setattr(position, name, None)
        with pytest.raises((AttributeError, TypeError)):
            delattr(position, name)
    assert looks(position) == before


@each_variant
@law
@given(random=games)
def test_a_position_survives_pickling_and_copying(variant: Variant, random: Random) -> None:
    game = playout(variant, random)
    for position in (random.choice(game.positions), game.last):
        for same in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position)):
            assert same == position
            assert looks(same) == looks(position)


# Symmetry


@each_variant
@slow_law
@given(random=games)
def test_a_mirrored_game_is_the_same_game(variant: Variant, random: Random) -> None:
    game = playout(variant, random)
    mirrors = [variant.start] * SYMMETRIES[variant.key]
    for position, move in zip(game.positions, [*game.moves, None], strict=True):
        moves = few_moves(position)
        images = zip(*map(position.images, moves), strict=True) if moves else [()] * len(mirrors)
        for mirror, mirrored_moves in zip(mirrors, images, strict=True):
            assert set(mirrored_moves) == set(few_moves(mirror))
            assert mirror.turn is position.turn
            assert (mirror.outcome is None) == (position.outcome is None)
        if move is not None:
            played = zip(mirrors, position.images(move), strict=True)
            mirrors = [mirror.play(image) for mirror, image in played]
    ending = game.last.outcome
    for mirror in mirrors:
        if ending is not None:
            assert mirror.outcome is not None
            assert mirror.outcome.winner is ending.winner
            assert mirror.outcome.points == ending.points


def few_moves(position: Position) -> list[str]:
    """Return the legal moves; of tinc the single cells, of which all the others are pairs."""
    if position.has_countless_moves:
        return single_cells(position)
    return list(position.legal_moves())


SYMMETRIES = {"tinc": 8, "ultimate": 8, "numeric": 8, "quantum": 8, "extreme": 16, "noughts": 8}
"""How many symmetries each variant has."""


@each_variant
def test_symmetries_are_all_different_and_none_is_missed(variant: Variant) -> None:
    # The first cell of tinc lies the same way whichever way it is turned.
    position = variant.start.play("a1") if variant.may_never_end else variant.start
    moves = few_moves(position)
    ways = list(zip(*map(position.images, moves), strict=True))
    assert len(ways) == len(set(ways)) == SYMMETRIES[variant.key]
    assert ways[0] == tuple(moves), "the first leaves everything where it is"


@each_variant
@law
@given(random=games)
def test_a_position_can_be_turned_over_to_the_other_side_or_not_at_all(
    variant: Variant, random: Random
) -> None:
    position = random.choice(playout(variant, random).positions)
    assert position.with_turn(position.turn) == position
    other = position.with_turn(position.turn.other)
    if other is not None:
        assert other.turn is position.turn.other
        assert position.outcome is None or other.outcome is not None
        assert other.outcome is not None or some_moves(other)
    assert (other is None) == (variant.key in ("quantum", "noughts"))


@each_variant
@law
@given(random=games)
def test_random_and_promising_moves_are_legal_and_miss_no_win(
    variant: Variant, random: Random
) -> None:
    for position in playout(variant, random).positions:
        if position.outcome is not None:
            continue
        promising = position.promising_moves(20, Random(1))
        assert len(set(promising)) == len(promising)
        assert all(is_legal(position, move) for move in promising)
        assert is_legal(position, position.random_move(Random(1)))
        if position.has_countless_moves:
            assert len(promising) <= 20
        else:
            assert list(promising) == list(position.legal_moves())


@each_variant
@law
@given(random=games)
def test_printing_a_position_shows_its_board(variant: Variant, random: Random) -> None:
    position = playout(variant, random).last
    assert str(position) == position.diagram()


@each_variant
def test_a_position_is_no_tuple_and_equals_none(variant: Variant) -> None:
    position = variant.start.play(next(iter(variant.start.legal_moves())))
    assert not isinstance(position, tuple)
    with pytest.raises(TypeError):
        iter(position)  # type: ignore[call-overload]  # the point of the test
    for other in VARIANTS.values():
        assert position != other.start
