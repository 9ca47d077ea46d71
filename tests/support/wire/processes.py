"""The processes of a capsule under test: which there are, and stopping one for a while."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def children(process: int) -> list[int]:
    """Return the processes that a process has started and that run, the oldest first."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    return sorted(int(child) for child in listed.split())


def runs(process: int) -> bool:
    """Return whether a process runs, and is not only waiting for its parent to notice its end."""
    try:
        return _state(Path(f"/proc/{process}")) != "Z"
    except OSError:
        return False


def has_stopped(process: int) -> bool:
    """Return whether all threads of a process have stopped, as after SIGSTOP."""
    try:
        return all(_state(thread) == "T" for thread in Path(f"/proc/{process}/task").iterdir())
    except OSError:
        return False  # a thread has ended meanwhile


def _state(folder: Path) -> str:
    """Return the letter for the state of a process or a thread, given its folder."""
    stat = (folder / "stat").read_text(encoding="ascii", errors="replace")
    return stat.rpartition(")")[2].split()[0]


@contextmanager
def suspended(process: int) -> Iterator[None]:
    """Suspend a process during the block."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)
