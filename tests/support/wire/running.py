"""Servers under test: any command that starts one, in a separate process."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tests.support.quick_database import put_empty_database
from tests.support.waiting import PATIENCE
from tests.support.wire.forks import ROOT, Fork, run_module

Process: TypeAlias = Fork | subprocess.Popen[bytes]

_LISTENING = re.compile(r"listening.*?(\d+)\s*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Running:
    """A server that listens at `address`."""

    address: tuple[str, int]
    process: Process
    output: Path

    @property
    def home(self) -> str:
        """The root of the capsule, without the final slash."""
        return f"gemini://localhost:{self.address[1]}"

    @property
    def printed(self) -> str:
        """All that the server has printed, on both streams."""
        return self.output.read_text(encoding="utf-8")

    def stop(self) -> int:
        """Send SIGTERM, and return the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def serving(home: Path, port: int = 0) -> list[str]:
    """Return the command that serves a capsule from a folder, with its database or a new one."""
    database = home / "oxonaut.db"
    if not database.exists():
        put_empty_database(database)
    where = ["--host", "127.0.0.1", "--port", str(port), "--home", str(home)]
    return [sys.executable, "-m", "capsule", "serve", *where]


def run_to_end(
    command: Sequence[str], env: Mapping[str, str] | None = None, *, seconds: float = PATIENCE
) -> subprocess.CompletedProcess[str]:
    """Run a command that ends by itself; `env` is its whole environment, if it is given."""
    return subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=seconds, check=False
    )


@contextmanager
def running(
    command: Sequence[str],
    env: Mapping[str, str] | None = None,
    *,
    host: str = "127.0.0.1",
    seconds: float = PATIENCE,
    stdin: int = subprocess.DEVNULL,
) -> Iterator[Running]:
    """Run a server until it has printed a line with "listening" that ends with its port.

    `env` is added to the environment. At the end it gets SIGTERM, and must exit with status 0.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "output")
        process = start(command, output, env or {}, stdin)
        try:
            port = _wait_for_port(process, output, time.monotonic() + seconds)
            server = Running((host, port), process, output)
            yield server
            status = process.poll()
            status = server.stop() if status is None else status
            assert status == 0, f"exit status {status}:\n{server.printed}"
        finally:
            process.kill()
            process.wait()


def start(
    command: Sequence[str], output: Path, env: Mapping[str, str], stdin: int = subprocess.DEVNULL
) -> Process:
    """Start a command whose output is appended to a file, a Python module in a fork."""
    output.touch()
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **env}
    if list(command[:2]) == [sys.executable, "-m"] and stdin == subprocess.DEVNULL:
        return run_module(command[2], command[3:], output, environment)
    with output.open("ab") as file:
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=stdin, stdout=file, stderr=subprocess.STDOUT
        )


def _wait_for_port(process: Process, output: Path, until: float) -> int:
    while time.monotonic() < until:
        printed = output.read_text(encoding="utf-8")
        if found := _LISTENING.search(printed):
            return int(found[1])
        if process.poll() is not None:
            raise AssertionError(f"exit status {process.returncode}:\n{printed}")
        time.sleep(0.02)
    raise AssertionError(f"not listening in time:\n{output.read_text(encoding='utf-8')}")
