"""The order of everyone's games, the sides in them and the levels of the bot."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from capsule.everyone.model import (
    ResultTally,
    midnight_after,
    midnight_from,
    next_level,
    side_of,
    variant_of,
)
from capsule.games.model import EVENT_VARIANTS, EVERYONES_SEAT, GameStatus, Seat, StoredGame
from engine import VARIANTS, Side
from engine.bots import levels_of

NUMBERS = st.integers(min_value=1, max_value=10_000)
MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - Hypothesis adds the zone


def ended(variant: str, level: str, winner: Side | None, *, people: Side = Side.X) -> StoredGame:
    seats = {people: EVERYONES_SEAT, people.other: Seat(bot=level)}
    now = datetime(2026, 11, 20, tzinfo=UTC)
    return StoredGame(
        "aaaaaaaaaa",
        VARIANTS[variant],
        seats[Side.X],
        seats[Side.O],
        GameStatus.FINISHED,
        Side.X,
        now,
        now,
        winner=winner,
        points=(0.5, 0.5),
    )


@given(NUMBERS)
def test_people_are_first_in_numeric_and_quantum_and_else_sides_alternate(number: int) -> None:
    if variant_of(number) in {"numeric", "quantum"}:
        assert side_of(number) is Side.X
        return
    before = next(
        each for each in range(number - 1, -3, -1) if variant_of(each) not in {"numeric", "quantum"}
    )
    if before > 0:
        assert side_of(before) is side_of(number).other
    assert side_of(number + len(EVENT_VARIANTS)) is side_of(number).other


@pytest.mark.parametrize("variant", EVENT_VARIANTS)
@pytest.mark.parametrize("people", Side)
def test_the_bot_grows_with_the_people(variant: str, people: Side) -> None:
    levels = tuple(levels_of(variant))
    assert next_level(levels, None) == "expert"
    for place, level in enumerate(levels):
        up, down = levels[min(place + 1, len(levels) - 1)], levels[max(place - 1, 0)]
        assert next_level(levels, ended(variant, level, people, people=people)) == up
        assert next_level(levels, ended(variant, level, people.other, people=people)) == down
        assert next_level(levels, ended(variant, level, None, people=people)) == level


def test_the_score_counts_games_with_a_result() -> None:
    score = ResultTally().after(ended("tinc", "club", Side.X)).after(ended("tinc", "club", None))
    assert score.after(ended("tinc", "club", Side.O)) == ResultTally(1, 1, 1)


@given(MOMENTS)
def test_a_midnight_is_at_most_a_day_away(moment: datetime) -> None:
    for found in (midnight_from(moment), midnight_after(moment)):
        assert (found.hour, found.minute, found.second, found.microsecond) == (0, 0, 0, 0)
        assert timedelta(0) <= found - moment <= timedelta(days=1)
    assert midnight_after(moment) > moment
