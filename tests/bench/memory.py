"""A worker's memory, while ever more visitors come with a certificate that it has not seen.

Each request comes with a certificate and a P-256 key made for it alone, so that everything that is
kept for a visitor is kept for as many visitors as there are requests. What they ask for is the mix
without the moves.
"""

from random import Random

from tests.bench.homes import opened
from tests.bench.load import Request
from tests.bench.mix import Mix, identities
from tests.bench.run import Run

STEPS = 10

AT_START, LATER = 85, 110
"""Megabytes that a worker may occupy."""

GROWTH = 1.0
"""Megabytes that count as no growth: the system's allocator gives and takes that much."""


def memory(run: Run) -> None:
    """Report the memory at the start, and after each tenth of the requests."""
    with opened(run.folder / "memory") as home:
        players = identities(run.folder / "memory-players", run.sizes.players)
        evening = Mix(home, players, run.sizes.mix_games, Random(5))
        with run.capsule("capsule", home) as server:
            print("\nMemory of a worker; each request with a fresh certificate, of the mix's looks")
            run.load.put(server, [Request("/")])
            run.report.quantity("memory at the start", server.memory(), "MB", AT_START)
            step = run.sizes.fresh // STEPS
            seen = []
            for number in range(1, STEPS + 1):
                looks = [Request(each.path, fresh=True) for each in evening.looks(step)]
                run.load.put(server, looks, cores=run.cores.visitors)
                seen.append(server.memory())
                what = f"memory after {number * step:,} requests"
                run.report.quantity(what, seen[-1], "MB", LATER)
            growth = seen[-1] - seen[STEPS // 2 - 1]
            run.report.quantity("memory, growth in the latter half", growth, "MB", GROWTH)
