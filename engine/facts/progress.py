"""The progress of a long computation."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


class Progress(Protocol):
    """An observer of the stages of a computation."""

    def stage(self, name: str, total: int) -> AbstractContextManager[Callable[[], object]]:
        """Begin a stage of `total` steps; what it gives is to be called after each."""


class _Silent:
    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[], object]]:
        del name, total
        yield lambda: None


SILENT: Progress = _Silent()
"""An observer that does nothing."""
