"""The number of pages a second that the capsule serves: `python -m tests.bench.pages`.

Every figure is a ratio of one run, of two servers that are asked in turn: machines are noisy. The
other is jetforce's bare hello-world with the same certificates, or what the table says. The parts
are `pages` (single pages, and moves), `mix` (a busy evening, and how long its requests take),
`workers` (two workers to one), `peers` (other servers' static pages), `databases` (PostgreSQL to
SQLite), `machines` (PostgreSQL and haproxy) and `memory`, which takes ten minutes, and is measured
only if it is asked for.
"""

import argparse
import json
import os
import tempfile
from dataclasses import fields
from pathlib import Path

from tests.bench import databases, machines, memory, one_worker, static_pages, workers
from tests.bench.load import PROCESSES, Load
from tests.bench.report import Report
from tests.bench.run import Run, Sizes
from tests.bench.servers import Cores, apart
from tests.support.wire.identities import make

PARTS = {
    "pages": one_worker.pages,
    "mix": one_worker.mix,
    "workers": workers.two_workers,
    "peers": static_pages.static_pages,
    "databases": databases.databases,
    "machines": machines.machines,
    "memory": memory.memory,
}

DESCRIPTIONS = {
    "requests": "requests a round",
    "rounds": "rounds, of which medians are printed",
    "games": "games stored, a hundred for each player",
    "mix_games": "games of the mix",
    "players": "players of the mix",
    "evening": "requests of the mix that have come before it is measured",
    "fresh": "fresh certificates while the memory is watched",
}


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print tables; with `--json`, also the figures for programs."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pages", description=__doc__)
    for field in fields(Sizes):
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            type=int,
            default=field.default,
            metavar="N",
            help=f"{DESCRIPTIONS[field.name]} (default: %(default)s)",
        )
    parser.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help="these parts")
    parser.add_argument("--memory", action="store_true", help="also the part `memory`")
    parser.add_argument(
        "--peers",
        type=Path,
        metavar="DIR",
        help="folder of gmcapsule's and nauyaca's virtual environments, made if missing",
    )
    parser.add_argument(
        "--any-core", action="store_true", help="do not keep servers and visitors on cores apart"
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where databases are made")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON at the end")
    options = parser.parse_args(arguments)
    sizes = Sizes(**{field.name: getattr(options, field.name) for field in fields(Sizes)})
    parts = options.only or [part for part in PARTS if part != "memory" or options.memory]
    cores = Cores(None, None) if options.any_core else apart()
    report = Report(cores)
    report.begin(sizes.requests, sizes.rounds, PROCESSES)
    with tempfile.TemporaryDirectory(dir=options.folder) as name, Load() as load:
        folder = Path(name)
        peers = options.peers or folder / "environments"
        peers.mkdir(exist_ok=True)
        identity = make(folder, "bench")
        run = Run(folder, sizes, cores, load, report, identity, peers.resolve())
        for part in parts:
            PARTS[part](run)
    report.end()
    if options.json:
        print(json.dumps({"cores": os.cpu_count(), "figures": report.figures}, indent=2))


if __name__ == "__main__":
    main()
