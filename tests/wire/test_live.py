"""Live pages: they grow while the game goes on, in each process, and end cleanly."""

import signal
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.client import link
from tests.support.stories import WON_GAMES
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.browser import Browser, start_between
from tests.support.wire.connection import connect, fetch
from tests.support.wire.identities import Identity, make
from tests.support.wire.running import Running, running, serving
from tests.wire.test_workers import two_workers

pytestmark = pytest.mark.slow

MOVES = WON_GAMES["numeric"].split()


class LiveReader:
    """The part of a live page that a reader has seen so far."""

    def __init__(self, connection: ssl.SSLSocket) -> None:
        self._connection = connection
        self.seen = ""
        self.has_ended = False

    def read(self) -> str:
        """Read on, once, and return all that has been seen."""
        received = self._connection.recv(65536)
        self.has_ended = not received
        self.seen += received.decode()
        return self.seen

    def wait_for(self, words: str) -> str:
        """Read until these words have been seen, and return all that has been seen."""
        while words not in self.seen:
            assert not self.has_ended, self.seen
            self.read()
        return self.seen

    def read_to_end(self) -> str:
        while not self.has_ended:
            self.read()
        return self.seen


@contextmanager
def reading(server: Running, url: str, identity: Identity | None = None) -> Iterator[LiveReader]:
    """Open a game's live page, and read how it begins."""
    with connect(server.address, identity) as connection:
        connection.sendall(f"{server.home}{url}/live\r\n".encode())
        reader = LiveReader(connection)
        reader.wait_for("\r\n")
        yield reader


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> tuple[Identity, Identity]:
    folder = tmp_path_factory.mktemp("identities")
    return make(folder, "alice"), make(folder, "bob")


def test_players_and_spectators_see_each_move_and_the_end(
    tmp_path: Path, people: tuple[Identity, Identity]
) -> None:
    with two_workers(tmp_path) as server:
        alice, bob = (Browser(server, who) for who in people)
        url = start_between(alice, bob, "numeric")
        with reading(server, url, people[1]) as player, reading(server, url) as spectator:
            assert "/move" not in player.wait_for("grows with each move")
            alice.move(url, MOVES[0])
            first = player.wait_for("Type your move")
            assert f"## Move 1: alice (Odd) played {MOVES[0]}" in first
            # The link of the live page is a link like any other.
            bob.ask(f"{link(first, '/move')}?{MOVES[1]}")
            spectator.wait_for("## Move 2")
            for number, move in enumerate(MOVES[2:]):
                (alice, bob)[number % 2].move(url, move)
            seen, others = player.read_to_end(), spectator.read_to_end()
            assert "## You won: " in seen
            assert f"## Move {len(MOVES)}: you played {MOVES[-1]}" in seen
            assert "## bob won: " in others
            assert f"## Move {len(MOVES)}: bob (Even) played {MOVES[-1]}" in others
            assert "/move" not in spectator.seen


def test_each_may_have_two_of_them_and_a_server_that_stops_says_so_and_waits_for_nobody(
    tmp_path: Path, people: tuple[Identity, Identity]
) -> None:
    with running(serving(tmp_path)) as server:
        url = start_between(*(Browser(server, who) for who in people), "numeric")
        live = f"{server.home}{url}/live"
        with reading(server, url), reading(server, url):
            reply = fetch(live, server.address, people[0])
            assert reply.status == 40
            assert "two live pages" in reply.meta
        # A reader who has gone makes room, without having been sent anything.
        wait_until(lambda: fetch_beginning(server, url) == 20)
        with reading(server, url) as reader:
            reader.wait_for("grows with each move")
            server.process.send_signal(signal.SIGTERM)
            assert "being restarted" in reader.read_to_end()
            server.process.wait(PATIENCE)
            assert "Stopped with" not in server.printed, "it did not wait for its patience to end"


def fetch_beginning(server: Running, url: str) -> int:
    """Return the status of a live page."""
    with reading(server, url) as reader:
        return int(reader.seen[:2])


def test_a_page_of_a_game_that_is_over_ends_at_once(
    tmp_path: Path, people: tuple[Identity, Identity]
) -> None:
    with running(serving(tmp_path)) as server:
        alice, bob = (Browser(server, who) for who in people)
        url = start_between(alice, bob, "numeric")
        alice.move(url, "b2=5")
        bob.move(url, "a1=2")
        alice.ask(f"{link(alice.get(url), '/resign')}?resign")
        assert "## alice resigned: bob won" in Browser(server, None).get(f"{url}/live")
