"""The load that servers are put under: processes of visitors, and what became of requests."""

import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from tests.bench import visitor
from tests.bench.servers import Server
from tests.bench.visitor import Order, Report
from tests.support.wire.identities import Identity

ROOT = Path(__file__).resolve().parents[2]

PROCESSES = 4
"""Visitors at once: enough to keep a server busy."""


class Request(NamedTuple):
    """A path to ask for, with whose certificate, and the status that the answer is to have.

    `fresh` stands for a certificate and a key that are made for this request alone.
    """

    path: str
    identity: Identity | None = None
    status: str = "20"
    fresh: bool = False


class WrongAnswer(Exception):
    """A server answered otherwise than it was to."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of requests.

    `seconds` passed from the first to the last; `visitors` and `server` are the seconds of
    processor that the two sides used, and `taken` the seconds that each request took, sorted.
    """

    requests: int
    seconds: float
    visitors: float
    server: float
    taken: Sequence[float]

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds

    def percentile(self, share: float) -> float:
        """Return the milliseconds within which that share of the requests was answered."""
        return self.taken[max(0, math.ceil(share * len(self.taken)) - 1)] * 1000


class Load:
    """Processes of visitors, who wait for orders until the end of the block."""

    def __init__(self, processes: int = PROCESSES) -> None:
        self._stack = ExitStack()
        self._processes = [
            self._stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", visitor.__name__],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    cwd=ROOT,
                )
            )
            for _ in range(processes)
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            # They may be in the middle of an order.
            for process in self._processes:
                process.kill()
        # Leaving closes each process's input, at whose end it stops, and waits for it.
        self._stack.close()

    def put(
        self,
        server: Server,
        requests: Sequence[Request],
        *,
        cores: Iterable[int] | None = None,
        a_second: float | None = None,
    ) -> Outcome:
        """Ask a server for all that is requested, and return what became of it.

        Each process asks for its share, one after the other; with `a_second`, requests begin at
        that steady rate, whether those before them have been answered or not. The processes use
        the `cores` alone, if they are given. Raises `WrongAnswer`.
        """
        busy = self._processes[: len(requests)]
        for number, process in enumerate(busy):
            due = None
            if a_second is not None:
                due = [each / a_second for each in range(len(requests))][number :: len(busy)]
            share = requests[number :: len(busy)]
            self._tell(process, json.dumps(_order(server.port, share, due, cores)))
        for process in busy:
            self._hear(process)
        used = server.processor()
        begin = time.monotonic() + 0.02
        for process in busy:
            self._tell(process, str(begin))
        reports = [Report(*json.loads(self._hear(process))) for process in busy]
        used = server.processor() - used
        wrong = [report.wrong for report in reports if report.wrong]
        if wrong:
            raise WrongAnswer(f"{server.name}: {wrong[0]}")
        return Outcome(
            len(requests),
            max(report.ended for report in reports) - min(report.began for report in reports),
            sum(report.processor for report in reports),
            used,
            sorted(seconds for report in reports for seconds in report.taken),
        )

    @staticmethod
    def _tell(process: subprocess.Popen[str], line: str) -> None:
        assert process.stdin is not None
        process.stdin.write(f"{line}\n")
        process.stdin.flush()

    @staticmethod
    def _hear(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline()


def _order(
    port: int, requests: Sequence[Request], due: Sequence[float] | None, cores: Iterable[int] | None
) -> Order:
    numbers: dict[tuple[str, str] | None, int] = {}
    asked = []
    for request in requests:
        who = request.identity
        files = (str(who.certificate), str(who.key)) if who else None
        number = numbers.setdefault(files, len(numbers))
        asked.append((request.path, visitor.FRESH if request.fresh else number, request.status))
    return Order(port, list(numbers), asked, due, None if cores is None else sorted(cores))


@dataclass(frozen=True)
class Side:
    """A server, and the requests of a round."""

    server: Server
    requests: Callable[[], Sequence[Request]]
    cores: Iterable[int] | None = None
    load: Load | None = None


@dataclass(frozen=True)
class Ratio:
    """The medians of two rates, and of their ratio, of rounds in which they were taken in turn.

    `by_processor` is the ratio of the processor time that the servers used, the other's to the
    one's: what the ratio of the rates is when nothing but the server's processor limits them, and
    steadier than that on a machine that others use. `server_ms` and `visitors_ms` are milliseconds
    of processor a request, the one's and the other's.
    """

    rate: float
    of: float
    ratio: float
    by_processor: float
    server_ms: tuple[float, float]
    visitors_ms: tuple[float, float]


def compare(load: Load, rounds: int, one: Side, other: Side) -> Ratio:
    """Put two servers under load in turn, the one first and the other first, and compare them."""
    sides = (one, other)

    def put(side: Side) -> Outcome:
        return (side.load or load).put(side.server, side.requests(), cores=side.cores)

    for side in sides:
        put(side)
    outcomes: tuple[list[Outcome], list[Outcome]] = ([], [])
    for number in range(rounds):
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            outcomes[which].append(put(sides[which]))
    servers, visitors = (
        [
            1000 * sum(getattr(each, part) for each in some) / sum(each.requests for each in some)
            for some in outcomes
        ]
        for part in ("server", "visitors")
    )
    return Ratio(
        *(statistics.median(outcome.rate for outcome in some) for some in outcomes),
        statistics.median(mine.rate / theirs.rate for mine, theirs in zip(*outcomes, strict=True)),
        servers[1] / servers[0] if servers[0] else math.nan,
        (servers[0], servers[1]),
        (visitors[0], visitors[1]),
    )
