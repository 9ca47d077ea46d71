"""Capsules whose bots think in a process of their own."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from capsule.bots.pool import BotPool
from capsule.context import AppContext
from tests.support.client import Client


class Minds:
    """Starts pools of bots for the contexts of a capsule, and stops them at the end of a block."""

    def __init__(self, processes: int = 1) -> None:
        self._processes = processes
        self._started: list[BotPool] = []

    def __call__(self, context: AppContext) -> BotPool:
        self._started.append(BotPool(context, self._processes, logging.getLogger("oxonaut.test")))
        self._started[-1].start()
        return self._started[-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for pool in self._started:
            pool.stop()


@contextmanager
def thinking_capsule(home: Path) -> Iterator[Client]:
    """Run a capsule with a bot process for the length of a block."""
    with Minds() as minds:
        made = Client(home, bots=minds)
        yield made
    made.database.close()
