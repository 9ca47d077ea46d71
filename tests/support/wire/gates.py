"""Gates that hold back a server's answers until a test opens them, where it would have to sleep."""

import time
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4


class Gate:
    """A folder that a test and its server share: the answers that wait, and whether they may go."""

    def __init__(self, folder: str | Path) -> None:
        self._waiting, self._opened = Path(folder, "waiting"), Path(folder, "opened")
        self._waiting.mkdir(parents=True, exist_ok=True)

    @property
    def path(self) -> str:
        """The path and query at which `tests.support.wire.echo` waits for this gate."""
        return f"/gate?{quote(str(self._waiting.parent))}"

    @property
    def waiting(self) -> int:
        """The number of answers that have come to the gate so far."""
        return len([*self._waiting.iterdir()])

    def open(self) -> None:
        """Let all answers go."""
        self._opened.touch()

    def pass_through(self) -> None:
        """Wait, in the server, until the gate is open."""
        (self._waiting / uuid4().hex).touch()
        while not self._opened.exists():
            time.sleep(0.01)
