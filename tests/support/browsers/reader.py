"""A person at a browser who reads and types in their own language."""

import re
from dataclasses import dataclass

from capsule.languages.model import Language, override_language
from capsule.ui.render import shown
from engine import Message
from tests.support.browsers.browser import Browser
from tests.support.native_typing import as_typed


@dataclass(frozen=True)
class Reader:
    """Somebody who looks for the words of a template, which the catalogue of the language has."""

    browser: Browser
    language: Language

    def words(self, english: str, **values: object) -> str:
        """Return a text of a template in the language, with its values."""
        found = self.language.translations.gettext(english)
        assert found != english, "no template has it"
        with override_language(self.language):
            return found % {name: shown(value) for name, value in values.items()}

    def follow(self, english: str, **values: object) -> None:
        """Follow the link with this label."""
        self.browser.follow(self.words(english, **values))

    def wait_for(self, english: str, **values: object) -> None:
        """Wait for a text of a template."""
        self._wait_for(self.words(english, **values))

    def wait_for_words(self, said: Message) -> None:
        """Wait for words of the engine."""
        self._wait_for(said.render(self.language.translations))

    def _wait_for(self, text: str) -> None:
        # A browser may break a line between any two Chinese characters.
        self.browser.look_for(lambda page: _close(text) in _close(page), text)

    def type(self, text: str) -> None:
        """Type a move at the prompt that is shown, as the language writes it."""
        self.browser.answer(as_typed(self.language, text))


def _close(text: str) -> str:
    return re.sub(r"\s", "", text)
