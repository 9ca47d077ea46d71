"""Workers that answer requests, a housekeeper and a mailer, under a supervisor."""

import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import connection

from capsule.bots.pool import Answering, RemoteBots, question_sockets
from capsule.config import Config, SettingRefused
from capsule.db.database import Database
from capsule.db.displacement import OpenedFile, opened_log
from capsule.db.faults import CannotOpen, DatabaseDisplaced, DatabaseFault
from capsule.gemini.certificates import CertificateError
from capsule.gemini.listening import CannotRenew
from capsule.processes.capsule import Capsule, Terminal
from capsule.processes.guarding import guarded, leave
from capsule.processes.housekeeping import Housekeeping, Mailing
from capsule.processes.measuring import CannotMeasure
from capsule.processes.supervisor import GIVE_UP, ProcessSpec, Signals, Supervisor
from capsule.timekeeping.watching import start_watching


class _Current:
    """The settings that processes start with: those of the last renewal."""

    def __init__(self, capsule: Capsule, log: logging.Logger) -> None:
        self.capsule = capsule
        self._log = log
        self._terminal = Terminal()

    def renew(self) -> bool:
        """Renew the settings; return whether they can be used, and log a line if not."""
        settings = self.capsule.settings
        try:
            self._terminal.stop_if_closed()
            config = settings.renewed(self._log)
        except CannotRenew as error:
            self._log.error("Nothing has been renewed: %s", error)
            return False
        self.capsule.configure_log(config.log)
        self.capsule = replace(self.capsule, settings=replace(settings, current=config))
        return True


def serve(
    capsule: Capsule, listening: socket.socket, log: logging.Logger, on_ready: Callable[[], None]
) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises the errors of `capsule.db.database.open_database`, `CannotMeasure`, and
    `DatabaseDisplaced` if that ended it.
    """
    # Failures show here, once.
    with closing(capsule.open_database()) as database:
        capsule.prepare(database, log)
    capsule.metrics.check()
    sending, receiving = question_sockets()
    current = _Current(capsule, log)
    specs = [
        ProcessSpec(f"worker {number + 1}", partial(_work, current, listening, sending, log))
        for number in range(capsule.settings.started.workers)
    ]
    if capsule.settings.started.mail:
        specs.append(ProcessSpec("mailer", partial(_deliver, current, listening, log)))
    specs.append(
        ProcessSpec("housekeeper", partial(_keep_house, current, listening, receiving, log))
    )
    write_ahead_log: OpenedFile | None = None

    def announce() -> None:
        nonlocal write_ahead_log
        if capsule.file is not None:
            # It is there by now, and is the same as long as any process has it open.
            write_ahead_log = opened_log(capsule.file.path)
        on_ready()

    # The processes share the memory of what is loaded, as long as nobody writes to it.
    gc.collect()
    gc.freeze()
    with sending, receiving:
        has_given_up = Supervisor(specs, log, announce, current.renew).run()
    if has_given_up and capsule.file is not None:
        leave(capsule.file, write_ahead_log)


def _work(
    current: _Current,
    listening: socket.socket,
    sending: socket.socket,
    log: logging.Logger,
    on_ready: Callable[[], None],
) -> None:
    """Be a worker, in a separate process."""
    from capsule.processes import worker  # noqa: PLC0415 - it loads the reactor

    capsule = current.capsule
    with _opened_database(capsule, log) as database:
        context = replace(capsule.context(database), bots=RemoteBots(sending))
        start_watching(context, log)
        worker.serve(
            context,
            capsule.settings,
            listening,
            log,
            on_listening=on_ready,
            on_renewed=lambda config: capsule.configure_log(config.log),
        )


def _keep_house(
    current: _Current,
    listening: socket.socket,
    receiving: socket.socket,
    log: logging.Logger,
    on_ready: Callable[[], None],
) -> None:
    """Be the housekeeper, in a separate process."""
    # Nobody is answered here, and the port is free as soon as all workers have stopped.
    listening.close()
    capsule = current.capsule
    with (
        Signals() as signals,
        _opened_database(capsule, log) as database,
        capsule.metrics.served(database),
        capsule.storage_watched(database),
    ):
        bot_processes = capsule.settings.current.bot_processes
        housekeeping = Housekeeping(capsule.context(database), bot_processes, log)
        housekeeping.start()
        Answering(receiving, housekeeping, log).start()
        on_ready()
        try:
            _wait_for_the_end(
                signals, capsule, log, lambda config: housekeeping.resize(config.bot_processes)
            )
        finally:
            housekeeping.stop()


def _deliver(
    current: _Current, listening: socket.socket, log: logging.Logger, on_ready: Callable[[], None]
) -> None:
    """Be the mailer, in a separate process."""
    listening.close()
    capsule = current.capsule
    with Signals() as signals, _opened_database(capsule, log) as database:
        context = capsule.context(database)
        start_watching(context, log)
        mailing = Mailing(context, capsule.settings.current, log)
        mailing.start()
        on_ready()
        try:
            _wait_for_the_end(signals, capsule, log, mailing.renew)
        finally:
            mailing.stop()


@contextmanager
def _opened_database(capsule: Capsule, log: logging.Logger) -> Iterator[Database]:
    """Yield the open database, which is guarded.

    A process that cannot work ends with a line in the log; the next one may be able to.
    """
    try:
        with closing(capsule.open_database()) as database, guarded(database, log):
            yield database
    except DatabaseDisplaced:
        # The supervisor says why, once.
        sys.exit(GIVE_UP)
    except (
        CannotOpen,
        CannotMeasure,
        CertificateError,
        DatabaseFault,
        SettingRefused,
        OSError,
    ) as error:
        log.error("A process could not start: %s", error)  # noqa: TRY400 - no fault of ours
        sys.exit(1)


def _wait_for_the_end(
    signals: Signals, capsule: Capsule, log: logging.Logger, on_renewed: Callable[[Config], None]
) -> None:
    """Wait for the signal to stop; on SIGHUP, renew the settings."""
    while True:
        connection.wait([signals])  # type: ignore[list-item]  # whatever has a descriptor
        arrived = signals.arrived()
        if signal.SIGTERM in arrived or signal.SIGINT in arrived:
            return
        # The supervisor, which has checked them, has said why if not.
        with suppress(CannotRenew):
            config = capsule.settings.renewed(log)
            capsule.configure_log(config.log)
            on_renewed(config)
