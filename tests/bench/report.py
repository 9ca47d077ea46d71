"""The report of the benchmark of pages: a line for each figure."""

import os
import platform
import sys
from dataclasses import dataclass

from tests.bench.load import Ratio
from tests.bench.servers import Cores

WIDTH = 46

HEADER = (
    f"{'':<{WIDTH}} {'a sec.':>7} {'to':>7} {'ratio':>6} {'aim':>5}"
    f" {'by CPU':>6} {'CPU ms':>7} {'to':>5} {'visitors':>8}"
)


@dataclass(frozen=True)
class Report:
    """A report of which each line is printed at once."""

    cores: Cores

    def begin(self, requests: int, rounds: int, processes: int) -> None:
        """Print how the figures are measured."""
        version = sys.implementation.name, platform.python_version()
        print(
            f"{version[0]} {version[1]}, {os.cpu_count()} cores, {self.cores}.\n"
            f"Load average {_loads()} before this began: other programs' work.\n"
            "Every request is a connection of its own with a full TLS handshake on P-256, by "
            f"{processes} processes of visitors.\n"
            f"Medians of {rounds} rounds of {requests} requests, the two sides in turn. `CPU ms` "
            "is what each server used of its processor\nfor a request, and the visitors for one of "
            "the first; `by CPU` is the ratio of those two, which others' work\nhardly touches. "
            "What is marked * was limited by the visitors: a server could have answered more.",
            flush=True,
        )

    def heading(self, text: str) -> None:
        """Begin a table."""
        print(f"\n{text}\n{HEADER}", flush=True)

    def ratio(
        self, what: str, figure: Ratio, aim: float | None = None, *, shared: bool = False
    ) -> None:
        """Report a ratio, and whether it reaches its aim.

        The cores are `shared` if the two sides' servers and visitors were not kept apart.
        """
        limited = (False, False) if shared else self._limited(figure)
        one, other = (
            f"{rate:7.1f}{'*' if limit else ' '}"
            for rate, limit in zip((figure.rate, figure.of), limited, strict=True)
        )
        print(
            f"{what:<{WIDTH}} {one}{other}{figure.ratio:6.2f} "
            f"{'' if aim is None else format(aim, '.2f'):>5} {figure.by_processor:6.2f} "
            f"{figure.server_ms[0]:7.2f} {figure.server_ms[1]:5.2f} {figure.visitors_ms[0]:8.2f}"
            f"{_verdict(short=aim is not None and figure.ratio < aim)}",
            flush=True,
        )

    def _limited(self, figure: Ratio) -> tuple[bool, bool]:
        """Return for each side whether its visitors had more to do than its server."""
        if self.cores.server is None or self.cores.visitors is None:
            return False, False
        share = len(self.cores.server) / len(self.cores.visitors)
        one, other = zip(figure.visitors_ms, figure.server_ms, strict=True)
        return one[0] * share > one[1], other[0] * share > other[1]

    def quantity(self, what: str, amount: float, unit: str, most: float | None = None) -> None:
        """Report a quantity, and whether it is more than it may be."""
        aimed = "" if most is None else f", at most {most:g}"
        short = most is not None and amount > most
        print(f"{what:<{WIDTH}} {amount:7.1f} {unit}{aimed}{_verdict(short=short)}", flush=True)

    def note(self, what: str, why: str) -> None:
        """Report why there is no figure."""
        print(f"{what:<{WIDTH}} not measured: {why}", flush=True)

    def end(self) -> None:
        """Print how busy the machine was."""
        print(f"\nLoad average {_loads()} at the end, this included.")


def _verdict(*, short: bool) -> str:
    return "  SHORT" if short else ""


def _loads() -> str:
    return ", ".join(f"{each:.1f}" for each in os.getloadavg())
