"""Modules run as `python -m` would, at once: in forks of a process that has the capsule loaded.

Loading it takes longer than anything that a test asks of a server. The process has all of it but
Twisted's reactor, which no fork can share, and one thread, so that it can fork. It reads requests
and writes answers, each a line of JSON.
"""

import atexit
import json
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

ROOT = Path(__file__).resolve().parents[3]

MAIN = "capsule.__main__"

LOADED = (
    MAIN,
    "capsule.processes.several",
    "alembic.command",
    "sqlalchemy.dialects.sqlite",
    "twisted.internet.epollreactor",
    "twisted.internet.ssl",
    "twisted.internet.threads",
)
"""Modules that are loaded before the first fork, with all that they import."""


@dataclass
class Fork:
    """A module that runs in a forked process, with the methods of `subprocess.Popen`."""

    pid: int
    _parent: "_Parent"
    returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, or None while the process runs."""
        if self.returncode is None:
            self.returncode = self._parent.ask({"poll": self.pid})
        return self.returncode

    def wait(self, timeout: float = 600) -> int:
        """Return the exit status once the process has ended; raises `subprocess.TimeoutExpired`."""
        until = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout)
            time.sleep(0.005)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)


class _Parent:
    """The process that forks, as the tests see it; it ends with theirs."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.wire.forks"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self._process.communicate)

    def ask(self, request: Mapping[str, Any]) -> int | None:
        """Return the answer to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            answer: int | None = json.loads(self._process.stdout.readline())
        return answer


@cache
def _parent() -> _Parent:
    return _Parent()


def run_module(
    module: str, arguments: Sequence[str], output: Path, environment: Mapping[str, str]
) -> Fork:
    """Run a module from the root of the project, and append to a file what it prints."""
    request = {
        "module": module,
        "arguments": list(arguments),
        "output": str(output),
        "environment": dict(environment),
    }
    parent = _parent()
    pid = parent.ask(request)
    assert pid is not None
    return Fork(pid, parent)


def _poll(pid: int) -> int | None:
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def _become(request: Mapping[str, Any]) -> None:
    """Turn this fork into the requested process: its environment, arguments and output file."""
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [request["module"], *request["arguments"]]
    output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    os.close(nothing)
    os.close(output)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]


def main() -> None:
    """Fork for each request to run a module, and run it; answer with the child's number."""
    for module in LOADED:
        import_module(module)
    # The fork makes it again, as a module that is run.
    del sys.modules[MAIN]
    while line := sys.stdin.readline():
        request = json.loads(line)
        if "poll" in request:
            answer = _poll(request["poll"])
        else:
            answer = os.fork()
            if answer == 0:
                _become(request)
                runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
                return
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
