"""The settings, the database and the metrics that all processes of a capsule share."""

import logging
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from tempfile import TemporaryDirectory

from capsule.app import build_context
from capsule.config import Config, SettingRefused, log_former_names
from capsule.context import AppContext
from capsule.db.backup import OpenedFile, opened_log
from capsule.db.database import Database, open_database
from capsule.db.health import CHECK_SECONDS, StorageWatch
from capsule.db.leases import leases_of, new_holder
from capsule.db.storage_health import StorageHealth
from capsule.games.maintenance import record_absences
from capsule.gemini import certificates
from capsule.gemini.listening import CannotListen, CannotRenew, ServerSettings
from capsule.languages import model
from capsule.mail.relay import relay_settings
from capsule.measurements import CannotMeasure, Measurements
from capsule.processes.serving import Note
from capsule.repeating import repeated
from capsule.ui.render import replaced_templates

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the environment in which prometheus_client finds the folder of its files."""


@dataclass(frozen=True)
class Metrics:
    """The metrics of a process and of those that it forks; by default nothing is recorded.

    `measurements` records single events. `served` returns a block during which the metrics are
    served at a port of this machine, by a thread; it may raise `CannotMeasure`.
    """

    measurements: Measurements = field(default_factory=Measurements)
    served: Callable[[Database], AbstractContextManager[None]] = lambda _: nullcontext()


@contextmanager
def measuring(port: int) -> Iterator[Metrics]:
    """Yield metrics that are served at a port, or none for port 0.

    They are sums over this process and those that it forks. Raises `CannotMeasure`, also if another
    program listens at the port.
    """
    if not port:
        yield Metrics()
        return
    with TemporaryDirectory(prefix="oxonaut-metrics-") as folder:
        # The library reads it when it is imported, which must not happen earlier.
        os.environ[FOLDER_VARIABLE] = folder
        try:
            from capsule.operations import metrics  # noqa: PLC0415
        except ImportError as error:
            raise CannotMeasure(
                "Metrics need the extra metrics. In the checkout that Oxonaut was installed from: "
                f"{sys.executable} -m pip install -c .ci/constraints.txt '.[metrics]'"
            ) from error
        metrics.require_free(port)
        yield Metrics(metrics.PrometheusMeasurements(), partial(metrics.served, port))


STANDARD_INPUT = 0

PATIENCE = 60.0
"""Seconds to wait for the database: both may start with the machine."""

ACCEPTS_PER_TURN = 50
SHARED_ACCEPTS_PER_TURN = 4
"""Connections that a worker accepts at a time; of several workers, an idle one accepts the rest."""

THREADS = 1
THREADS_ON_POSTGRESQL = 4
"""Threads that make pages: those that wait for PostgreSQL do not wait for one another.

