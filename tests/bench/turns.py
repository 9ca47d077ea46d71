"""How long visitors wait beside others who ask in closed loops: `python -m tests.bench.turns LOAD`.

LOAD is a program that asks for pages from many loopback addresses of this machine, each connection
asking again as soon as it has been answered. It is called with a port, a number of connections, the
seconds for which it asks, a number of addresses, the first three bytes that these share, and a file
with an address of a page in each line. Programs in Python are too slow for that: nobody would wait.

Beside each load, one visitor from an address that the server knows and one from a new address each
time ask for the front page and for a game's page that nobody has asked for. Waves of load come from
ever new addresses. The figures are the milliseconds from the beginning of a connection to the end
of the answer.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from engine import VARIANTS
from tests.bench.homes import Home, NewGame, opened
from tests.bench.servers import capsule, free_port, serving
from tests.bench.visitor import ask, tls
from tests.support.stored import change_row
from tests.support.stories import WON_GAMES
from tests.support.wire.identities import make

KNOWN = "127.0.0.1"

BOARDS = 3_000
"""Boards that are asked for in a load: more than are kept."""

LONG_LINE, LONG_GAME = 140, 1_000

GAMES = 4_000
"""Games whose pages are asked for once each."""

PAUSE = 0.05
"""Seconds between two requests of the visitors who are measured."""


@dataclass(frozen=True)
class Crowd:
    """Visitors who ask in closed loops: their connections, their addresses, and the pages."""

    connections: int
    addresses: int
    pages: Sequence[str]


def random_line(moves: int, rng: Random) -> list[str]:
    """Return moves of a game of tinc."""
    position, played = VARIANTS["tinc"].start, list[str]()
    while len(played) < moves:
        played.append(position.random_move(rng))
        position = position.play(played[-1])
    return played


def crowds(home: Home, long_game: str) -> Mapping[str, Crowd]:
    """Return the loads by their names."""
    rng = Random(3)
    boards = [f"/board/tinc/{','.join(random_line(LONG_LINE, rng))}" for _ in range(BOARDS)]
    game_id = long_game.removeprefix("/play/")
    opinions = [f"/board/tinc/~{game_id}.{ply}?engine" for ply in range(1, LONG_GAME + 1)]
    rng.shuffle(opinions)
    return {
        "about": Crowd(60, 20, ["/about"]),
        "boards": Crowd(60, 20, boards),
        "opinions": Crowd(60, 20, opinions),
        "one address": Crowd(300, 1, ["/about"]),
    }


def measure(
    load: str, crowd: Crowd, port: int, games: Iterator[str], *, waves: int, seconds: float
) -> Mapping[tuple[str, str], list[float]]:
    """Return the milliseconds that the known and the new visitor wait for each kind of page."""
    context = tls(None)
    newcomers = (f"127.200.{number // 250}.{number % 250 + 1}" for number in count())
    taken: dict[tuple[str, str], list[float]] = {
        (who, what): [] for who in ("known", "new") for what in ("front page", "game page")
    }

    def visit() -> None:
        for (who, what), each in taken.items():
            path = "/" if what == "front page" else next(games)
            begun = time.monotonic()
            answer = ask(port, path, context, KNOWN if who == "known" else next(newcomers))
            each.append((time.monotonic() - begun) * 1000)
            assert answer.startswith(b"20"), answer[:100]
            time.sleep(PAUSE)

    visit()
    for each in taken.values():
        each.clear()
    with tempfile.NamedTemporaryFile("w") as pages:
        pages.writelines(f"gemini://localhost:{port}{path}\n" for path in crowd.pages)
        pages.flush()
        for wave in range(waves):
            asked = map(str, (port, crowd.connections, seconds, crowd.addresses))
            command = [load, *asked, f"127.{100 + wave}.7", pages.name]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                until = time.monotonic() + seconds
                time.sleep(0.2)
                while time.monotonic() < until:
                    visit()
                said, _ = process.communicate()
            print(f"  wave {wave + 1}: {said.strip()}", flush=True)
    return taken


def main() -> None:
    """Measure and print what the visitors wait, by the load."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("load", metavar="LOAD")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--waves", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=7)
    parser.add_argument("--only", action="append", help="the name of a load; default: all")
    options = parser.parse_args()
    for number in range(options.runs):
        with tempfile.TemporaryDirectory() as name, opened(Path(name) / "home") as home:
            player = home.player(make(Path(name), "bench"), "bench")
            opening = WON_GAMES["ultimate"].split()[:9]
            games = iter(home.store([NewGame("ultimate", opening, player, player)] * GAMES))
            long_game = home.store(
                [NewGame("tinc", random_line(LONG_GAME, Random(4)), player, player)]
            )[0]
            with home.context.database.writing() as connection:
                game_id = long_game.removeprefix("/play/")
                change_row(connection, game_id, status="resigned", winner="X")
            port = free_port()
            with serving("capsule", port, capsule(home.folder, port)) as server:
                for load, crowd in crowds(home, long_game).items():
                    if options.only and load not in options.only:
                        continue
                    print(f"run {number + 1}, {load}, load average {os.getloadavg()[0]:.1f}")
                    taken = measure(
                        options.load,
                        crowd,
                        server.port,
                        games,
                        waves=options.waves,
                        seconds=options.seconds,
                    )
                    for (who, what), each in taken.items():
                        print(
                            f"  {who:<5} {what}: median {statistics.median(each):6.1f} ms, "
                            f"longest {max(each):7.1f} ms, of {len(each)}",
                            flush=True,
                        )


if __name__ == "__main__":
    main()
