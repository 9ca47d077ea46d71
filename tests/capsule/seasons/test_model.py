"""The rules of a season as such: whatever happens, and in whichever order."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given, strategies as st

from capsule.puzzles.model import PuzzleAnswer, PuzzleId
from capsule.seasons.model import (
    GAMES_A_DAY,
    GAMES_A_MONTH,
    EventKind,
    SeasonEvent,
    Standing,
    counted_events,
    standing_of,
)

BEGINNING = datetime(2026, 11, 1, tzinfo=UTC)
MINUTES = 30 * 24 * 60


@st.composite
def some_events(draw: st.DrawFn) -> list[SeasonEvent]:
    made = []
    for number in range(draw(st.integers(0, 25))):
        kind = draw(st.sampled_from(EventKind))
        at = BEGINNING + timedelta(minutes=draw(st.integers(0, 4 * 24 * 60 - 1)))
        is_game = kind is EventKind.GAME
        points = draw(st.sampled_from((0, 1, 2, 3))) if is_game else 1
        opponent = draw(st.integers(2, 3)) if is_game else None
        made.append(SeasonEvent(1, kind, str(number), at, points, opponent))
    return made


@given(some_events(), st.randoms())
def test_the_order_in_which_events_are_stored_makes_no_difference(
    events: list[SeasonEvent], random: Random
) -> None:
    standing = standing_of(events)
    random.shuffle(events)
    assert standing_of(events) == standing


@given(some_events())
def test_no_cap_is_exceeded_and_none_is_left_unused(events: list[SeasonEvent]) -> None:
    counted = [*counted_events(events)]
    games = [each for each in counted if each.kind is EventKind.GAME]
    others = Counter((each.kind, each.day) for each in counted if each not in games)
    on_days = Counter((each.opponent_id, each.day) for each in games)
    in_month = Counter(each.opponent_id for each in games)
    assert all(number == 1 for number in others.values())
    assert all(number <= GAMES_A_DAY for number in on_days.values())
    assert all(number <= GAMES_A_MONTH for number in in_month.values())
    for each in events:
        if each in counted:
            continue
        is_full = (
            on_days[each.opponent_id, each.day] == GAMES_A_DAY
            or in_month[each.opponent_id] == GAMES_A_MONTH
        )
        assert is_full if each.kind is EventKind.GAME else others[each.kind, each.day]


@st.composite
def some_standings(draw: st.DrawFn) -> Standing:
    at = BEGINNING + timedelta(minutes=draw(st.integers(0, MINUTES - 1)))
    return Standing(draw(st.integers(1, 999)), draw(st.integers(0, 999)), at)


@given(some_standings(), some_standings())
def test_the_sort_key_has_points_first_then_games_then_time(one: Standing, other: Standing) -> None:
    def place(each: Standing) -> tuple[int, int, datetime]:
        return -each.points, each.games, each.reached_at

    assert (one.sort_key > other.sort_key) == (place(one) < place(other))
    assert one.sort_key < 10**18, "addresses have that many digits"


def test_a_position_found_long_before_is_new_again() -> None:
    """Positions of the day come again after more than a year."""
    found = PuzzleAnswer(PuzzleId("tinc", 1), solved_at=BEGINNING)
    today = BEGINNING.date()
    assert PuzzleAnswer(PuzzleId("tinc", 1)).is_new_on(today)
    assert found.is_new_on(today)
    assert not found.is_new_on(today + timedelta(days=1))
    assert not found.is_new_on(today + timedelta(days=365))
    assert found.is_new_on(today + timedelta(days=500))
