"""A terminal for a program to run in, typed into and looked at the way a person does it."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

Seen = TypeVar("Seen")

PATIENCE = 60
"""Seconds until a person gives up on a screen: much more than a busy machine takes."""

BLINK = 0.03
"""Seconds between two looks at a screen."""

UNNOTICED = 10
"""Seconds after which a key that has shown no effect was not noticed."""

TALL = (80, 150)
"""Columns and lines of a window that shows every page from its first line to its last."""


class Terminal:
    """A tmux window with one program, which has `home` as home folder and no settings."""

    def __init__(self, command: Sequence[str], home: Path, window: tuple[int, int] = TALL) -> None:
        home.mkdir(parents=True, exist_ok=True)
        columns, lines = window
        # Not in `home`: the path of a socket has 107 characters at most.
        self._folder = Path(tempfile.mkdtemp())
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        keep_last_words = ["set-option", "-g", "remain-on-exit", "on", ";"]
        size = ["-x", str(columns), "-y", str(lines)]
        start = ["-f", os.devnull, *keep_last_words, "new-session", "-d", *size]
        self._tmux(*start, "--", *command, environment=environment)

    def press(self, *keys: str) -> None:
        """Press keys, each by its name in tmux."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type text, without Enter."""
        self._tmux("send-keys", "-l", "--", text)

    def click(self, column: int, line: int) -> None:
        """Click where the screen has this column and line, the first being 0."""
        place = f"{column + 1};{line + 1}"
        # As terminals tell programs that ask for the mouse: pressed, and released.
        self.type(f"\x1b[<0;{place}M\x1b[<0;{place}m")

    def wipe(self) -> None:
        """Clear the screen behind the program's back: whatever is on it next is new."""
        self._tmux("send-keys", "-R")

    def screen(self) -> str:
        """Return what is on the screen, lines that the terminal has broken put together again."""
        return self._tmux("capture-pane", "-p", "-J").removesuffix("\n")

    def wait_until(self, sees: Callable[[str], Seen | None], what: str) -> Seen:
        """Look at the screen until `sees` makes something of it, and return that."""
        until = time.monotonic() + PATIENCE
        while True:
            is_late = time.monotonic() > until
            screen = self.screen()
            if seen := sees(screen):
                return seen
            assert not is_late, f"{what}: not here after {PATIENCE} seconds, but\n{_short(screen)}"
            time.sleep(BLINK)

    def press_until(self, key: str, sees: Callable[[str], Seen | None], what: str) -> Seen:
        """Press a key until `sees` does: a busy program may not notice the first time."""
        pressed_at = 0.0

        def pressing(screen: str) -> Seen | None:
            nonlocal pressed_at
            seen = sees(screen)
            if not seen and time.monotonic() > pressed_at + UNNOTICED:
                self.press(key)
                pressed_at = time.monotonic()
            return seen

        return self.wait_until(pressing, what)

    def close(self) -> None:
        """Close the window, and with it the program."""
        if self._folder.exists():
            self._tmux("kill-server")
            shutil.rmtree(self._folder)

    def _tmux(self, *words: str, environment: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-u", "-S", self._folder / "tmux", *words],
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"tmux {' '.join(words)}: {done.stderr}"
        return done.stdout


def squeeze(text: str) -> str:
    """Return text with every run of spaces and line ends as one space."""
    return " ".join(text.split())


def _short(screen: str) -> str:
    return "\n".join(line.rstrip() for line in screen.split("\n") if line.strip())
