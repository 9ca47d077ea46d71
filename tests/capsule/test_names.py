"""Names that are fit, and names too alike to be two people's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capsule import names


@given(st.integers(0, 2**64 - 1))
def test_every_generated_name_is_fit(chance: int) -> None:
    assert names.is_fit(names.generated(chance))


@given(st.text(max_size=80))
def test_a_common_name_gives_a_fit_name_or_a_short_one(common_name: str) -> None:
    made = names.from_common_name(common_name)
    assert (
        names.is_fit(made)
        or len(made) < 2
        or names.likeness(made) in map(names.likeness, names.RESERVED)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "alice"), ("al1ce", "alice"), ("b0b", "bob"), ("modern", "modem"), ("a_b", "ab")],
)
def test_look_alikes_are_the_same_name(one: str, other: str) -> None:
    assert names.likeness(one) == names.likeness(other)


def test_different_names_are_different() -> None:
    assert names.likeness("alice") != names.likeness("bob")
