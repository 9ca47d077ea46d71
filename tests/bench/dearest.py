"""The dearest pages of the reactor's thread: `python -m tests.bench.dearest`.

The capsule has as much of everything as visitors can bring about. Each page that may be made where
everybody waits is made in several rounds, in each of which nothing is kept yet. The figures are the
least milliseconds of processor; none is to exceed 10 on a quiet machine.
"""

import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

from capsule.errors import WouldBlock
from capsule.gemini.types import Certificate, Request
from tests.support.client import Client
from tests.support.laden_capsule import PROGRAM, fill
from tests.support.stories import ALICE, CAROL

ROUNDS = 5

SHOWN = 15
"""Pages that are printed, of all that are made."""


def main() -> None:
    """Make every page in several rounds, and print the dearest."""
    with tempfile.TemporaryDirectory() as folder:
        client = Client(Path(folder))
        pages = fill(client).addresses
        for address in pages:
            client.ask(address, CAROL)
        costs: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(ROUNDS):
            client.restart()
            for address in pages:
                for who in (None, ALICE, PROGRAM):
                    name = who.common_name if who else "a visitor"
                    costs[address, name].append(milliseconds(client, address, who))
        client.database.close()
    for (address, name), taken in sorted(costs.items(), key=lambda each: -min(each[1]))[:SHOWN]:
        print(f"{min(taken):6.1f} ms: {address[:40]} for {name}")


def milliseconds(client: Client, address: str, who: Certificate | None) -> float:
    """Return what a page costs on the reactor's thread, or to leave it to another one."""
    path, _, query = address.partition("?")
    begun = time.process_time()
    with suppress(WouldBlock):
        client.application.handle(Request(path, query or None, who))
    return (time.process_time() - begun) * 1000


if __name__ == "__main__":
    main()
