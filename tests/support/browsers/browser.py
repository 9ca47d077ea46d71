"""A person's actions in a Gemini browser, whichever it is."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, TypeVar

from tests.support.browsers.terminal import Terminal, squeeze

Seen = TypeVar("Seen")


class Browser(ABC):
    """A browser in a terminal, and the person before it.

    Everything waits: a page has a minute to come, a link has one to appear. What does not come
    fails the test with the screen as it is then.
    """

    name: ClassVar[str]
    is_required: ClassVar[bool] = True
    """Whether a machine that tests every change must have it, rather than leave it out."""

    terminal: Terminal

    @staticmethod
    @abstractmethod
    def missing() -> str | None:
        """Return why this browser cannot be used on this machine, or None where it can."""

    @abstractmethod
    def __init__(self, home: Path, window: tuple[int, int]) -> None:
        """Start the browser for a first-time user; `home` is their home folder."""

    @abstractmethod
    def open(self, url: str) -> None:
        """Type an address."""

    @abstractmethod
    def answer(self, text: str) -> None:
        """Type text at the prompt that the capsule has put up."""

    @abstractmethod
    def answer_in_secret(self, text: str) -> None:
        """Type text at a prompt of which the browser does not show what is typed."""

    @abstractmethod
    def reload(self) -> None:
        """Ask for the page again."""

    @abstractmethod
    def wait_to_be_asked_for_a_certificate(self) -> None:
        """Wait until the browser says that the page wants a client certificate."""

    @abstractmethod
    def sign_in(self, name: str) -> None:
        """Make a certificate, having been asked for one, and use it."""

    @abstractmethod
    def come_back_to(self, game: str) -> None:
        """Type the address of a game that one plays in, and get to one's seat from there."""

    def sign_in_by(self, label: str) -> None:
        """Ask to sign in, on a page with a link for that, or as this browser's help says."""
        self.follow(label)

    @abstractmethod
    def let_a_minute_pass(self) -> None:
        """Make the browser's cached pages a minute older."""

    @abstractmethod
    def follow(self, label: str) -> None:
        """Follow the link with this label, or whose label begins with these words.

        A label that is a move is that move and no longer one.
        """

    @abstractmethod
    def in_front(self, screen: str) -> str:
        """Return the part of a screen that a person reads: the dialogue before a page, say."""

    @abstractmethod
    def gets_past(self, screen: str) -> bool:
        """Press what the browser wants pressed before it shows a page; True if there was such."""

    def wait_for(self, *texts: str) -> str:
        """Wait until these texts are on the screen together, and return all of it, on one line.

        A terminal shows a page while it is written: that a text is there says nothing of others.
        """

        def sees(page: str) -> str | None:
            return page if all(text in page for text in texts) else None

        return self.look_for(sees, " and ".join(map(repr, texts)))

    def look_for(self, sees: Callable[[str], Seen | None], what: str) -> Seen:
        """Look at what is on the screen, on one line, until `sees` makes something of it."""

        def look(screen: str) -> Seen | None:
            return None if self.gets_past(screen) else sees(squeeze(self.in_front(screen)))

        return self.terminal.wait_until(look, what)

    def close(self) -> None:
        """Close the window."""
        self.terminal.close()


class NumberingBrowser(Browser):
    """A browser that shows a number before each link, by which people follow it.

    `links_followed` counts how often they have.
    """

    links_followed = 0

    @abstractmethod
    def follow_number(self, number: int) -> None:
        """Follow the link that has this number on the screen."""

    def follow(self, label: str) -> None:
        """Find the number of the link, and follow it."""
        self.follow_number(self.number_of(label))
        self.links_followed += 1

    def number_of(self, label: str) -> int:
        """Wait for a link, and return its number."""
        link = re.compile(rf"\[(\d+)\] {re.escape(label)}(?![\w+=])")
        return int(self.look_for(link.search, f"the link {label!r}")[1])
