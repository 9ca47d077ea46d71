"""The openings that ship, by which masters of ultimate and extreme begin."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from engine import VARIANTS, Side
from engine.boards.local_boards import LocalBoardsPosition
from engine.bots.local_boards.bot import BoardsBot, start_of
from engine.bots.local_boards.openings import (
    PLIES,
    TEMPERATURE,
    Opening,
    chosen,
    images_of,
    opening_of,
    openings_of,
    openings_path,
)
from tests.bench.learning.opening_search import distinct

BOTH = ("ultimate", "extreme")
MOST = {"ultimate": 0.03, "extreme": 0.01}
"""The greatest difference in worth between the best move and another one in the openings."""


def shipped(variant: str) -> list[Opening]:
    return list(map(opening_of, openings_path(variant).read_text("ascii").splitlines()))


def after(variant: str, moves: str) -> LocalBoardsPosition:
    position = start_of(variant)
    for move in moves.split():
        position = position.play(move)
    return position


# What ships


@pytest.mark.parametrize("variant", BOTH)
def test_a_line_tells_an_opening_and_an_opening_its_line(variant: str) -> None:
    lines = openings_path(variant).read_text("ascii").splitlines()
    assert [opening_of(line).line() for line in lines] == lines


@pytest.mark.parametrize("variant", BOTH)
def test_every_move_is_legal_and_worth_about_as_much_as_the_best(variant: str) -> None:
    for opening in shipped(variant):
        legal = after(variant, " ".join(opening.moves)).legal_moves()
        worths = list(opening.worths.values())
        assert set(opening.worths) <= set(legal)
        assert worths == sorted(worths, reverse=True)
        assert 0 < worths[-1] <= worths[0] < 1
        assert worths[0] - worths[-1] <= MOST[variant] + 0.001


@pytest.mark.parametrize("variant", BOTH)
def test_no_position_and_no_move_is_there_twice(variant: str) -> None:
    positions = []
    for opening in shipped(variant):
        position = after(variant, " ".join(opening.moves))
        positions.append((opening.moves, position))
        ways = [(move, position.play(move)) for move in opening.worths]
        assert distinct(ways) == list(opening.worths)
    assert len(distinct(positions)) == len(positions)


def games(variant: str, sides: frozenset[Side]) -> Iterator[LocalBoardsPosition]:
    """Yield a position of each beginning in which these sides play good moves, the others any."""
    beginnings = [start_of(variant)]
    for _ in range(PLIES):
        yield from beginnings
        longer = []
        for before in beginnings:
            good = openings_of(variant).worths(before)
            moves = good if before.turn in sides else before.legal_moves()
            longer += [(position, position) for position in map(before.play, moves)]
        beginnings = distinct(longer)


@pytest.mark.parametrize("variant", BOTH)
def test_two_masters_know_how_to_begin(variant: str) -> None:
    assert all(
        openings_of(variant).worths(position) for position in games(variant, frozenset(Side))
    )


@pytest.mark.parametrize("variant", ["ultimate", pytest.param("extreme", marks=pytest.mark.deep)])
@pytest.mark.parametrize("side", Side)
def test_a_master_knows_how_to_begin_against_anybody(variant: str, side: Side) -> None:
    for position in games(variant, frozenset({side})):
        if position.turn is side:
            assert openings_of(variant).worths(position)


@pytest.mark.parametrize("variant", BOTH)
def test_what_is_known_of_a_position_is_known_of_its_images(variant: str) -> None:
    for opening in shipped(variant)[::7]:
        position = after(variant, " ".join(opening.moves))
        worths = openings_of(variant).worths(position)
        assert opening.worths.items() <= worths.items()
        for number, image in enumerate(images_of(position)):
            turned = {position.images(move)[number]: value for move, value in worths.items()}
            assert openings_of(variant).worths(image) == turned


# How a master plays them


@pytest.mark.parametrize("variant", BOTH)
def test_a_master_begins_at_once_and_says_what_its_move_is_worth(variant: str) -> None:
    choice = BoardsBot(varies=True).choose(VARIANTS[variant].start, 0, Random(1))
    worths = openings_of(variant).worths(start_of(variant))
    assert choice.win_probability == worths[choice.move]
    assert (choice.is_exact, choice.simulations) == (False, 0)


@pytest.mark.parametrize("variant", BOTH)
def test_who_does_not_vary_thinks_from_the_first_move(variant: str) -> None:
    bot = BoardsBot(nodes=300)
    moves = {bot.choose(VARIANTS[variant].start, 60, Random(seed)).move for seed in range(5)}
    assert len(moves) == 1
    assert bot.choose(VARIANTS[variant].start, 60, Random(1)).simulations > 0


def test_a_master_thinks_where_no_opening_is_known() -> None:
    bot = BoardsBot(nodes=300, varies=True)
    assert bot.choose(after("ultimate", "e5 d4 a1"), 60, Random(1)).simulations > 0


def test_a_better_move_is_played_more_often() -> None:
    worths, rng = {"a1": 0.5, "b2": 0.5 + TEMPERATURE, "c3": 0.5 - 5 * TEMPERATURE}, Random(1)
    often = Counter(chosen(worths, rng) for _ in range(2000))
    assert often["b2"] / often["a1"] == pytest.approx(2.72, rel=0.15)
    assert often["c3"] < 20
