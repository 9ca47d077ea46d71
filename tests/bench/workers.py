"""Two workers on two cores, to one worker on one.

The visitors need processor time as well, and a machine may have no third core for them. So each
side has its cores for itself and its visitors together: one core for one worker and its visitors,
two for two workers and twice as many visitors. What the visitors use is then alike on both sides.
"""

import os
from random import Random

from tests.bench import servers
from tests.bench.homes import opened
from tests.bench.load import PROCESSES, Load, Request, Side
from tests.bench.mix import Mix, identities
from tests.bench.one_worker import alone
from tests.bench.run import Run
from tests.bench.servers import free_port, serving

WHAT = "two workers on two cores, to one on one"


def two_workers(run: Run) -> None:
    """Compare the page of a game, and the mix, with two workers and with one."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        run.report.note(WHAT, "there is one core only")
        return
    both, first = frozenset(cores), frozenset(cores[:1])
    players = identities(run.folder / "workers-players", run.sizes.players)
    ports = free_port(), free_port()
    with (
        opened(run.folder / "one-worker") as small,
        opened(run.folder / "two-workers") as large,
        Load(2 * PROCESSES) as twice,
    ):
        pages = alone(run, small, 1)[0], alone(run, large, 1)[0]
        mixes = [Mix(home, players, run.sizes.mix_games, Random(5)) for home in (small, large)]
        with (
            serving("one worker", ports[0], servers.capsule(small.folder, ports[0]), first) as one,
            serving(
                "two workers", ports[1], servers.capsule(large.folder, ports[1], 2), both
            ) as two,
        ):
            run.report.heading(f"{WHAT}, the visitors on the same cores")
            requests = run.sizes.requests
            run.compare(
                "signed-in game page, two workers to one",
                Side(two, lambda: [Request(pages[1], run.identity)] * (2 * requests), both, twice),
                Side(one, lambda: [Request(pages[0], run.identity)] * requests, first),
                1.7,
                shared=True,
            )
            run.compare(
                "mix, two workers to one",
                Side(two, lambda: mixes[1].requests(2 * requests), both, twice),
                Side(one, lambda: mixes[0].requests(requests), first),
                1.7,
                shared=True,
            )
