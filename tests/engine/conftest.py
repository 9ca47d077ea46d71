"""Fixtures of the engine's tests."""

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from engine import VARIANTS, Variant
from tests.support.sixth_variant import noughts_plugged_in


@pytest.fixture
def noughts() -> Iterator[None]:
    """Register plain noughts and crosses as a variant."""
    with noughts_plugged_in():
        yield


@pytest.fixture
def variant(request: pytest.FixtureRequest) -> Iterator[Variant]:
    """The variant whose key is the parameter, plugged in where it is none of the engine's own."""
    with nullcontext() if request.param in VARIANTS else noughts_plugged_in():
        yield VARIANTS[request.param]
