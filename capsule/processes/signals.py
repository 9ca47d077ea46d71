"""Waiting for signals together with anything else that can be waited for."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType


NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """The signals to this process, kept until they are asked for.

    It may be waited for like a file. To be used on the main thread.
    """

    def __enter__(self) -> Self:
        """Keep signals from now on."""
        self._reading, self._writing = socket.socketpair()
        for end in (self._reading, self._writing):
            end.settimeout(0)
        signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        for number in NUMBERS:
            signal.signal(number, _do_nothing)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Restore the default handlers of the signals."""
        forget()
        self._reading.close()
        self._writing.close()

    def fileno(self) -> int:
        """Return the descriptor that can be read from when a signal has arrived."""
        return self._reading.fileno()

    def arrived(self) -> Sequence[int]:
        """Return the numbers of the signals that have arrived since the last call."""
        try:
            return self._reading.recv(4096)
        except BlockingIOError:
            return ()


def forget() -> None:
    """Restore the default handlers of the signals; a forked process must do this first."""
    signal.set_wakeup_fd(-1)
    for number in NUMBERS:
        signal.signal(number, signal.SIG_DFL)


def _do_nothing(number: int, frame: object) -> None:
    """Leave the signal to the reader of the descriptor."""
