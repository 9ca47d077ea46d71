"""Work that a thread repeats."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def repeated(work: Callable[[], object], seconds: float) -> Iterator[None]:
    """Repeat work on a thread during the block, with a pause of `seconds`; it raises nothing.

    The block ends once the thread has finished what it is doing.
    """
    stopping = Event()

    def repeat() -> None:
        while not stopping.is_set():
            work()
            stopping.wait(seconds)

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()
