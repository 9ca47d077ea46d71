"""A run of the benchmark of pages, shared by all of its parts."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench import servers
from tests.bench.homes import Home
from tests.bench.load import Load, Ratio, Request, Side, compare
from tests.bench.report import Report
from tests.bench.servers import Cores, Server, free_port, serving
from tests.support.wire.identities import Identity


@dataclass(frozen=True)
class Sizes:
    """The amounts that are measured, and those that are stored.

    `requests` make a round, and `rounds` a figure; `games` are stored, a hundred for each player,
    and `mix_games` for `players`, of which `evening` requests have come before it is measured, and
    `fresh` certificates come along while the memory is watched.
    """

    requests: int = 400
    rounds: int = 5
    games: int = 10_000
    mix_games: int = 1_000
    players: int = 200
    evening: int = 10_000
    fresh: int = 100_000


@dataclass(frozen=True)
class Run:
    """A run of the benchmark: its temporary folder, its sizes, and its report.

    `identity` is the certificate of the player who asks.
    """

    folder: Path
    sizes: Sizes
    cores: Cores
    load: Load
    report: Report
    identity: Identity

    @contextmanager
    def capsule(self, name: str, home: Home) -> Iterator[Server]:
        """Serve a capsule with one worker during the block."""
        port = free_port()
        with serving(name, port, servers.capsule(home.folder, port), self.cores.server) as server:
            yield server

    @contextmanager
    def hello(self, home: Home) -> Iterator[Server]:
        """Serve jetforce's bare hello during the block, with the certificate of a home."""
        port = free_port()
        files = home.folder / "certs" / "cert.pem", home.folder / "certs" / "key.pem"
        command = servers.hello(*files, port)
        with serving("hello", port, command, self.cores.server) as server:
            yield server

    def side(self, server: Server, requests: Callable[[], Sequence[Request]]) -> Side:
        """Return a side of a comparison, whose visitors keep to their cores."""
        return Side(server, requests, self.cores.visitors)

    def always(self, server: Server, path: str, identity: Identity | None = None) -> Side:
        """Return a side of a comparison that is always asked for the same."""
        return self.side(server, lambda: [Request(path, identity)] * self.sizes.requests)

    def compare(
        self, what: str, one: Side, other: Side, aim: float | None = None, *, shared: bool = False
    ) -> Ratio:
        """Compare two servers, and report the figure; for `shared` see `Report.ratio`."""
        figure = compare(self.load, self.sizes.rounds, one, other)
        self.report.ratio(what, figure, aim, shared=shared)
        return figure
