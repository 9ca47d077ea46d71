"""Results that coroutines wait for.

Twisted's `Deferred` does as much and more, and would take 25 µs more of each connection, a fiftieth
of what a page costs that is at hand.
"""

from collections.abc import Coroutine, Generator
from contextlib import suppress
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")


class Future(Generic[T]):
    """A result that is set once, which resumes the coroutine that awaits it.

    >>> async def greet() -> None:
    ...     print("Hello", await name)
    >>> name = Future[str]()
    >>> run(greet())
    >>> name.set_result("alice")
    Hello alice
    """

    def __init__(self) -> None:
        self.is_done = False
        self.result: T
        self._waiting: Waiting | None = None

    def set_result(self, result: T) -> None:
        """Set the result; raises what the resumed coroutine raises."""
        self.is_done = True
        self.result = result
        if self._waiting is not None:
            run(self._waiting)

    def __await__(self) -> "Generator[Future[T], None, T]":
        if not self.is_done:
            yield self
        return self.result


Waiting: TypeAlias = Coroutine[Future[Any], None, None]


def run(coroutine: Waiting) -> None:
    """Run a coroutine until it awaits a future without a result, or ends; raises what it does."""
    with suppress(StopIteration):
        coroutine.send(None)._waiting = coroutine  # noqa: SLF001 - of this module
