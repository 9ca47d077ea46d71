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
        status = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def has_stopped(process: int) -> bool:
    """Return whether all threads of a process have stopped, as after SIGSTOP."""
    threads = Path(f"/proc/{process}/task").iterdir()
    states = ((each / "stat").read_text(encoding="ascii", errors="replace") for each in threads)
    return all(state.rpartition(")")[2].split()[0] == "T" for state in states)


@contextmanager
def suspended(process: int) -> Iterator[None]:
    """Suspend a process during the block."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)
