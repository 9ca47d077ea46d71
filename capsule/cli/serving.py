"""The note in the home folder that a capsule serves there, for other commands.

A lock on it says so, which the system lets go of when the process ends, however suddenly.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


FILE = "oxonaut.lock"

_UNWRITABLE = {errno.EROFS, errno.EACCES}


class IsServing(Exception):
    """A capsule serves on the home folder; the message is a sentence for the operator."""


@dataclass(frozen=True)
class Serving:
    """A capsule that serves: its process, and since when; the last started, if there are several.

    Both are None if it did not say.
    """

    process: int | None = None
    since: datetime | None = None


@contextmanager
def noted(home: Path, now: datetime) -> Iterator[None]:
    """Note that this process, and those that it forks, serve on `home`; wait for a restoration.

    Nothing is noted in a folder that cannot be written to. Raises `OSError` for other reasons.
    """
    try:
        descriptor = os.open(home / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        yield
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        note = json.dumps({"process": os.getpid(), "since": now.isoformat()}).encode()
        # A full disk keeps nobody from serving.
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, note, 0)
        yield
    finally:
        os.close(descriptor)


def who_serves(home: Path) -> Serving | None:
    """Return the capsule that serves on `home`; None if none does."""
    try:
        with (home / FILE).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return _read(file.read())
    except OSError:
        pass
    return None


@contextmanager
def kept_from_serving(home: Path) -> Iterator[None]:
    """Keep a capsule from starting on `home`; raises `IsServing` if one serves there already."""
    with (home / FILE).open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise IsServing(f"A capsule serves on {home}: stop it first") from None
        yield


def _read(note: bytes) -> Serving:
    try:
        fields = json.loads(note)
        serving = Serving(int(fields["process"]), datetime.fromisoformat(fields["since"]))
        os.kill(serving.process or 0, 0)
    except ProcessLookupError:
        # It is another that serves, and was started before.
        return Serving()
    except PermissionError:
        pass
    except (ValueError, KeyError, TypeError):
        return Serving()
    return serving
