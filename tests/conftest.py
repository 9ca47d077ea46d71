"""Which tests must not run beside each other, where several processes share the work."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent

QUIET = [
    HERE / "bench",
    HERE / "browsers",
    HERE / "wire",
    HERE / "capsule/bots/test_bots_story.py",
    HERE / "engine/bots/test_boards_bot.py",
    HERE / "engine/bots/test_levels.py",
]
"""Tests that look at a clock, or start servers, browsers or bots and wait for them."""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have one process run the tests that need quiet, one after the other."""
    for item in items:
        if any(item.path.is_relative_to(place) for place in QUIET):
            item.add_marker(pytest.mark.xdist_group("quiet"))
