"""Astronomo in its own virtual environment: it needs a later Python than the capsule."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

WANTED = ("astronomo==0.20.0", "nauyaca==0.11.0", "textual==8.2.8")
OLDEST_PYTHON = (3, 13)

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
_FOLDER = _CACHE / "oxonaut-tests" / WANTED[0].replace("==", "-")

PROGRAM = _FOLDER / "bin/astronomo"
"""The path of the installed program."""


class NotInstalled(Exception):
    """Astronomo cannot be installed here; the text says why."""


def install() -> None:
    """Install Astronomo unless it is there.

    Raises `NotInstalled` where there is no Python for it, or no way to the packages.
    """
    _FOLDER.parent.mkdir(parents=True, exist_ok=True)
    complete = _FOLDER / "complete"
    # Tests that run side by side wait for the first of them.
    with Path(f"{_FOLDER}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            _run(_python(), "-m", "venv", "--clear", str(_FOLDER))
            packages = ["-m", "pip", "install", "-q", "--retries", "1", *WANTED]
            _run(str(_FOLDER / "bin/python"), *packages)
            complete.touch()


def _python() -> str:
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = [sys.executable, *map(shutil.which, ("python3.13", "python3.14", "python3"))]
    found += map(str, sorted(pyenv.glob("versions/3.*/bin/python3")))
    for python in filter(None, found):
        # What stands in the PATH may be no more than a signpost to a version that is not chosen.
        question = f"import ensurepip, sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
        if not subprocess.run(
            [python, "-c", question], capture_output=True, check=False
        ).returncode:
            return python
    raise NotInstalled(f"Astronomo needs Python {'.'.join(map(str, OLDEST_PYTHON))}, not found")


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        last_words = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
        raise NotInstalled(f"Astronomo could not be installed: {last_words}")
