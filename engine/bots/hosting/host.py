"""The host of a process, from the side of the process: answering it, and noticing its end."""

from __future__ import annotations

import json
import os
import select
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TextIO


def say(answers: TextIO, told: dict[str, Any]) -> None:
    """Write an answer as a line of JSON; if nobody reads it, end this process quietly."""
    try:
        answers.write(json.dumps(told) + "\n")
        answers.flush()
    except BrokenPipeError:
        _leave()


def leave_with_host(answers: TextIO) -> None:
    """From now on, end this process quietly and at once when its host ends, however suddenly.

    The host has ended when nobody can read the `answers` any more. The end of the tasks alone lets
    those that have arrived be answered first.
    """
    poller = select.poll()
    # Without an event to wait for, only an error is reported: that the reader has gone.
    poller.register(answers.fileno(), 0)

    def leave_after_host() -> None:
        poller.poll()
        _leave()

    Thread(target=leave_after_host, daemon=True).start()


def _leave() -> None:
    # Neither the other threads nor what is left in buffers matters to anybody.
    os._exit(0)
