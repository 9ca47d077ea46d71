"""How many pages a second the capsule serves: `python -m tests.bench.pages`.

Every request is a connection of its own with a full TLS handshake and a client certificate where it
says so. The capsule and jetforce's bare hello-world run side by side, with the same certificates,
and are asked in turn, so that each figure is a ratio of one run: machines are noisy.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import platform
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from capsule.accounts import players
from capsule.accounts.identity import Visitor
from capsule.app import build_context
from capsule.config import Config
from capsule.db.database import open_database
from capsule.games import queries as game_queries
from capsule.games.model import StoredMove
from capsule.gemini.certificates import ensure_server_certificate
from capsule.gemini.types import Certificate
from engine import VARIANTS
from engine.cells import cell_name
from tests.support.client import BEGINNING
from tests.support.stored import store_row
from tests.support.stories import WON_GAMES
from tests.support.wire.identities import make

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from tests.support.wire.identities import Identity

THREADS = 4
"""Visitors at once: enough to keep a server busy."""


@dataclass(frozen=True)
class Server:
    """A server under measurement."""

    name: str
    port: int
    process: subprocess.Popen[bytes]

    def memory(self) -> float:
        """Return the memory that it occupies now, in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1000


@contextmanager
def serving(name: str, port: int, command: Sequence[object]) -> Iterator[Server]:
    """Run a server until the end of the block."""
    process = subprocess.Popen(
        [sys.executable, *map(str, command)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"OXONAUT_RATE": "0"},
    )
    try:
        for _ in range(400):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield Server(name, port, process)
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def tls(identity: Identity | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if identity:
        context.load_cert_chain(identity.certificate, identity.key)
    return context


def ask(server: Server, path: str, context: ssl.SSLContext) -> bytes:
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=30) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        connection.sendall(f"gemini://localhost:{server.port}{path}\r\n".encode())
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return received


def rate(server: Server, paths: Sequence[str], context: ssl.SSLContext, status: bytes) -> float:
    """Return the requests a second that the server answers, each with the expected status."""
    begin = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as visitors:
        answers = list(visitors.map(lambda path: ask(server, path, context), paths))
    seconds = time.perf_counter() - begin
    for answer in answers:
        assert answer.startswith(status), answer[:200]
    return len(paths) / seconds


@dataclass(frozen=True)
class Stored:
    """A capsule's database, filled beforehand with games that one player plays alone."""

    context: AppContext
    player: Player

    def game(self, variant: str, moves: Sequence[str]) -> str:
        """Store a game with these moves already made, and return its path."""
        game_id = base64.b32encode(os.urandom(10)).decode().lower()[:10]
        made, position = [], VARIANTS[variant].start
        for ply, move in enumerate(moves, start=1):
            made.append(StoredMove(ply, position.turn, move, BEGINNING))
            position = position.play(move)
        with self.context.database.writing() as connection:
            store_row(
                connection,
                id=game_id,
                variant=variant,
                listed=True,
                x_player_id=self.player.id,
                o_player_id=self.player.id,
                status="playing",
                turn=position.turn.value,
                ply=len(moves),
                turn_counter=len(moves),
                created_at=BEGINNING,
                moved_at=BEGINNING,
            )
            for move in made:
                game_queries.add_move(connection, game_id, move)
        return f"/play/{game_id}"

    def move(self, path: str, turn_counter: int, move: str) -> str:
        """Return the URL that makes a move in a game."""
        key = Visitor(player=self.player).game_key(
            self.context, path.removeprefix("/play/"), turn_counter
        )
        return f"{path}/{key}/move?{move}"


def stored(home: Path, identity: Identity) -> Stored:
    """Return the database of a capsule in `home`, where the identity is a player."""
    database = open_database(f"sqlite:///{home}/oxonaut.db", os.urandom)
    context = build_context(Config(home=home), database, lambda: BEGINNING, os.urandom)
    certificate = Certificate(identity.fingerprint, "bench", BEGINNING, BEGINNING)
    return Stored(context, players.become_player(context, certificate))


def growing_tinc(turns: int) -> list[str]:
    """Return the moves of a game of tinc that grows every turn."""
    chance, position, moves = Random(3), VARIANTS["tinc"].start, []
    for turn in range(turns):
        rows = 2 * turn + 1
        moves.append(cell_name(0, chance.randrange(rows)))
        position = position.play(moves[-1])
    return moves


