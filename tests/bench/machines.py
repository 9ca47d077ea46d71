"""One capsule and two, with one PostgreSQL behind haproxy, set up as `capsule/OPERATING.md` says.

All of them and the visitors share this machine's cores, so the rates say less than the processor
time that each part uses for a request: on machines of their own, that is what limits them.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.bench.homes import Home, opened
from tests.bench.load import Request
from tests.bench.mix import Mix, identities
from tests.bench.one_worker import NEXT_MOVE, OPENING, alone
from tests.bench.run import Run
from tests.bench.servers import Server, capsule, free_port, serving
from tests.support import postgresql
from tests.support.wire import balancer

WHAT = "capsules with one PostgreSQL behind haproxy"


@dataclass(frozen=True)
class _Site:
    """The balancer, which visitors ask, and the servers behind it."""

    entrance: Server
    capsules: Sequence[Server]
    database: Server

    def processor(self) -> Sequence[float]:
        """Return the seconds of processor that capsules, database and balancer have used."""
        capsules = sum(each.processor() for each in self.capsules)
        return capsules, self.database.processor(), self.entrance.processor()


def machines(run: Run) -> None:
    """Report how much one capsule and two answer, and how much work each part has with it."""
    try:
        haproxy = balancer.program()
        database = postgresql.new_server(postgresql.DURABLE)
    except (balancer.NoBalancer, postgresql.NoPostgresql) as error:
        run.report.note(WHAT, str(error))
        return
    players = identities(run.folder / "machines-players", run.sizes.players)
    try:
        for number, words in ((1, "one capsule"), (2, "two capsules")):
            name = f"machines_{number}"
            database.make_bare(name)
            with opened(run.folder / name, database.url(name)) as home:
                evening = Mix(home, players, run.sizes.mix_games, Random(5))
                with _site(home, database, haproxy, number) as site:
                    print(f"\n{words}, one PostgreSQL, haproxy and the visitors on the same cores")
                    _measure(run, site, words, home, evening)
    finally:
        database.end()


def _measure(run: Run, site: _Site, words: str, home: Home, evening: Mix) -> None:
    player = home.player(run.identity, "bench")
    page = alone(run, home, 1)[0]
    requests = run.sizes.requests

    def moves() -> Sequence[Request]:
        paths = alone(run, home, requests)
        return [
            Request(home.move(player, path, len(OPENING), NEXT_MOVE), run.identity, "30")
            for path in paths
        ]

    kinds: dict[str, Callable[[], Sequence[Request]]] = {
        "game pages": lambda: [Request(page, run.identity)] * requests,
        "moves": moves,
        "mix": lambda: evening.requests(requests),
    }
    for what, asked in kinds.items():
        run.load.put(site.entrance, asked())
        before = site.processor()
        outcomes = [run.load.put(site.entrance, asked()) for _ in range(run.sizes.rounds)]
        total = sum(outcome.requests for outcome in outcomes)
        used = [now - then for now, then in zip(site.processor(), before, strict=True)]
        rate = total / sum(outcome.seconds for outcome in outcomes)
        run.report.quantity(f"{words}: {what}", rate, "a second")
        for part, seconds in zip(("capsules", "PostgreSQL", "haproxy"), used, strict=True):
            milliseconds = 1000 * seconds / total
            run.report.quantity(f"{words}: {what}, CPU of {part}", milliseconds, "ms a request")


@contextmanager
def _site(home: Home, database: postgresql.Server, haproxy: str, capsules: int) -> Iterator[_Site]:
    entrance = free_port()
    settings = ["--database", home.database_url, "--proxy-protocol", "--public-port", entrance]
    with ExitStack() as stack:
        servers = []
        for number in range(capsules):
            port, folder = free_port(), home.folder / str(number)
            shutil.copytree(home.folder / "certs", folder / "certs")
            command = [*capsule(folder, port), *settings]
            servers.append(stack.enter_context(serving(f"capsule {number}", port, command)))
        file = home.folder / "haproxy.cfg"
        _configure(file, entrance, [server.port for server in servers])
        command = [haproxy, "-db", "-f", file]
        front = stack.enter_context(serving("haproxy", entrance, command))
        yield _Site(front, servers, Server("PostgreSQL", 0, database.process))


def _configure(file: Path, entrance: int, capsules: Sequence[int]) -> None:
    local = "127.0.0.1"
    text = balancer.configuration((local, entrance), [(local, port) for port in capsules])
    file.write_text(text, encoding="utf-8")
