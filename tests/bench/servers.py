"""The servers under measurement: how they are started, what they use, on which cores they run."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")

START_SECONDS = 60


class CannotStart(Exception):
    """A server does not start; the message names it, with what it printed."""


@dataclass(frozen=True)
class Cores:
    """The cores of servers and of visitors, separate, so that neither slows the other down.

    Both are None where they may run anywhere.
    """

    server: frozenset[int] | None
    visitors: frozenset[int] | None

    def __str__(self) -> str:
        if self.server is None or self.visitors is None:
            return "servers and visitors on any core"
        named = [",".join(map(str, sorted(each))) for each in (self.server, self.visitors)]
        return f"each server on core {named[0]}, visitors on {named[1]}"


def apart() -> Cores:
    """Return one core for a server, and the others for visitors, if there is more than one."""
    first, *others = sorted(os.sched_getaffinity(0))
    if not others:
        return Cores(None, None)
    return Cores(frozenset([first]), frozenset(others))


@dataclass(frozen=True)
class Server:
    """A server under measurement."""

    name: str
    port: int
    process: subprocess.Popen[bytes]

    def memory(self) -> float:
        """Return the megabytes that it occupies now: those of its largest process."""
        return max(_megabytes(process) for process in self._tree())

    def processor(self) -> float:
        """Return the seconds of processor that it has used, with all processes that it started."""
        return sum(_seconds(process) for process in self._tree())

    def _tree(self) -> list[int]:
        found = [self.process.pid]
        for process in found:
            with suppress(OSError):
                for thread in Path(f"/proc/{process}/task").iterdir():
                    found += map(int, (thread / "children").read_text(encoding="ascii").split())
        return found


def _megabytes(process: int) -> float:
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
        for line in status.splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1000
    return 0.0


def _seconds(process: int) -> float:
    with suppress(OSError):
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        # Its own time and that of its children that have ended, in user mode and in the system.
        return sum(map(int, stat.rpartition(")")[2].split()[11:15])) / _TICKS
    return 0.0


@contextmanager
def serving(
    name: str, port: int, command: Sequence[object], cores: frozenset[int] | None = None
) -> Iterator[Server]:
    """Run a server until the end of the block, on some cores, if given. Raises `CannotStart`."""
    with tempfile.TemporaryFile() as said:
        with _on(cores):
            process = subprocess.Popen(
                list(map(str, command)),
                stdout=subprocess.DEVNULL,
                stderr=said,
                env=os.environ | {"OXONAUT_RATE": "0"},
            )
        server = Server(name, port, process)
        try:
            if not _accepts(server):
                said.seek(0)
                words = said.read().decode(errors="replace")
                raise CannotStart(f"{name} does not start: {words[-500:]}")
            yield server
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def _on(cores: frozenset[int] | None) -> Iterator[None]:
    """Pin processes started during the block, and their children, to some cores."""
    before = os.sched_getaffinity(0)
    if cores is not None:
        os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _accepts(server: Server) -> bool:
    """Wait until a server accepts connections, and return whether it does."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.process.poll() is None:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", server.port), timeout=1).close()
            return True
        time.sleep(0.05)
    return False


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def capsule(home: Path, port: int, workers: int | None = None) -> list[object]:
    """Return the command that serves a capsule."""
    where = ["--host", "127.0.0.1", "--port", port, "--home", home]
    how_many = [] if workers is None else ["--workers", workers]
    return [sys.executable, "-m", "capsule", "serve", *where, *how_many]


def hello(certificate: Path, key: Path, port: int) -> list[object]:
    """Return the command that serves jetforce's bare hello-world."""
    return [sys.executable, "-m", "tests.bench.hello", certificate, key, port]
