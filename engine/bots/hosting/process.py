"""The host's side of a child process: a Python module that answers each line of JSON with one."""

import json
import os
import selectors
import subprocess
import sys
from contextlib import suppress
from threading import Lock
from typing import Any

from engine import plugins


class NoAnswer(Exception):
    """A process did not answer: it was too slow if `is_late`, otherwise it has ended.

    `status` is its exit status, None for one that never started.
    """

    def __init__(self, *, is_late: bool, status: int | None) -> None:
        super().__init__("too late" if is_late else f"ended with exit status {status}")
        self.is_late, self.status = is_late, status


class JsonLinesProcess:
    """A module that runs in a separate process, started on first use and restarted after its end.

    Only one thread may ask it and end it; any thread may shut it down. A process that does not
    answer in time is killed. Its last arguments are the names of the plug-ins that are loaded here.
    """

    def __init__(self, module: str, *arguments: str) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        self._process: subprocess.Popen[str] | None = None
        self._is_shut_down = False
        self._lock = Lock()

    @property
    def is_running(self) -> bool:
        """Whether a process has been started and not yet ended by its host."""
        return self._process is not None

    def ask(self, task: dict[str, Any] | None, limit: float) -> dict[str, Any]:
        """Send a task and return the answer; without a task, return the next line of the process.

        Raises `NoAnswer` if none comes within `limit` seconds, and always after `shut_down`.
        """
        process = self._process or self._started()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("a process without pipes")
        is_late = False
        try:
            if task is not None:
                process.stdin.write(json.dumps(task) + "\n")
                process.stdin.flush()
            with selectors.DefaultSelector() as selector:
                selector.register(process.stdout, selectors.EVENT_READ)
                is_late = not selector.select(limit)
            if not is_late:
                answer: dict[str, Any] = json.loads(process.stdout.readline())
                return answer
        except (OSError, ValueError):
            pass
        self.end()
        raise NoAnswer(is_late=is_late, status=process.returncode)

    def end(self) -> None:
        """Kill the process, also during a task; the next task starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        # Closing the pipes fails if the process has not read everything; it never will now.
        with suppress(OSError), process:
            pass

    def shut_down(self) -> None:
        """Kill the process for good; a thread that waits for an answer gets `NoAnswer`."""
        with self._lock:
            self._is_shut_down = True
            if self._process is not None:
                # The asking thread closes the pipes: if they were closed here, it would never wake.
                self._process.kill()

    def _started(self) -> subprocess.Popen[str]:
        with self._lock:
            if self._is_shut_down:
                raise NoAnswer(is_late=False, status=None)
            self._process = subprocess.Popen(  # noqa: S603 - a module of ours
                [*self._command, *plugins.loaded()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                # Ctrl-C is for the host, which ends its processes itself.
                start_new_session=True,
            )
            return self._process
