"""Workers that answer requests, a housekeeper and a mailer, under a supervisor.

The supervisor starts the others, replaces those that die, and stops them together. It has one
thread and no reactor, so that it can fork: a forked process is ready at once, shares the memory of
the loaded modules, and runs the same version however long after the start.
"""

import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from time import monotonic
from typing import Self, TypeAlias

from capsule.bots.pool import Answering, RemoteBots, question_sockets
from capsule.config import Config, SettingRefused
from capsule.db.backup import OpenedFile, opened_log
from capsule.db.database import Database
from capsule.db.faults import CannotOpen, DatabaseDisplaced, DatabaseFault
from capsule.gemini.certificates import CertificateError
from capsule.gemini.listening import CannotRenew
from capsule.measurements import CannotMeasure
from capsule.processes.capsule import Capsule
from capsule.processes.guarding import guarded, leave
from capsule.processes.housekeeping import Housekeeping, Mailing
from capsule.repeating import repeated
from capsule.timekeeping.watching import WATCH_SECONDS, watch

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """The signals to this process, stored until `arrived` returns them.

    A caller can wait for it as for a file. Only the main thread may use it.
    """

    def __enter__(self) -> Self:
        """Store signals from now on."""
        self._reading, self._writing = socket.socketpair()
        for end in (self._reading, self._writing):
            end.settimeout(0)
        signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        for number in NUMBERS:
            # The reader of the descriptor handles it.
            signal.signal(number, lambda *_: None)
        return self

    def __exit__(self, *_error: object) -> None:
        """Restore the default handlers of the signals."""
        restore_handlers()
        self._reading.close()
        self._writing.close()

    def fileno(self) -> int:
        """Return the descriptor that can be read from when a signal has arrived."""
        return self._reading.fileno()

    def arrived(self) -> Sequence[int]:
        """Return the numbers of the signals that have arrived since the last call."""
        try:
            return self._reading.recv(4096)
        except BlockingIOError:
            return ()


def restore_handlers() -> None:
    """Restore the default handlers of the signals; a forked process must do this first."""
    signal.set_wakeup_fd(-1)
    for number in NUMBERS:
        signal.signal(number, signal.SIG_DFL)


AT_ONCE_SECONDS = 5.0
"""A process that lives for less time counts as one that died at once."""

FIRST_PAUSE_SECONDS = 0.25
MAX_PAUSE_SECONDS = 30.0
"""Seconds before a process that never was ready is replaced; each time there are twice as many."""

GIVE_UP = os.EX_CONFIG
"""The exit status of a process that no successor could replace: all others stop, too."""

GRACE_SECONDS = 30.0
"""Seconds that the processes have to stop before they are killed."""


Task: TypeAlias = Callable[[Callable[[], None]], None]
"""The work of a process until SIGTERM; it calls its argument once it is ready."""


@dataclass
class _Slot:
    """A place for the process of a task, and the process, if there is one."""

    name: str
    task: Task
    process: ForkProcess | None = None
    # The supervisor's end of a pipe. A message on it says that the process is ready; the process
    # knows by its closing that the supervisor has gone.
    line: Connection | None = None
    is_ready: bool = False
    started_at: float = 0.0
    pause: float = 0.0
    due_at: float = field(default_factory=monotonic)
    # The status with which the last process ended.
    status: int | None = None


