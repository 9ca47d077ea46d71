"""The sizes of groups, who is drawn into which, and the calendar."""

import pytest
from hypothesis import given, strategies as st

from capsule.cups.draw import group_sizes, groups_of
from capsule.cups.model import first_month, new_cup, variant_of
from capsule.languages.dates import Month
from tests.support.cups import at

MONTHS = st.builds(Month, st.integers(2026, 2098), st.integers(1, 12))


@given(st.integers(3, 5_000))
def test_groups_are_few_and_equal(entrants: int) -> None:
    sizes = group_sizes(entrants)
    assert sum(sizes) == entrants
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= 6
    if entrants > 7:
        assert min(sizes) >= 4
    assert 6 * (len(sizes) - 1) < entrants, "one group less would have more than six"


@given(st.integers(3, 300))
def test_everybody_is_drawn_once_and_the_strongest_apart(entrants: int) -> None:
    groups = groups_of(range(entrants))
    assert sorted(map(len, groups)) == sorted(group_sizes(entrants))
    assert sorted(each for group in groups for each in group) == [*range(entrants)]
    assert sorted(min(group) for group in groups) == [*range(len(groups))]


@given(MONTHS)
def test_a_month_follows_the_one_before_it(month: Month) -> None:
    assert month.after.before == month.before.after == month
    assert month.before < month < month.after
    assert Month.parse(month.key) == Month.of(month.begins_at) == month
    assert month.after.count == month.count + 1
    assert variant_of(month) != variant_of(month.after)
    cup = new_cup(month)
    assert 8 <= (cup.begins_at - cup.opens_at).days <= 12


@pytest.mark.parametrize(
    ("now", "month"),
    [
        ("2026-11-20 23:59", "2026-12"),
        ("2026-11-21 00:00", "2027-01"),
        ("2026-12-20 00:00", "2027-01"),
        ("2026-12-31 00:00", "2027-02"),
    ],
)
def test_the_first_cup_is_that_of_the_first_20th_served(now: str, month: str) -> None:
    assert first_month(at(now)).key == month