On SQLite, they would only compete with the reactor's thread for the interpreter: under closed loops
for pages that take long, the front page took 7 ms with one thread, and 87 with two. What takes
longer than a page is a `Wait`, which has separate threads.
"""

FIXED = "home host port database workers proxy_protocol metrics_port plugins mail mail_from".split()
"""The settings that apply from one start to the next."""


def server_settings(config: Config) -> ServerSettings:
    """Return the settings of the server; its certificate is in `certs/` in the home folder."""
    folder = config.home / "certs"
    return ServerSettings(
        certificate=folder / certificates.CERTIFICATE_FILE,
        key=folder / certificates.KEY_FILE,
        hostname=config.hostname,
        host=config.host,
        port=config.port,
        public_port=config.public_port or None,
        proxy_protocol=config.proxy_protocol,
        rate=config.rate,
        burst=config.burst,
        threads=THREADS if config.database_file else THREADS_ON_POSTGRESQL,
        accepts_per_turn=ACCEPTS_PER_TURN if config.workers == 1 else SHARED_ACCEPTS_PER_TURN,
    )


def require_usable(config: Config) -> None:
    """Check that the capsule can serve under its name and with its certificate, and send mail.

    No relay is asked. Raises `CannotRenew`.
    """
    settings = server_settings(config)
    try:
        certificates.check_pair(settings.certificate, settings.key)
        settings.authority(config.port)
        if config.mail:
            relay_settings(config)
    except (certificates.CertificateError, CannotListen, SettingRefused, OSError) as error:
        raise CannotRenew(str(error)) from error


@dataclass
class Capsule:
    """The settings and metrics of a capsule, and the holder of its leases.

    `started` has the settings of the start, and `current` those of the last renewal, with the port
    that is listened on, even if the settings allow any. `read` reads the command line, the
    environment and the file again. `configure_log` has the log written in another form.

    `file` is that of the database, which all processes open, also those that are started later;
    None for PostgreSQL. They share the health of the `storage`, and the `note`, which one of
    them writes. If the capsule `has_terminal`, it stops when that is closed.
    """

    started: Config
    current: Config
    read: Callable[[], Config]
    metrics: Metrics
    configure_log: Callable[[str], None]
    note: Note
    file: OpenedFile | None
    log: logging.Logger = field(default_factory=lambda: logging.getLogger("oxonaut"))
    storage: StorageHealth = field(
        default_factory=lambda: StorageHealth(log=logging.getLogger("oxonaut"))
    )
    has_terminal: bool = field(default_factory=lambda: os.isatty(STANDARD_INPUT))
    holder: str = field(default_factory=lambda: new_holder(secrets.token_bytes))

    def renew(self) -> Config:
        """Read the settings again and return them; some apply only from the next start.

        The log says which of these differ, and what surprises visitors about the certificate.
        Raises `CannotRenew` if a setting is refused, or the certificate cannot be used; then the
        current settings stay. It also does if the terminal has been closed: then the process stops.
        """
        if self.has_terminal and not os.isatty(STANDARD_INPUT):
            os.kill(os.getpid(), signal.SIGTERM)
            raise CannotRenew("the terminal has been closed, so the capsule stops")
        try:
            config = self.read()
        except (SettingRefused, OSError) as error:
            raise CannotRenew(str(error)) from error
        log_former_names(config, self.log)
        for name in FIXED:
            if getattr(config, name) != getattr(self.started, name):
                self.log.warning("The setting %s changes at the next start", name)
        config = replace(config, **{name: getattr(self.current, name) for name in FIXED})
        require_usable(config)
        certificates.warn_of_surprises(
            server_settings(config).certificate, config.hostname, datetime.now(UTC)
        )
        self.configure_log(config.log)
        self.current = config
        return config

    def open_database(self) -> Database:
        """Open the database for this process; wait for a server that is starting.

        Raises the errors of `capsule.db.database.open_database`.
        """
        url = self.current.database_url
        database = open_database(url, PATIENCE, self.file)
        return replace(database, storage=self.storage)

    def storage_watched(self, database: Database) -> AbstractContextManager[None]:
        """Return a block that watches for outages of the storage, and writes them to the note.

        The write-ahead log of the database, which must have a connection, is written there first.
        One process does so for all.
        """
        if database.file is not None and (log := opened_log(database.file.path)) is not None:
            self.note.put_log(log)
        return repeated(StorageWatch(database, self.note.put_outage).check, CHECK_SECONDS)

    def prepare(self, database: Database) -> None:
        """Do once what comes before the first answer.

        Load the languages, and log which variants are absent and which templates are replaced.
        """
        model.load()
        for variant in sorted(record_absences(database, datetime.now(UTC))):
            self.log.warning("No plug-in adds %s: its games are not shown and stand still", variant)
        for line in replaced_templates():
            self.log.warning(line)

    def context(self, database: Database) -> AppContext:
        """Return the context of this process, without bots."""
        context = build_context(
            self.current, database, lambda: datetime.now(UTC), secrets.token_bytes
        )
        return replace(
            context,
            measurements=self.metrics.measurements,
            leases=leases_of(database, context.clock, self.holder),
        )
