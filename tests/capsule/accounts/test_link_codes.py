"""One-time codes: how they are made, and how they can be typed."""

import pytest
from hypothesis import given, strategies as st

from capsule.accounts import devices
from tests.support.client import BEGINNING

LETTERS = st.text(devices.ALPHABET, min_size=10, max_size=10)
SEPARATORS = st.text(" -–—_./·\t", max_size=3)


@given(LETTERS, st.lists(st.tuples(st.booleans(), SEPARATORS), min_size=11, max_size=11))
def test_a_code_is_read_however_it_is_typed(code: str, writing: list[tuple[bool, str]]) -> None:
    typed = "".join(
        separator + (letter.lower() if is_small else letter)
        for letter, (is_small, separator) in zip([*code, ""], writing, strict=True)
    )
    assert devices.read(typed) == (code[:4], code[4:])


@given(st.text())
def test_a_text_that_cannot_be_a_code_is_none(typed: str) -> None:
    parts = devices.read(typed)
    if parts is not None:
        assert [len(part) for part in parts] == [4, 6]
        assert set("".join(parts)) <= set(devices.ALPHABET)


@pytest.mark.parametrize(
    "typed", ["", "K7QM", "K7QM-4T2XW", "K7QM-4T2XW99", "K7QM-4T2XWO", "1K7QM4T2XW", "K7QM-4T2XWß"]
)
def test_texts_too_short_or_too_long_and_look_alikes_are_no_code(typed: str) -> None:
    assert devices.read(typed) is None


@given(st.binary(min_size=8, max_size=8), st.integers(1, 10**6))
def test_a_code_that_is_shown_can_be_read(random_bytes: bytes, player_id: int) -> None:
    selector = devices.selector_from(random_bytes)
    secret = devices.secret_part(b"secret", player_id, selector, BEGINNING)
    assert devices.read(f"{selector}-{secret}") == (selector, secret)
