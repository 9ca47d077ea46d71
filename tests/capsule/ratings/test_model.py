"""Laws of ratings: what a game does to two of them, and how they are shown."""

import math
from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as some

from capsule.ratings.model import INITIAL, INITIAL_RATING, Rating, updated

RATINGS = some.builds(
    Rating, mu=some.floats(-50, 100), sigma=some.floats(0.5, 9), games=some.integers(0, 1000)
)
WIN, LOSS, DRAW, EMPTY_DRAW = (1, 0), (0, 1), (0.5, 0.5), (0, 0)
NARROW_WIN, NARROW_LOSS = (1, 0.5), (0.5, 1)
RESULTS = (LOSS, NARROW_LOSS, DRAW, NARROW_WIN, WIN)
"""From the worst for X to the best, of all games."""


@given(RATINGS, RATINGS, some.sampled_from((*RESULTS, EMPTY_DRAW)))
def test_it_is_the_papers_formula(x: Rating, o: Rating, result: tuple[float, float]) -> None:
    beta, tau = 25 / 6, 0.25
    score = 0.5 + (result[0] - result[1]) / 2
    x_variance, o_variance = x.sigma**2 + tau**2, o.sigma**2 + tau**2
    c = math.sqrt(x_variance + o_variance + 2 * beta**2)
    expected = 1 / (1 + math.exp((o.mu - x.mu) / c))
    new_x, new_o = updated(x, o, result)
    assert (new_x.games, new_o.games) == (x.games + 1, o.games + 1)
    assert new_x.mu == pytest.approx(x.mu + x_variance / c * (score - expected), abs=1e-9)
    assert new_o.mu == pytest.approx(o.mu - o_variance / c * (score - expected), abs=1e-9)
    learned = expected * (1 - expected) / c**2
    assert new_x.sigma == pytest.approx(math.sqrt(x_variance * (1 - x_variance * learned)))
    assert new_o.sigma == pytest.approx(math.sqrt(o_variance * (1 - o_variance * learned)))


@given(some.lists(some.sampled_from(RESULTS), min_size=1, max_size=30))
def test_a_rating_is_more_certain_after_every_game_against_equals(
    results: list[tuple[float, float]],
) -> None:
    rating = INITIAL
    for result in results:
        known_as_well = Rating(rating.mu, rating.sigma)
        rating, before = updated(rating, known_as_well, result)[0], rating
        assert rating.sigma < before.sigma


def test_a_rating_is_provisional_for_about_a_dozen_games() -> None:
    rng = Random(5)
    games = []
    for _ in range(30):
        x, o = INITIAL, INITIAL
        while x.is_provisional:
            x, o = updated(x, o, rng.choice((WIN, DRAW, LOSS)))
        games.append(x.games)
    assert 8 <= min(games) <= max(games) <= 15


def test_strength_is_found_whatever_the_pairings() -> None:
    rng = Random(12)
    strengths = [15, 19, 23, 27, 31, 35]
    found = [INITIAL] * len(strengths)
    for _ in range(60):
        for x, o in product(range(len(strengths)), repeat=2):
            if x != o and rng.random() < 0.2:
                c = math.sqrt(2) * 25 / 6
                wins = rng.random() < 1 / (1 + math.exp((strengths[o] - strengths[x]) / c))
                found[x], found[o] = updated(found[x], found[o], WIN if wins else LOSS)
    assert found == sorted(found, key=lambda rating: rating.mu), [each.number for each in found]
    for strength, rating in zip(strengths, found, strict=True):
        assert abs(rating.number - (INITIAL_RATING + 30 * (strength - 25))) < rating.uncertainty
