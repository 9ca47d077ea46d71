"""How tests share the machine: one process alone runs those that need quiet, and none pauses."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from xdist.remote import Producer

QUIET = (
    "tests/bench/",
    "tests/browsers/",
    "tests/wire/",
    "tests/capsule/bots/test_bots_story.py",
    "tests/engine/bots/test_boards_bot.py",
    "tests/engine/bots/test_levels.py",
)
"""Tests that look at a clock, or start servers, browsers or bots and wait for them."""


class QuietScheduling(LoadScopeScheduling):
    """Gives each process one test after the other, and the tests that need quiet to one of them.

    pytest-xdist 3.8 has marks for this, `xdist_group`, which it does not heed under pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        return "quiet" if nodeid.startswith(QUIET) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> QuietScheduling:
    """Return what shares the tests out, whatever `--dist` says."""
    return QuietScheduling(config, log)


def pytest_collection_finish() -> None:
    """Keep the collected tests out of every garbage collection to come.

    There are so many that a full collection takes a quarter of a second, which a test that counts
    processor time would take for the time of a bot.
    """
    gc.collect()
    gc.freeze()
