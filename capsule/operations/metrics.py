"""Metrics for Prometheus, over all processes of a capsule on one machine.

Each process counts in its own files, in a folder that the first one makes; a request for the
metrics gets the sums. The environment must name that folder before this module is imported, as
`capsule.processes.capsule.measuring` sees to.
"""

import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from socketserver import ThreadingMixIn
from threading import Lock, Thread
from time import monotonic
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, Counter, Histogram, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from capsule.db.database import Database
from capsule.db.faults import DatabaseFault
from capsule.db.migrating import version
from capsule.measurements import Answered, CannotMeasure, Measurements
from capsule.operations.overview import NoTables, Overview, overview

ADDRESS = "127.0.0.1"
"""The address of the metrics: this machine alone can read them."""

FRESH_SECONDS = 10.0
"""Seconds for which the numbers from the database are cached."""

REQUEST_SECONDS = 5.0
"""Seconds that a program has to ask, and to take each part of the answer."""

NO_PAGE = "none"
"""The page of a request that no page answered, such as one that was refused."""

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SLOW = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0, 20.0, 60.0)

# Each process counts in files, which `served` reads; no registry collects them.
_counter, _histogram = partial(Counter, registry=None), partial(Histogram, registry=None)

_REQUESTS = _counter(
    "oxonaut_requests",
    "Requests by the status of the response and the page that answered",
    ["status", "page"],
)
_REQUEST_SECONDS = _histogram(
    "oxonaut_request_seconds",
    "Seconds from the end of a request line to the response, by page",
    ["page"],
    buckets=QUICK,
)
_BYTES = _counter("oxonaut_response_bytes", "Bytes of responses")
_WAITING_SECONDS = _histogram(
    "oxonaut_task_waiting_seconds",
    "Seconds that bots' tasks waited for a process",
    ["task"],
    buckets=SLOW,
)
_THINKING_SECONDS = _histogram(
    "oxonaut_task_thinking_seconds",
    "Seconds that bots took for their tasks",
    ["task"],
    buckets=SLOW,
)
_FAILURES = _counter(
    "oxonaut_task_failures",
    "Tasks of bots that no process answered, or only with an error",
    ["task"],
)
_LETTERS = _counter(
    "oxonaut_letters", "Letters offered to the relay, by what became of them", ["outcome"]
)


class PrometheusMeasurements(Measurements):
    """Counts in the files of this process; every process may make one."""

    def answered(self, answered: Answered) -> None:
        """Count a request that has been answered."""
        page = answered.page or NO_PAGE
        _REQUESTS.labels(str(answered.status), page).inc()
        _REQUEST_SECONDS.labels(page).observe(answered.seconds)
        _BYTES.inc(answered.size)

    def thought(self, task: str, waited: float | None, seconds: float, *, has_answer: bool) -> None:
        """Count a task of a bot."""
        if waited is not None:
            _WAITING_SECONDS.labels(task).observe(waited)
        _THINKING_SECONDS.labels(task).observe(seconds)
        if not has_answer:
            _FAILURES.labels(task).inc()

    def mailed(self, outcome: str) -> None:
        """Count a letter that was offered to the relay."""
        _LETTERS.labels(outcome).inc()


@contextmanager
def served(port: int, database: Database) -> Iterator[None]:
    """Serve the metrics of all processes on a port of this machine; one process does so.

    Raises `CannotMeasure` if it cannot listen there.
    """
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # prometheus_client's
    registry.register(_Stored(database))
    app = make_wsgi_app(registry)
    with _named_refusal(port):
        server = make_server(ADDRESS, port, app, server_class=_Server, handler_class=_Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def require_free(port: int) -> None:
    """Raise `CannotMeasure` if `served` cannot listen at a port."""
    with _named_refusal(port):
        socket.create_server((ADDRESS, port)).close()


@contextmanager
def _named_refusal(port: int) -> Iterator[None]:
    """Raise an error of the system as a `CannotMeasure` that names the port."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise CannotMeasure(f"Cannot serve metrics on {ADDRESS}, port {port}: {reason}") from error


class _Server(ThreadingMixIn, WSGIServer):
    """A server with a thread for each request, which the end of the process does not wait for."""

    daemon_threads = True
    request_queue_size = 128


class _Handler(WSGIRequestHandler):
    """A request, which is not logged; a connection that asks nothing is closed after a while."""

    timeout = REQUEST_SECONDS

    def handle(self) -> None:
        """Answer the request."""
        with suppress(TimeoutError, ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Log nothing."""


class _Stored(Collector):
    """The numbers from the database, which are the same for all processes and machines."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._counted: tuple[float, Overview] | None = None

    def collect(self) -> Iterable[Metric]:
        """Yield the numbers, or only that the database cannot be read."""
        up = "oxonaut_database_up", "Whether the database can be read"
        try:
            found = self._overview()
        except (DatabaseFault, NoTables):
            yield GaugeMetricFamily(*up, value=0)
        else:
            yield GaugeMetricFamily(*up, value=1)
            yield from _families(found)
        yield GaugeMetricFamily(
            "oxonaut_storage_up",
            "Whether the database stores what it is given",
            value=float(self._database.storage.outage is None),
        )

    def _overview(self) -> Overview:
        with self._lock:
            now = monotonic()
            if self._counted is None or now - self._counted[0] > FRESH_SECONDS:
                self._counted = (now, overview(self._database))
            return self._counted[1]


def _families(found: Overview) -> Iterator[Metric]:
    about = GaugeMetricFamily(
        "oxonaut_info", "Always 1; what is served", labels=["version", "revision"]
    )
    about.add_metric([version(), found.revision], 1)
    yield about
    for name, help_text, value in (
        ("oxonaut_database_bytes", "Bytes of the database on the disk", found.database_size),
        ("oxonaut_players", "Players", found.players),
        ("oxonaut_bot_turns_waiting", "Games in which a bot is to move", found.bot_turns),
        ("oxonaut_analyses_waiting", "Games that are to be analysed", found.analyses),
        ("oxonaut_letters_waiting", "Letters that wait for the relay", found.letters),
    ):
        yield GaugeMetricFamily(name, help_text, value=value)
    games = GaugeMetricFamily("oxonaut_games", "Games", labels=["variant", "status"])
    started = CounterMetricFamily("oxonaut_games_started", "Games started", labels=["variant"])
    ended = CounterMetricFamily(
        "oxonaut_games_ended", "Games that are over", labels=["variant", "status"]
    )
    for (variant, status), number in found.games.items():
        games.add_metric([variant, status], number)
    for variant, number in found.created().items():
        started.add_metric([variant], number)
    for (variant, status), number in found.ended().items():
        ended.add_metric([variant, status], number)
    yield from (games, started, ended)
