"""The time that a person waits while programs play: `python -m tests.bench.programs`.

Eight programs play forty games with each other through one capsule, as `oxonaut play` does, at its
pace. Meanwhile, and before, a person asks for the page of a game of theirs, four times a second.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.servers import apart
from tests.programs.many import PROGRAMS
from tests.support.client import link
from tests.support.wire.connection import fetch
from tests.support.wire.identities import make
from tests.support.wire.running import running

MANY = [sys.executable, "-m", "tests.programs.many"]


@dataclass(frozen=True)
class Measured:
    """The seconds that a person waited for pages, before programs played and meanwhile.

    `statuses` are what the programs were answered with, and how often, `seconds` what they took.
    """

    before: Sequence[float]
    during: Sequence[float]
    statuses: Mapping[str, int]
    seconds: float

    @property
    def ratio(self) -> float:
        """The ratio of the median page meanwhile to that before."""
        return statistics.median(self.during) / statistics.median(self.before)


def measured(games: int, quiet: int, folder: Path) -> Measured:
    """Let programs play this many games in all, and ask for pages, `quiet` of them before."""
    serve = ["serve", "--host", "127.0.0.1", "--port", "0", "--home", str(folder / "home")]
    with running([sys.executable, "-m", "capsule", *serve]) as server:
        identity = make(folder, "person")
        base = f"gemini://localhost:{server.address[1]}"

        def took(path: str) -> float:
            begin = time.perf_counter()
            assert fetch(base + path, server.address, identity).status == 20
            return time.perf_counter() - begin

        page = fetch(f"{base}/play/new/ultimate", server.address, identity).body
        game = fetch(base + link(page, "/solo"), server.address, identity).meta
        before = [_waited(took, game) for _ in range(quiet)]
        each = str(games * 2 // PROGRAMS)
        command = [*MANY, str(server.address[1]), str(folder), each, "numeric", "ultimate"]
        begin = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as programs:
            during = []
            while programs.poll() is None:
                during.append(_waited(took, game))
            output = programs.communicate()[0].split()
        assert programs.returncode == 0, "the programs gave up"
        seconds = time.perf_counter() - begin
    counted = (status.split(":") for status in output)
    return Measured(before, during, {name: int(count) for name, count in counted}, seconds)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.programs", description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="of all (default: %(default)s)")
    parser.add_argument("--quiet", type=int, default=60, help="requests before (default: 60)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = measured(given.games, given.quiet, Path(name))
    statuses = ", ".join(f"{count} of {status}" for status, count in found.statuses.items())
    print(f"{apart()}")
    print(
        f"{given.games} games of {PROGRAMS} programs in {found.seconds:.0f} s; answers: {statuses}"
    )
    for name, times in (("before", found.before), ("meanwhile", found.during)):
        print(f"{name:10} median {_ms(statistics.median(times))}, 95 % {_ms(_95(times))}")
    print(f"ratio of the medians {found.ratio:.2f}")


def _waited(took: Callable[[str], float], game: str) -> float:
    time.sleep(0.25)
    return took(game)


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


def _95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


if __name__ == "__main__":
    main()
