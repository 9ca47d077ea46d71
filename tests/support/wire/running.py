"""Servers under test: any command that starts one, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[3]

_LISTENING = re.compile(r"listening.*?(\d+)\s*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Running:
    """A server that listens at `address`."""

    address: tuple[str, int]
    process: subprocess.Popen[bytes]
    output: Path

    @property
    def printed(self) -> str:
        """All that the server has printed, on both streams."""
        return self.output.read_text(encoding="utf-8")

    def stop(self, seconds: float = 20) -> int:
        """Send SIGTERM, and return the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)


@contextmanager
def running(
    command: Sequence[str],
    env: Mapping[str, str] | None = None,
    *,
    host: str = "127.0.0.1",
    seconds: float = 30,
    stdin: int = subprocess.DEVNULL,
) -> Iterator[Running]:
    """Run a server until it has printed a line with "listening" that ends with its port.

    `env` is added to the environment. At the end it gets SIGTERM, and must exit with status 0.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "output")
        with (
            output.open("wb") as file,
            subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
                stdin=stdin,
                stdout=file,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                port = _wait_for_port(process, output, time.monotonic() + seconds)
                server = Running((host, port), process, output)
                yield server
                status = process.poll()
                status = server.stop() if status is None else status
                assert status == 0, f"exit status {status}:\n{server.printed}"
            finally:
                process.kill()


def _wait_for_port(process: subprocess.Popen[bytes], output: Path, until: float) -> int:
    while time.monotonic() < until:
        printed = output.read_text(encoding="utf-8")
        if found := _LISTENING.search(printed):
            return int(found[1])
        if process.poll() is not None:
            raise AssertionError(f"exit status {process.returncode}:\n{printed}")
        time.sleep(0.02)
    raise AssertionError(f"not listening in time:\n{output.read_text(encoding='utf-8')}")
