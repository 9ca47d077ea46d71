"""Astronomo: makes certificates in a dialogue, and follows links that are clicked on."""

import re
import shutil
from functools import cache
from pathlib import Path

from tests.support.browsers import astronomo_program
from tests.support.browsers.browser import Browser
from tests.support.browsers.terminal import Terminal, squeeze

_ADDRESS = re.compile(r"◀ +▶ +▊ (.*?) *▎ +⚙")
_IN_WINDOW = re.compile("█(.*)█")
_BORDERS = str.maketrans(dict.fromkeys("│╭╮╰╯─█▀▄▊▎▁▔▶", " "))


class Astronomo(Browser):
    """Astronomo as it comes, in a terminal with a mouse: it follows redirects unasked.

    The name that people give their identity stays in the browser: the certificate has the
    capsule's. It shows an identity that is remembered to all of a host.
    """

    name = "Astronomo"
    is_required = False

    @staticmethod
    @cache
    def missing() -> str | None:
        """Return why Astronomo cannot be used on this machine, or None where it can.

        The first time, Astronomo is installed where the tests keep it.
        """
        if not shutil.which("tmux"):
            return "tmux not installed"
        try:
            astronomo_program.install()
        except astronomo_program.NotInstalled as error:
            return str(error)
        return None

    def __init__(self, home: Path, window: tuple[int, int]) -> None:
        """Start Astronomo for a first-time user; `home` is their home folder."""
        self.terminal = Terminal([str(astronomo_program.PROGRAM)], home, window)
        self.wait_for("Welcome to Astronomo!")

    def open(self, url: str) -> None:
        """Empty the field above the page, and type an address into it."""
        self._click(_ADDRESS, "the field for addresses")
        # Letters reach the field at once, these keys by and by: only an empty field shows that
        # they have.
        if _typed(self.terminal.screen()):
            self.terminal.press("End", "C-u")
            self.terminal.wait_until(lambda screen: not _typed(screen), "an empty field")
        self.terminal.type(url)
        # Of a long address, the field shows the end.
        self.terminal.wait_until(
            lambda screen: _typed(screen).endswith(url[-20:]), f"{url!r} typed"
        )
        self.terminal.press("Enter")

    def follow(self, label: str) -> None:
        """Click on the link."""
        link = re.compile(rf"│ (?:  |▶ )({re.escape(label)})(?![\w+=])")
        self._click(link, f"the link {label!r}")

    def answer(self, text: str) -> None:
        """Type text into the window that asks for it."""
        self._answer(text, shown_as=squeeze(text))

    def answer_in_secret(self, text: str) -> None:
        """Type text into the window that asks for it, which shows dots."""
        self._answer(text, shown_as="•" * len(text))

    def reload(self) -> None:
        """Press Ctrl and R."""
        self.terminal.press("C-r")

    def wait_to_be_asked_for_a_certificate(self) -> None:
        """Wait for the window that says so."""
        self.wait_for("Identity Required")

    def sign_in(self, name: str) -> None:
        """Make an identity in Astronomo, and use it."""
        self._click(re.compile(r"█ +(\+ Create New Identity) +█"), "the offer to make one")
        self.wait_for("Identity name:")
        self.terminal.type(name)
        self.wait_for(f" {name} ")
        # With Enter, Astronomo would also go to the address gemini://name.
        self._click(re.compile("(Use Identity)"), "the offer to use it")
        self.terminal.wait_until(lambda screen: not window(screen), "a way on")

    def come_back_to(self, game: str) -> None:
        """Type the address: Astronomo shows the certificate to every page of this host."""
        self.open(game)

    def let_a_minute_pass(self) -> None:
        """Do nothing: Astronomo asks for every page again."""

    def in_front(self, screen: str) -> str:
        """Return the window before the page, if there is one, and the page otherwise."""
        return window(screen) or screen.translate(_BORDERS)

    def gets_past(self, screen: str) -> bool:
        """Press nothing: Astronomo shows pages unasked."""
        return False

    def _answer(self, text: str, shown_as: str) -> None:
        asked = self.look_for(lambda words: words if "Submit" in words else None, "a prompt")
        self.terminal.type(text)

        def with_text(screen: str) -> str | None:
            words = window(screen)
            return words if words.count(shown_as) > asked.count(shown_as) else None

        typed = self.terminal.wait_until(with_text, f"{text!r} typed")
        self.terminal.press("Enter")
        self.terminal.wait_until(lambda screen: window(screen) != typed, "a way on")

    def _click(self, target: re.Pattern[str], what: str) -> None:
        def place(screen: str) -> tuple[int, int] | None:
            for number, line in enumerate(screen.split("\n")):
                if found := target.search(line):
                    return found.start(1), number
            return None

        self.terminal.click(*self.terminal.wait_until(place, what))


def window(screen: str) -> str:
    r"""Return the words of the window before a page, "" where there is none.

    >>> window("╭─█▀ Input Required ▀▀█─╮\n│ Y█  Your move:      █ │\n│ ▶ █    ▊ e5 ▎       █ │")
    'Input Required Your move: e5'
    """
    return squeeze(" ".join(_IN_WINDOW.findall(screen)).translate(_BORDERS))


def _typed(screen: str) -> str:
    address = _ADDRESS.search(screen)
    return address[1] if address else ""