class Supervisor:
    """Runs a process for each task, by its name, and lets the last one outlive the others.

    `on_ready` is called once all are ready for the first time, and `renew` on SIGHUP: the
    processes get SIGHUP, too, if it returns True.
    """

    def __init__(
        self,
        tasks: Mapping[str, Task],
        log: logging.Logger,
        on_ready: Callable[[], None],
        renew: Callable[[], bool],
    ) -> None:
        self._slots = [_Slot(name, task) for name, task in tasks.items()]
        self._log = log
        self._on_ready = on_ready
        self._renew = renew
        self._is_announced = False
        self._stop_until: float | None = None

    def run(self) -> bool:
        """Run the processes until SIGINT or SIGTERM, and stop them.

        They also stop if one ends with the status `GIVE_UP`. Returns whether one did.
        """
        _require_forkable()
        with Signals() as signals:
            while self._stop_until is None or self._running():
                self._fill_slots()
                self._wait(signals)
                for number in signals.arrived():
                    self._obey(number)
                self._clear_slots()
                self._hurry()
        return any(slot.status == GIVE_UP for slot in self._slots)

    def _running(self) -> Sequence[_Slot]:
        return [slot for slot in self._slots if slot.process is not None]

    def _fill_slots(self) -> None:
        now = monotonic()
        for slot in self._slots:
            if slot.process is None and self._stop_until is None and slot.due_at <= now:
                self._start(slot)

    def _start(self, slot: _Slot) -> None:
        context = get_context("fork")
        slot.line, line = context.Pipe()
        lines = [other.line for other in self._slots if other.line is not None]
        slot.process = context.Process(target=_carry_out, args=(slot.task, line, lines))
        # Until the process has forgotten the supervisor's signal handlers, none may arrive there.
        with _signals_blocked(), line:
            slot.process.start()
        slot.is_ready, slot.started_at = False, monotonic()
        if slot.status is not None:
            self._log.warning("The %s ended with status %s and is replaced", slot.name, slot.status)

    def _wait(self, signals: Signals) -> None:
        """Wait until something has happened, or it is time to fill a slot."""
        awaited: list[object] = [signals]
        awaited += [slot.process.sentinel for slot in self._slots if slot.process is not None]
        awaited += [slot.line for slot in self._slots if slot.line and not slot.is_ready]
        if self._stop_until is not None:
            until = [self._stop_until]
        else:
            until = [slot.due_at for slot in self._slots if slot.process is None]
        timeout = max(0.0, min(until) - monotonic()) if until else None
        connection.wait(awaited, timeout)  # type: ignore[arg-type]  # whatever has a descriptor

    def _obey(self, number: int) -> None:
        if number == signal.SIGHUP:
            if self._stop_until is None and self._renew():
                self._send(signal.SIGHUP, self._slots)
        elif self._stop_until is None:
            self._stop()
        elif number == signal.SIGINT:
            # A second SIGINT stops without waiting for pending responses.
            self._send(signal.SIGINT, self._slots[:-1])

    def _stop(self) -> None:
        self._stop_until = monotonic() + GRACE_SECONDS
        self._send(signal.SIGTERM, self._slots[:-1])

    def _clear_slots(self) -> None:
        for slot in self._slots:
            if slot.line is not None and not slot.is_ready:
                with suppress(EOFError, OSError):
                    slot.is_ready = slot.line.poll() and slot.line.recv()
            if slot.process is not None and not slot.process.is_alive():
                self._clear(slot, slot.process)
        if not self._is_announced and all(slot.is_ready for slot in self._slots):
            self._is_announced = True
            self._on_ready()

    def _clear(self, slot: _Slot, process: ForkProcess) -> None:
        slot.status = process.exitcode
        process.close()
        if slot.line is not None:
            slot.line.close()
        slot.process = slot.line = None
        if slot.status == GIVE_UP and self._stop_until is None:
            self._stop()
        if self._stop_until is not None:
            return
        now = monotonic()
        slot.pause = pause_after(now - slot.started_at, slot.pause, was_ready=slot.is_ready)
        slot.due_at = now + slot.pause

    def _hurry(self) -> None:
        """While stopping: stop the last process when it is alone, and kill late ones."""
        if self._stop_until is None:
            return
        running = self._running()
        if monotonic() >= self._stop_until:
            self._send(signal.SIGKILL, running)
        elif running == self._slots[-1:]:
            self._send(signal.SIGTERM, running)

    def _send(self, number: int, slots: Sequence[_Slot]) -> None:
        for slot in slots:
            if slot.process is not None and slot.process.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(slot.process.pid, number)


def pause_after(lived: float, pause: float, *, was_ready: bool) -> float:
    """Return the seconds before a process is replaced that lived for `lived` seconds.

    `pause` are those before it was started itself. They grow while processes die before they are
    ready; one that was is replaced soon, however short its life.

    >>> [pause_after(lived, 20, was_ready=True) for lived in (60, 1)]
    [0.0, 0.25]
    >>> [pause_after(1, pause, was_ready=False) for pause in (0, 0.25, 20)]
    [0.25, 0.5, 30.0]
    """
    if was_ready:
        return 0.0 if lived >= AT_ONCE_SECONDS else FIRST_PAUSE_SECONDS
    return min(MAX_PAUSE_SECONDS, max(FIRST_PAUSE_SECONDS, 2 * pause))


def _require_forkable() -> None:
    # A lock that another thread holds would stay locked in a forked process, and processes that
    # share a reactor take each other's events.
    if threading.active_count() > 1 or "twisted.internet.reactor" in sys.modules:
        raise RuntimeError("a process with other threads or a reactor cannot supervise")


@contextmanager
def _signals_blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _carry_out(task: Task, line: Connection, lines: Sequence[Connection]) -> None:
    """Carry out a task, in a separate process."""
    # Ctrl-C is for the supervisor, which has its processes stop itself.
    os.setsid()
    for other in lines:
        other.close()
    restore_handlers()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, NUMBERS)
    threading.Thread(target=_stop_with_supervisor, args=(line,), daemon=True).start()
    task(lambda: line.send(True))  # noqa: FBT003 - a message


def _stop_with_supervisor(line: Connection) -> None:
    """Wait for the end of the supervisor, and then stop."""
    with suppress(EOFError, OSError):
        line.recv()
    os.kill(os.getpid(), signal.SIGTERM)


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


_EXPECTED = CannotOpen, CannotMeasure, CertificateError, DatabaseFault, SettingRefused, OSError
"""The errors that may keep a process from working, and are no faults of the capsule."""


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
    except _EXPECTED as error:
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
