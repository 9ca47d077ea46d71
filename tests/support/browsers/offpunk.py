"""Offpunk: makes a certificate when a page asks for one, and shows it where links lead from there.

It shows a page that it has for a minute without asking for it again, even on `reload`.
"""

import os
import re
import shutil
import sys
from pathlib import Path

from tests.support.browsers.browser import NumberingBrowser
from tests.support.browsers.terminal import Terminal

_PROGRAM = Path(sys.executable).with_name("offpunk")
_PAGER = re.compile(r"^page \d+/\d+- lines ")


class Offpunk(NumberingBrowser):
    """Offpunk as installed, in its own window: it shows pages in less."""

    name = "offpunk"

    @staticmethod
    def missing() -> str | None:
        """Return why offpunk cannot be used on this machine, or None where it can."""
        programs = (str(_PROGRAM), "less", "file", "tmux")
        lacking = [Path(program).name for program in programs if not shutil.which(program)]
        return f"{' and '.join(lacking)} not installed" if lacking else None

    def __init__(self, home: Path, window: tuple[int, int]) -> None:
        """Start offpunk for a first-time user; `home` is their home folder."""
        self._cache = home / ".cache/offpunk"
        self.terminal = Terminal([str(_PROGRAM)], home, window)

    def open(self, url: str) -> None:
        """Go to an address."""
        self._command(f"go {url}")

    def follow_number(self, number: int) -> None:
        """Type a link's number."""
        self._command(str(number))

    def answer(self, text: str) -> None:
        """Type text after the prompt."""
        self._type_after(">", text)

    def answer_in_secret(self, text: str) -> None:
        """Type text after the prompt, where nothing of it appears."""
        self._type_after(">", text)

    def reload(self) -> None:
        """Reload the page."""
        self._command("reload")

    def wait_to_be_asked_for_a_certificate(self) -> None:
        """Wait for the offer to make one."""
        self.wait_for("Do you want to create one? (y/n)")

    def sign_in(self, name: str) -> None:
        """Make a certificate in offpunk, and use it."""
        self._type_after("Do you want to create one? (y/n)", "y")
        self._type_after("Name for this certificate:", name)
        self._type_after("Validity in days:", "365")

    def come_back_to(self, game: str) -> None:
        """Type the address, to which offpunk shows no certificate, and sign in from there."""
        self.open(game)
        asking = re.compile("Sign in with a certificate|sign in to take")
        self.sign_in_by(self.look_for(asking.search, "a way to sign in")[0])
        self._type_after("which certificate do you want to use? >", "1")

    def sign_in_by(self, label: str) -> None:
        """Type "certs": a link to the same path with a query would show the page again."""
        self.wait_for(label)
        self._command("certs")
        self.links_followed += 1

    def let_a_minute_pass(self) -> None:
        """Make the pages that offpunk has on disk a minute older."""
        for page in self._cache.rglob("*"):
            if page.is_file():
                time = page.stat().st_mtime - 60
                os.utime(page, (time, time))

    def in_front(self, screen: str) -> str:
        """Return all that was written since the last command."""
        return screen

    def gets_past(self, screen: str) -> bool:
        """Leave the pager, which leaves the page on the screen."""
        prompt = _last_line(screen)
        if not _PAGER.search(prompt):
            return False
        self.terminal.press("q")
        self.terminal.wait_until(lambda screen: _last_line(screen) != prompt, "out of the pager")
        return True

    def _command(self, text: str) -> None:
        self._type_after("ON>", text)

    def _type_after(self, prompt: str, text: str) -> None:
        self.terminal.wait_until(
            lambda screen: not self.gets_past(screen) and _last_line(screen) == prompt, prompt
        )
        # What is written next is the answer, and nothing that is on the screen already.
        self.terminal.wipe()
        self.terminal.type(text)
        self.terminal.press("Enter")


def _last_line(screen: str) -> str:
    return screen.rstrip().rpartition("\n")[2].strip()
