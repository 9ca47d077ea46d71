"""Capsules that are killed again and again while people play, and what they confirmed."""

import json
import re
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from types import TracebackType
from typing import Self, TypeAlias
from urllib.parse import quote

import pytest

from engine import VARIANTS, Position, Side
from tests.support.client import link, links
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.connection import Reply, fetch
from tests.support.wire.identities import Identity
from tests.support.wire.running import Process, start

UNCLOSED = pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")
"""Python's ssl loses the socket of a connection that ends before its handshake begins."""

ALTERNATING = ("tinc", "ultimate")
"""Variants in which each side has exactly one move after the other."""

Address: TypeAlias = tuple[str, int]

_READY = re.compile(r"^Listening on .*, port (\d+)$", re.MULTILINE)


def free_address() -> Address:
    """Return an address of this machine where nobody listens at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return "127.0.0.1", probe.getsockname()[1]


class Entrance:
    """An address where requests are answered, by one capsule or by several behind a balancer."""

    def __init__(self, address: Address) -> None:
        self.address = address

    def ask(self, path: str, who: Identity | None = None) -> Reply:
        """Return the answer to a request; its status is 0 if none came."""
        try:
            return fetch(f"gemini://localhost:{self.address[1]}{path}", self.address, who)
        except OSError:
            return Reply(0, "", "", closed_cleanly=False)

    def record(self, url: str) -> Sequence[str]:
        """Return the moves of a game; the capsule must be alive."""
        reply = self.ask(f"{url}/record.json")
        assert reply.status == 20, reply
        moves: list[str] = json.loads(reply.body)["moves"]
        return moves


class MortalCapsule(Entrance):
    """A capsule at one address that can be killed and started again.

    All that its lives print is in `output`; as a context manager, it is killed for good at the end.
    """

    def __init__(
        self,
        home: Path,
        *arguments: str,
        output: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(free_address())
        self.home = home
        self.output = output or home.with_name(f"{home.name}.output")
        where = ["--home", str(home), "--host", "127.0.0.1", "--port", str(self.address[1])]
        self._command = [sys.executable, "-m", "capsule", "serve", *where, *arguments]
        self._environment = {"OXONAUT_RATE": "0", **(environment or {})}
        self.process: Process | None = None
        self._printed_before = 0

    def start(self, *, wait: bool = True) -> None:
        """Start a new life, and wait until it listens, unless `wait` is False."""
        self._printed_before = self.output.stat().st_size if self.output.exists() else 0
        self.process = start(self._command, self.output, self._environment)
        if wait:
            self.wait_until_it_listens()

    def wait_until_it_listens(self) -> None:
        """Wait until the present life answers requests."""
        assert self.process is not None
        process = self.process
        wait_until(lambda: _READY.search(self.printed_in_this_life) or process.poll() is not None)
        assert process.poll() is None, self.printed_in_this_life

    @property
    def printed(self) -> str:
        """All that any life has printed."""
        return self.output.read_text(encoding="utf-8")

    @property
    def printed_in_this_life(self) -> str:
        """All that the present life has printed."""
        return self.output.read_bytes()[self._printed_before :].decode()

    def kill(self) -> None:
        """End its life as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """Ask it to stop, and wait until it has."""
        assert self.process is not None
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, self.printed
        self.process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()


class Unanswered(Exception):
    """The capsule died, or was dead, before it answered."""


@dataclass
class Table:
    """A running game: its address, and each move that was answered, by its number."""

    url: str
    variant: str
    has_bot: bool
    is_over: bool = False
    answered: dict[int, str] = field(default_factory=dict)


