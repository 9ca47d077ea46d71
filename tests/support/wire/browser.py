"""A person with a certificate, who asks a running capsule for pages and plays."""

import ssl
from urllib.parse import quote

from tests.support.client import link
from tests.support.stories import PAST_OPENINGS
from tests.support.wire.connection import Reply, fetch
from tests.support.wire.identities import Identity
from tests.support.wire.running import Running


class Browser:
    """One person's requests to a running capsule."""

    def __init__(
        self, server: Running, identity: Identity | None, tls: ssl.TLSVersion | None = None
    ) -> None:
        self._server, self._identity, self._tls = server, identity, tls

    def ask(self, path: str) -> Reply:
        """Return the answer to a request for a path and query."""
        address = self._server.address
        reply = fetch(f"gemini://localhost:{address[1]}{path}", address, self._identity, self._tls)
        assert reply.closed_cleanly
        return reply

    def get(self, path: str) -> str:
        """Return a page, at most one redirect away."""
        reply = self.ask(path)
        reply = self.ask(reply.meta) if reply.status == 30 else reply
        assert reply.status == 20, reply
        return reply.body

    def move(self, url: str, move: str) -> None:
        """Type a move at the prompt of a game's page."""
        prompt = link(self.get(url), "/move")
        assert self.ask(prompt).status == 10
        assert self.ask(f"{prompt}?{quote(move)}")[:2] == (30, url)


def start_with_master(browser: Browser) -> str:
    """Start a game of ultimate where its master knows no opening any more, and return its path."""
    begun = f"?from={','.join(PAST_OPENINGS)}"
    page = browser.get(f"/play/new/ultimate/bots{begun}")
    return browser.ask(link(page, "/bot-master")).meta


def start_between(x: Browser, o: Browser, variant: str) -> str:
    """Start a game that `x` invites `o` to, and return its path."""
    url = x.ask(link(x.get(f"/play/new/{variant}"), "/invite")).meta
    o.get(link(o.get(url), "/join"))
    return url
