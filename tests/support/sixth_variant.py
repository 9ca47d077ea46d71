"""The sixth variant, plugged in for as long as a test asks."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine import plugins

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def noughts_plugged_in() -> Iterator[None]:
    """Plug in plain noughts and crosses, here and in every bot process."""
    plugins.load("tests.support.noughts")
    try:
        yield
    finally:
        plugins.unload("tests.support.noughts")