def measured(rounds: int, one: Callable[[], float], other: Callable[[], float]) -> dict[str, float]:
    """Return the medians of two rates and of their ratio, taken in turn."""
    pairs = [(one(), other()) for _ in range(rounds)]
    return {
        "per second": statistics.median(first for first, _ in pairs),
        "of": statistics.median(second for _, second in pairs),
        "ratio": statistics.median(first / second for first, second in pairs),
    }


def compare(requests: int, rounds: int) -> dict[str, dict[str, float]]:
    """Return every figure by what it is of."""
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        identity = make(folder, "bench")
        signed_in, anyone = tls(identity), tls(None)
        few, many = folder / "few", folder / "many"
        for home in (few, many):
            home.mkdir()
            ensure_server_certificate(home / "certs", "localhost", datetime.now(UTC))
        small, large = stored(few, identity), stored(many, identity)
        opening = WON_GAMES["ultimate"].split()[:9]
        for _ in range(10):
            small.game("ultimate", opening)
        crowd = [large.game("ultimate", opening) for _ in range(10_000)]
        page, page_of_many = small.game("ultimate", opening), crowd[0]
        early = small.game("tinc", growing_tinc(5))
        late = small.game("tinc", growing_tinc(200))
        certificate, key = ensure_server_certificate(few / "certs", "localhost", datetime.now(UTC))
        ports = free_port(), free_port(), free_port()
        with (
            serving(
                "hello", ports[0], ["-m", "tests.bench.hello", certificate, key, ports[0]]
            ) as hello,
            serving("few", ports[1], capsule(few, ports[1])) as capsule_of_few,
            serving("many", ports[2], capsule(many, ports[2])) as capsule_of_many,
        ):

            def asked(
                server: Server, path: str, context: ssl.SSLContext = signed_in
            ) -> Callable[[], float]:
                return lambda: rate(server, [path] * requests, context, b"20")

            crowd_iterator = iter(crowd[1:])

            def never_seen() -> float:
                paths = [next(crowd_iterator) for _ in range(requests)]
                return rate(capsule_of_many, paths, signed_in, b"20")

            def moved() -> float:
                games = [small.game("ultimate", opening) for _ in range(requests)]
                next_move = WON_GAMES["ultimate"].split()[9]
                paths = [small.move(each, len(opening), next_move) for each in games]
                return rate(capsule_of_few, paths, signed_in, b"30")

            bare, bare_anyone = asked(hello, "/"), asked(hello, "/", anyone)
            asked(capsule_of_few, page)()
            for what, one, other in (
                ("signed-in game page", asked(capsule_of_few, page), bare),
                ("signed-in game page, another game each time", never_seen, bare),
                ("visitor's game page", asked(capsule_of_few, page, anyone), bare_anyone),
                ("rules page", asked(capsule_of_few, "/rules/quantum", anyone), bare_anyone),
                (
                    "game page with 10,000 games stored, to 10",
                    asked(capsule_of_many, page_of_many),
                    asked(capsule_of_few, page),
                ),
                (
                    "tinc page at turn 200, to turn 5",
                    asked(capsule_of_few, late),
                    asked(capsule_of_few, early),
                ),
                # The last, since it stores games where few shall be.
                ("move", moved, bare),
            ):
                figures[what] = measured(rounds, one, other)
                print(line(what, figures[what]), flush=True)
            for server in (hello, capsule_of_few, capsule_of_many):
                figures[f"memory of {server.name}"] = {"megabytes": server.memory()}
                print(f"{'memory of ' + server.name:<54} {server.memory():7.1f} MB")
        for each in (small, large):
            each.context.database.close()
    return figures


def capsule(home: Path, port: int) -> list[object]:
    """Return the command that serves a capsule."""
    where = ["--host", "127.0.0.1", "--port", port, "--home", home]
    return ["-m", "capsule", "serve", *where]


def line(what: str, figure: dict[str, float]) -> str:
    """Return a line of the table."""
    return f"{what:<54} {figure['per second']:7.1f} {figure['of']:7.1f} {figure['ratio']:7.2f}"


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pages", description=__doc__)
    parser.add_argument("--requests", type=int, default=200, help="requests a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which medians are told")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON at the end")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {THREADS} visitors at once")
    print(f"{'':<54} {'a sec.':>7} {'bare':>7} {'ratio':>7}")
    figures = compare(options.requests, options.rounds)
    if options.json:
        print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
