"""Elpher 3.6 as the capsule sees it: where it sends a certificate, and which pages it caches."""

from dataclasses import dataclass, field
from urllib.parse import quote, urljoin

from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, links

MOST_REDIRECTS = 5


class RedirectLoop(Exception):
    """Elpher refuses to go to an address twice on the way to one page."""


@dataclass
class Elpher:
    """A visitor with one certificate, who has just started Elpher.

    A certificate is sent to the addresses that begin with the whole one that asked for it, query
    included, and is forgotten on the way to any other. A page is kept by its address: the one that
    was followed, or to which the last redirect led. It is not asked for again. Text typed at a
    prompt changes no address.
    """

    client: Client
    certificate: Certificate
    address: str = ""
    page: str = ""
    asked_for_certificate: int = 0
    _kept: dict[str, str] = field(default_factory=dict)
    _signed_in_at: str | None = None

    def go(self, address: str, *typed: str) -> None:
        """Open an address, and answer the prompts on the way to its page, one after the other."""
        self.address = address
        self.page = self._kept.get(address) or self._fetched(list(typed))

    def follow(self, label: str, *typed: str) -> None:
        """Follow the only link whose label begins so."""
        found = {url for each, url in links(self.page).items() if each.startswith(label)}
        assert len(found) == 1, (label, self.page)
        self.go(urljoin(f"//host{self.address}", found.pop()).removeprefix("//host"), *typed)

    def reload(self) -> None:
        """Press R: ask for the page that is shown once more."""
        del self._kept[self.address]
        self.go(self.address)

    def _fetched(self, typed: list[str]) -> str:
        asked_for, seen = self.address, set[str]()
        while True:
            response = self._response(asked_for)
            if response.status == 20:
                self._kept[self.address] = response.body
                return response.body
            if response.status == 10:
                asked_for = f"{self.address}?{quote(typed.pop(0), safe='')}"
            elif response.status == 60:
                self.asked_for_certificate += 1
                asked_for = self._signed_in_at = self.address
            else:
                assert response.status == 30, response
                asked_for = urljoin(self.address, response.meta)
                if asked_for in seen or len(seen) == MOST_REDIRECTS:
                    raise RedirectLoop(asked_for)
                seen.add(asked_for)
                self.address = asked_for

    def _response(self, address: str) -> Response:
        if self._signed_in_at is not None and not address.startswith(self._signed_in_at):
            self._signed_in_at = None
        return self.client.ask(address, self.certificate if self._signed_in_at else None)
