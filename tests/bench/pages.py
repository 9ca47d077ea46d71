"""The number of pages a second that the capsule serves: `python -m tests.bench.pages`.

Most figures are ratios of one run, of two servers that are asked in turn: machines are noisy. The
other is jetforce's bare hello-world with the same certificates, or what the table says. The parts
are `pages` (single pages, and moves), `mix` (a busy evening, and how long its requests take),
`workers` (two workers to one), `machines` (PostgreSQL and haproxy) and `memory`, which takes ten
minutes, and is measured only if it is asked for.
"""

import argparse
import tempfile
from dataclasses import fields
from pathlib import Path

from tests.bench import machines, memory, one_worker, workers
from tests.bench.load import PROCESSES, Load
from tests.bench.report import Report
from tests.bench.run import Run, Sizes
from tests.bench.servers import Cores, apart
from tests.support.wire.identities import make

PARTS = {
    "pages": one_worker.pages,
    "mix": one_worker.mix,
    "workers": workers.two_workers,
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


def main() -> None:
    """Measure, and print tables."""
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
        "--any-core", action="store_true", help="do not keep servers and visitors on cores apart"
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where databases are made")
    options = parser.parse_args()
    sizes = Sizes(**{field.name: getattr(options, field.name) for field in fields(Sizes)})
    parts = options.only or [part for part in PARTS if part != "memory" or options.memory]
    cores = Cores(None, None) if options.any_core else apart()
    report = Report(cores)
    report.begin(sizes.requests, sizes.rounds, PROCESSES)
    with tempfile.TemporaryDirectory(dir=options.folder) as name, Load() as load:
        folder = Path(name)
        run = Run(folder, sizes, cores, load, report, make(folder, "bench"))
        for part in parts:
            PARTS[part](run)
    report.end()


if __name__ == "__main__":
    main()
