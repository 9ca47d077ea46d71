"""How far a long computation has come, for whoever waits for it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


class Progress(Protocol):
    """Is told of each stage of a computation."""

    def stage(self, name: str, total: int) -> AbstractContextManager[Callable[[], object]]:
        """Begin a stage of `total` steps; what it gives is to be called after each."""


class _Silent:
    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[], object]]:
        del name, total
        yield lambda: None


SILENT: Progress = _Silent()
"""Tells nobody."""
