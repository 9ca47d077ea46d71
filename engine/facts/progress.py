"""The progress of a long computation."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

_Step = TypeVar("_Step")


class Progress(Protocol):
    """An observer of the stages of a computation: a function that passes their steps on."""

    def __call__(self, steps: Sequence[_Step], stage: str) -> Iterable[_Step]:
        """Return the steps of a stage, which is named in a few words, in their order."""


def unobserved(steps: Sequence[_Step], stage: str) -> Iterable[_Step]:
    """Return the steps of a stage as they are."""
    del stage
    return steps
