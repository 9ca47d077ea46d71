"""The child's side of a process with a host: writing answers to the host, and ending with it."""

import json
import os
import select
from threading import Thread
from typing import Any, TextIO


def write_answer(answers: TextIO, answer: dict[str, Any]) -> None:
    """Write an answer as a line of JSON; end this process quietly if the host is gone."""
    try:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    except BrokenPipeError:
        _leave()


def leave_with_host(answers: TextIO) -> None:
    """Start a thread that ends this process as soon as its host ends, even if the host is killed.

    The host has ended once nobody can read `answers`. At the end of the tasks alone, the process
    still answers those that have arrived.
    """
    poller = select.poll()
    # With no event to wait for, `poll` reports errors alone: here, that the reader is gone.
    poller.register(answers.fileno(), 0)

    def leave_after_host() -> None:
        poller.poll()
        _leave()

    Thread(target=leave_after_host, daemon=True).start()


def _leave() -> None:
    # Nobody is left to read the buffers or to wait for the other threads.
    os._exit(0)
