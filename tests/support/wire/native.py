"""A visitor who reads and types in their own language, and is never answered in another."""

from capsule.languages.model import ENGLISH, Language
from engine import Message
from tests.support.client import link
from tests.support.native_typing import as_typed, english_in
from tests.support.wire.browser import Browser
from tests.support.wire.connection import Reply
from tests.support.wire.identities import Identity
from tests.support.wire.running import Running


class Native(Browser):
    """One person's requests, whose answers all have to be in that person's language."""

    def __init__(
        self, server: Running, identity: Identity | None, language: Language, name: str = ""
    ) -> None:
        super().__init__(server, identity)
        self.language, self.name = language, name

    def ask(self, path: str) -> Reply:
        """Return the answer to a request, once its language has been looked at."""
        reply = super().ask(path)
        if reply.status == 20 and reply.meta.startswith("text/gemini"):
            assert reply.meta == self.language.gemtext, path
        elif reply.status not in (20, 30):
            is_english = self.language is ENGLISH
            assert english_in(reply.meta) is is_english, (path, reply)
        return reply

    def start_between(self, other: "Native", variant: str) -> str:
        """Start a game to which another is invited, the first of both, and return its path."""
        url = self.ask(link(self.begin(f"new/{variant}"), "/invite")).meta
        assert other.ask(link(other.begin(url.removeprefix("/play/")), "/join")).meta == url
        return url

    def begin(self, page: str) -> str:
        """Return a page below `/play/` as it is found from a page in the language."""
        return self.get(f"/play/?{self.language.key}/{page}")

    def move(self, url: str, move: str) -> None:
        """Type a move at the prompt of a game's page, as the language writes it."""
        super().move(url, as_typed(self.language, move))

    def says(self, said: Message) -> str:
        """Return a message in the language."""
        return said.render(self.language.translations)

    def finds(self, english: str, **values: object) -> str:
        """Return a sentence of a template in the language, with its values."""
        found = self.language.translations.gettext(english)
        assert self.language is ENGLISH or found != english, "a template has it no longer"
        return found % values
