"""The puzzles of the days: the same for ever, and none again too soon."""

from collections import Counter
from datetime import date, timedelta

import pytest

from capsule.puzzles.daily import Edition, puzzle_on

BEGINNING = date(2026, 11, 1)
FIRST = Edition(BEGINNING, (("tinc", 4), ("numeric", 4), ("quantum", 4)))
LARGER = Edition(BEGINNING + timedelta(days=7), (("tinc", 6), ("numeric", 4), ("quantum", 9)))
WIDER = Edition(BEGINNING + timedelta(days=40), (*LARGER.up_to, ("chess", 3)))


def chosen(count: int, *editions: Edition) -> list[tuple[str, int]]:
    days = (BEGINNING + timedelta(days=number) for number in range(count))
    found = [puzzle_on(day, editions) for day in days]
    return [(each.variant, each.number) for each in found if each is not None]


def test_the_variants_take_turns() -> None:
    variants = [variant for variant, _ in chosen(9, FIRST)]
    assert variants == ["tinc", "numeric", "quantum"] * 3


def test_no_position_comes_again_before_all_have_come() -> None:
    once, twice = chosen(12, FIRST), chosen(24, FIRST)
    assert len(set(once)) == 12
    assert set(Counter(twice).values()) == {2}


def test_the_order_tells_nothing_of_the_grade() -> None:
    numbers = [number for variant, number in chosen(3 * 80, _of(80)) if variant == "tinc"]
    assert numbers != sorted(numbers)
    assert sorted(numbers) == [*range(1, 81)]


def _of(count: int) -> Edition:
    return Edition(BEGINNING, (("tinc", count), ("numeric", count), ("quantum", count)))


@pytest.mark.parametrize("added", [(LARGER,), (LARGER, WIDER)])
def test_puzzles_that_are_added_change_no_day_before_their_edition(
    added: tuple[Edition, ...],
) -> None:
    until = (added[-1].since - BEGINNING).days
    before = chosen(until, FIRST, *added[:-1])
    assert chosen(until, FIRST, *added) == before
    assert chosen(until + 30, FIRST, *added) != chosen(until + 30, FIRST, *added[:-1])


def test_puzzles_that_are_added_come_before_any_comes_again() -> None:
    found = chosen(19, FIRST, LARGER)
    assert len(set(found)) == 19
    assert [variant for variant, _ in found[-3:]] == ["quantum"] * 3, "the others have none left"


def test_there_is_none_before_the_first_day() -> None:
    assert puzzle_on(BEGINNING - timedelta(days=1), (FIRST,)) is None
    assert puzzle_on(date(1970, 1, 1), (FIRST,)) is None


def test_a_variant_without_puzzles_has_no_turn() -> None:
    edition = Edition(BEGINNING, (("tinc", 0), ("numeric", 2)))
    assert chosen(4, edition) == [*chosen(2, edition)] * 2
    assert chosen(4, Edition(BEGINNING, (("tinc", 0),))) == []