@dataclass
class Visitor:
    """A visitor who plays one game after the other, against a bot or against another certificate.

    `statuses` are all that were answered; whatever kept the visitor from playing on is in `faults`.
    A player who gets no answer, or is asked to come again, does so after a `pause`.
    """

    capsule: Entrance
    players: Sequence[Identity]
    rng: Random
    variants: Sequence[str]
    tables: list[Table] = field(default_factory=list)
    statuses: set[int] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    unanswered: int = 0
    pause: float = 0.05

    @property
    def moves(self) -> int:
        """The number of moves that were answered."""
        return sum(len(table.answered) for table in self.tables)

    def play_until(self, stopping: Event) -> None:
        """Play until `stopping` is set; a request without an answer is tried again."""
        while not stopping.is_set() and not self.faults:
            try:
                if not self.tables or self.tables[-1].is_over:
                    self._start()
                if not self._move(self.tables[-1]):
                    stopping.wait(0.05)
            except Unanswered:
                self.unanswered += 1
                stopping.wait(self.pause)
            except Exception as error:  # noqa: BLE001 - the test tells it, not the thread
                self.faults.append(repr(error))

    def _ask(self, path: str, who: Identity) -> Reply:
        reply = self.capsule.ask(path, who)
        if reply.status:
            self.statuses.add(reply.status)
        # A redirect or a prompt is whole with its line; a page is whole if it was closed cleanly.
        if not reply.status or (reply.status == 20 and not reply.closed_cleanly):
            raise Unanswered
        if reply.status in {41, 44}:
            raise Unanswered
        return reply

    def _page(self, path: str, who: Identity) -> str:
        reply = self._ask(path, who)
        assert reply.status == 20, reply
        return reply.body

    def _position(self, table: Table) -> tuple[Position, Sequence[str]]:
        record = self._page(f"{table.url}/record.json", self.players[0])
        moves: list[str] = json.loads(record)["moves"]
        return VARIANTS[table.variant].replay(moves), moves

    def _start(self) -> None:
        variant = self.rng.choice(self.variants)
        has_bot = len(self.players) == 1
        page = self._page(f"/play/new/{variant}", self.players[0])
        if has_bot:
            start = link(page, "/bot-novice")
        elif self.tables:
            # A challenge, since nobody takes more than ten open seats a day.
            start = f"{link(page, '/challenge')}?{quote(self._opponent())}"
        else:
            start = link(page, "/invite")
        reply = self._ask(start, self.players[0])
        if reply.status == 10:
            # There is one already, whose address was in an answer that did not arrive.
            self._accept_all()
            raise Unanswered
        assert reply.status == 30, reply
        self.tables.append(Table(reply.meta, variant, has_bot))

    def _opponent(self) -> str:
        record = self._page(f"{self.tables[0].url}/record.json", self.players[0])
        name: str = json.loads(record)["players"]["O"]
        return name

    def _accept_all(self) -> None:
        for other in self.players[1:]:
            for asked in json.loads(self._page("/play/desk.json", other))["challenges"]:
                self._ask(asked["accept"], other)

    def _move(self, table: Table) -> bool:
        """Make a move if it is the turn of a player here; return whether it was answered."""
        position, moves = self._position(table)
        if position.outcome is not None:
            table.is_over = True
            return True
        if table.has_bot and position.turn is Side.O:
            return False
        who = self.players[0 if position.turn is Side.X or table.has_bot else 1]
        prompt = self._link(table, who, "/move")
        if prompt is None:
            self._take_the_seat(table)
            return False
        move = position.random_move(self.rng)
        reply = self._ask(f"{prompt}?{quote(move)}", who)
        assert reply[:2] == (30, table.url), reply
        table.answered[len(moves)] = move
        return True

    def _take_the_seat(self, table: Table) -> None:
        for other in self.players[1:]:
            for end in ("/join", "/accept"):
                seat = self._link(table, other, end)
                if seat is not None:
                    self._ask(seat, other)

    def _link(self, table: Table, who: Identity, end: str) -> str | None:
        page = self._page(table.url, who)
        return next(
            (url for url in links(page).values() if url.partition("?")[0].endswith(end)), None
        )


def faults(visitors: Sequence[Visitor]) -> list[str]:
    """Return the faults that stopped visitors."""
    return [fault for visitor in visitors for fault in visitor.faults]


@contextmanager
def played_by(visitors: Sequence[Visitor]) -> Iterator[None]:
    """Let each visitor play on a thread during the block."""
    stopping = Event()
    threads = [Thread(target=each.play_until, args=(stopping,)) for each in visitors]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def require_nothing_lost(capsule: Entrance, visitors: Sequence[Visitor]) -> None:
    """Fail unless every answered move is there, and each bot has replied once where it had to."""
    assert not faults(visitors)
    for visitor in visitors:
        assert visitor.statuses <= {10, 20, 30, 41, 44}, visitor.statuses
        for table in visitor.tables:
            if table.has_bot:
                wait_until(lambda of=table: _is_answered(capsule, of))
            moves = capsule.record(table.url)
            found = {number: moves[number] for number in table.answered if number < len(moves)}
            assert found == table.answered, table.url
            # Legal moves alternate in these games: a doubled reply would not replay.
            VARIANTS[table.variant].replay(moves)


def _is_answered(capsule: Entrance, table: Table) -> bool:
    """Return whether the bot of a game has nothing more to do."""
    position = VARIANTS[table.variant].replay(capsule.record(table.url))
    return position.outcome is not None or position.turn is Side.X
