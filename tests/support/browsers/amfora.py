"""Amfora: takes certificates from its settings, and shows them to a whole host."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.browsers.browser import NumberingBrowser
from tests.support.browsers.terminal import PATIENCE, Terminal, squeeze
from tests.support.wire import identities

_SCROLLBAR = str.maketrans(dict.fromkeys("░▒▓█", " "))
_KEY_FOR_NOTHING = "F12"
_IN_DIALOGUE = re.compile(r"[║╔](.*)[║╗]")


class Amfora(NumberingBrowser):
    """Amfora as installed, in its own window: it asks before it follows a redirect.

    `keys_pressed` counts the keys that its reader needs, however often a busy machine makes the
    test press them.
    """

    name = "Amfora"
    keys_pressed = 0

    @staticmethod
    def missing() -> str | None:
        """Return why Amfora cannot be used on this machine, or None where it can."""
        lacking = [program for program in ("amfora", "tmux") if not shutil.which(program)]
        return f"{' and '.join(lacking)} not installed" if lacking else None

    def __init__(self, home: Path, window: tuple[int, int]) -> None:
        """Start Amfora for a first-time user; `home` is their home folder."""
        self._home, self._window = home, window
        self._asked_at = ""
        self._start()

    def open(self, url: str) -> None:
        """Type an address at the bottom line."""
        self._asked_at = url
        self._type_at_bottom(url)

    def follow_number(self, number: int) -> None:
        """Press the key of one of the first ten links, or type a number at the bottom line."""
        if number > 10:
            self._type_at_bottom(str(number))
            return
        self._be_at_rest()
        page = self.terminal.screen()
        key = str(number % 10)
        self.terminal.press_until(key, lambda screen: screen != page, f"the link {number} followed")
        self.keys_pressed += 1
        self._wait_until(_has_come, "a page or a dialogue")

    def answer(self, text: str) -> None:
        """Type text into the dialogue, and choose Send."""
        self._answer(text, shown_as=squeeze(text))

    def answer_in_secret(self, text: str) -> None:
        """Type text into the dialogue, which shows stars, and choose Send."""
        self._answer(text, shown_as="*" * len(text))

    def _answer(self, text: str, shown_as: str) -> None:
        asked = self.look_for(lambda words: words if "Send Cancel" in words else None, "a prompt")
        self.terminal.type(text)

        def with_text(screen: str) -> str | None:
            words = dialogue(screen)
            return words if words.count(shown_as) > asked.count(shown_as) else None

        typed = self.terminal.wait_until(with_text, f"{text!r} typed")
        # The first goes on to the button Send, the second presses it.
        self.terminal.press("Enter", "Enter")
        self.keys_pressed += len(text) + 2
        self.terminal.wait_until(lambda screen: dialogue(screen) != typed, "a way on")

    def reload(self) -> None:
        """Press R, and wait until the page has come again.

        Tab selects a link first, whose address is then below the page: where the page's is back,
        it is the new one, and no key is lost that is pressed from now on.
        """
        self._be_at_rest()
        self.terminal.press_until("Tab", _has_selected, "a selected link")
        self.terminal.press("R")
        self._wait_until(_has_come, "a page or a dialogue")

    def wait_to_be_asked_for_a_certificate(self) -> None:
        """Wait for the dialogue that says so, in words of Amfora's own."""
        self.wait_for("Client Certificate Require")

    def sign_in(self, name: str) -> None:
        """Make a certificate, name it in the settings, start Amfora again and open the page."""
        identity = identities.make(self._home, name)
        host = urlsplit(self._asked_at).netloc
        settings = self._home / ".config/amfora/config.toml"
        text = settings.read_text(encoding="utf-8")
        for section, path in (("certs", identity.certificate), ("keys", identity.key)):
            head = f"[auth.{section}]"
            assert head in text
            text = text.replace(head, f'{head}\n"{host}" = "{path}"')
        # It gives up on a server after ten seconds otherwise.
        text, patient = re.subn(r"(?m)^page_max_time = \d+$", f"page_max_time = {PATIENCE}", text)
        assert patient == 1
        settings.write_text(text, encoding="utf-8")
        self.terminal.close()
        self._start_at(self._asked_at)

    def come_back_to(self, game: str) -> None:
        """Type the address: Amfora shows the certificate to every page of this host."""
        self.open(game)

    def let_a_minute_pass(self) -> None:
        """Do nothing: Amfora caches no page for which it has shown a certificate."""

    def in_front(self, screen: str) -> str:
        """Return the dialogue, if there is one, and the page otherwise."""
        return dialogue(screen) or screen.translate(_SCROLLBAR)

    def gets_past(self, screen: str) -> bool:
        """Follow a redirect: Amfora asks, and "Yes" is chosen already."""
        if not _asks_to_redirect(screen):
            return False
        self.terminal.press("Enter")
        self.keys_pressed += 1
        self.terminal.wait_until(lambda screen: not _asks_to_redirect(screen), "the redirect")
        return True

    def say_yes_to_the_feed(self) -> None:
        """Subscribe to a feed that has been opened: Amfora asks, and "Yes" is chosen already."""
        self.wait_for("Would you like to subscribe to this feed?")
        self.terminal.press("Enter")
        self._be_at_rest()

    def come_back_to_subscriptions(self) -> None:
        """Close Amfora, start it again, which asks for what is new, and look at that."""
        self.terminal.close()
        self._start_at("about:subscriptions")

    def follow_news(self, label: str) -> None:
        """Follow a link on the page of subscriptions, which fills while it is reloaded."""

        def arrives(screen: str) -> bool:
            if label in squeeze(self.in_front(screen)):
                return True
            self._be_at_rest()
            self.terminal.press("R")
            return False

        self.terminal.wait_until(arrives, label)
        self.follow(label)

    def _start(self) -> None:
        self.terminal = Terminal(["amfora", "about:newtab"], self._home, self._window)

    def _start_at(self, url: str) -> None:
        """Start Amfora as its reader does with an address, of which no key counts.

        The address is typed: a page that comes while Amfora still learns how wide its window is
        stays wrapped for a wider one, and ends at the edge.
        """
        self._start()
        pressed = self.keys_pressed
        self._type_at_bottom(url)
        self.keys_pressed = pressed

    def _type_at_bottom(self, text: str) -> None:
        self._be_at_rest()
        self.terminal.press_until(
            "Space", lambda screen: "URL/Num" in _bottom(screen), "the bottom line"
        )
        self.terminal.type(text)
        # Of a long address, the bottom line of a narrow window shows the end.
        self.terminal.wait_until(lambda screen: text[-20:] in _bottom(screen), f"{text!r} typed")
        self.terminal.press("Enter")
        self.keys_pressed += len(text) + 2
        self._wait_until(_has_come, "a page or a dialogue")

    def _be_at_rest(self) -> None:
        self._wait_until(
            lambda screen: not self.gets_past(screen) and _shows_page(screen), "a page"
        )

    def _wait_until(self, sees: Callable[[str], bool], what: str) -> None:
        """Wait for a page: Amfora draws it, and only then sets the line below it to its address.

        Where the two come in that order on the screen too, the line says "Loading..." until any
        key is pressed, be it one that does nothing.
        """
        self.terminal.press_until(_KEY_FOR_NOTHING, sees, what)


def dialogue(screen: str) -> str:
    r"""Return the words of the dialogue before a page, "" where there is none.

    >>> dialogue("## A ╔══ Input ══╗\n[1] b ║ Your      ║\n[2] c ║ move:     ║")
    'Input Your move:'
    """
    return squeeze(" ".join(_IN_DIALOGUE.findall(screen)).replace("═", " "))


def _asks_to_redirect(screen: str) -> bool:
    return "Follow redirect?" in dialogue(screen)


def _has_come(screen: str) -> bool:
    return bool(dialogue(screen)) or _shows_page(screen)


def _has_selected(screen: str) -> bool:
    return _bottom(screen).startswith("Link:")


def _shows_page(screen: str) -> bool:
    # Of an address that is too long for the window, the bottom line has the end.
    is_address = re.match(r"gemini://|about:|\S{24,}\s*$", _bottom(screen))
    return not dialogue(screen) and is_address is not None


def _bottom(screen: str) -> str:
    return screen.rpartition("\n")[2]
