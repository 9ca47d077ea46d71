"""The sixth variant, plugged in for as long as a test asks."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine import plugins


@contextmanager
def noughts_plugged_in() -> Iterator[None]:
    """Plug in plain noughts and crosses, here and in every bot process."""
    plugins.load("tests.support.noughts")
    try:
        yield
    finally:
        plugins.unload("tests.support.noughts")
