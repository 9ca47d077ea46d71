"""The other player, far away, whose browser is a few lines of Python."""

from urllib.parse import quote, urlsplit

from tests.support.client import link
from tests.support.wire.connection import Reply, fetch
from tests.support.wire.identities import Identity


class Friend:
    """A player with a certificate, at a capsule whose address begins with `origin`."""

    def __init__(self, origin: str, identity: Identity) -> None:
        self._origin, self._identity = origin, identity

    def invite_to(self, variant: str) -> str:
        """Start a game, and return its address."""
        reply = self._ask(link(self._page(f"/play/new/{variant}"), "/invite"))
        assert reply.status == 30, reply
        return f"{self._origin}{reply.meta}"

    def take_the_seat(self, url: str) -> None:
        """Open the address of a game and take the seat that is open."""
        path = urlsplit(url).path
        self._arrive(self._ask(link(self._page(path), "/join")), path)

    def play(self, url: str, move: str) -> None:
        """Play a move."""
        path = urlsplit(url).path
        prompt = link(self._page(path), "/move")
        self._arrive(self._ask(f"{prompt}?{quote(move)}"), path)

    def _page(self, path: str) -> str:
        reply = self._ask(path)
        assert reply.status == 20, reply
        return reply.body

    def _ask(self, path: str) -> Reply:
        port = urlsplit(self._origin).port
        assert port is not None
        return fetch(f"{self._origin}{path}", ("127.0.0.1", port), self._identity)

    def _arrive(self, reply: Reply, path: str) -> None:
        assert (reply.status, reply.meta) == (30, path), reply
