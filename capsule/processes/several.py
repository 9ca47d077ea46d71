"""Workers that answer requests, a housekeeper and a mailer, under a supervisor."""

import gc
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
from capsule.measurements import CannotMeasure
from capsule.processes.capsule import Capsule
from capsule.processes.guarding import guarded, leave
from capsule.processes.housekeeping import Housekeeping, Mailing
from capsule.processes.supervisor import GIVE_UP, Signals, Supervisor, Task
from capsule.repeating import repeated
from capsule.timekeeping.watching import WATCH_SECONDS, watch


def serve(capsule: Capsule, listening: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises the errors of `capsule.db.database.open_database`, `CannotMeasure`, and
    `DatabaseDisplaced` if that ended it.
    """
    # Failures are raised here, once.
    with closing(capsule.open_database()) as database:
        capsule.prepare(database)
    sending, receiving = question_sockets()
    tasks: dict[str, Task] = {
        f"worker {number + 1}": partial(_work, capsule, listening, sending)
        for number in range(capsule.started.workers)
    }
    if capsule.started.mail:
        tasks["mailer"] = partial(_deliver, capsule, listening)
    tasks["housekeeper"] = partial(_keep_house, capsule, listening, receiving)
    write_ahead_log: OpenedFile | None = None

    def announce() -> None:
        nonlocal write_ahead_log
        if capsule.file is not None:
            # It is there by now, and is the same as long as any process has it open.
            write_ahead_log = opened_log(capsule.file.path)
        on_ready()

    def renew() -> bool:
        """Renew the settings for processes that start later; return whether they can be used."""
        try:
            capsule.renew()
        except CannotRenew as error:
            capsule.log.error("Nothing has been renewed: %s", error)  # noqa: TRY400 - no fault of ours
            return False
        return True

    # The processes share the memory of what is loaded, as long as nobody writes to it.
    gc.collect()
    gc.freeze()
    with sending, receiving:
        has_given_up = Supervisor(tasks, capsule.log, announce, renew).run()
    if has_given_up and capsule.file is not None:
        leave(capsule.file, write_ahead_log)


def _work(
    capsule: Capsule, listening: socket.socket, sending: socket.socket, on_ready: Callable[[], None]
) -> None:
    """Be a worker, in a separate process."""
    from capsule.processes import worker  # noqa: PLC0415 - it loads the reactor

    with _opened_database(capsule) as database:
        context = replace(capsule.context(database), bots=RemoteBots(sending))
        with repeated(partial(watch, context, capsule.log), WATCH_SECONDS):
            worker.answer(capsule, context, listening, on_ready)


def _keep_house(
    capsule: Capsule,
    listening: socket.socket,
    receiving: socket.socket,
    on_ready: Callable[[], None],
) -> None:
    """Be the housekeeper, in a separate process."""
    # Nobody is answered here, and the port is free as soon as all workers have stopped.
    listening.close()
    with (
        Signals() as signals,
        _opened_database(capsule) as database,
        capsule.metrics.served(database),
        capsule.storage_watched(database),
    ):
        context = capsule.context(database)
        housekeeping = Housekeeping(context, capsule.current, capsule.log)
        with housekeeping.running():
            Answering(receiving, housekeeping, capsule.log).start()
            on_ready()
            _obey(signals, capsule, housekeeping.renew)


def _deliver(capsule: Capsule, listening: socket.socket, on_ready: Callable[[], None]) -> None:
    """Be the mailer, in a separate process."""
    listening.close()
    with Signals() as signals, _opened_database(capsule) as database:
        context = capsule.context(database)
        mailing = Mailing(context, capsule.current, capsule.log)
        with repeated(partial(watch, context, capsule.log), WATCH_SECONDS), mailing.running():
            on_ready()
            _obey(signals, capsule, mailing.renew)


@contextmanager
def _opened_database(capsule: Capsule) -> Iterator[Database]:
    """Yield the open database, which is guarded.

    A process that cannot work ends with a line in the log; the next one may be able to.
    """
    try:
        with closing(capsule.open_database()) as database, guarded(database, capsule.log):
            yield database
    except DatabaseDisplaced:
        # The supervisor logs why, once.
        sys.exit(GIVE_UP)
    except (
        CannotOpen,
        CannotMeasure,
        CertificateError,
        DatabaseFault,
        SettingRefused,
        OSError,
    ) as error:
        capsule.log.error("A process could not start: %s", error)  # noqa: TRY400 - no fault of ours
        sys.exit(1)


def _obey(signals: Signals, capsule: Capsule, renew: Callable[[Config], None]) -> None:
    """Wait for the signal to stop; on SIGHUP, renew the settings."""
    while True:
        connection.wait([signals])  # type: ignore[list-item]  # whatever has a descriptor
        arrived = signals.arrived()
        if signal.SIGTERM in arrived or signal.SIGINT in arrived:
            return
        # The supervisor has checked them, and logged why they cannot be used.
        with suppress(CannotRenew):
            renew(capsule.renew())
