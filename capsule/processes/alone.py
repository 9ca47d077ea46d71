"""One process that answers requests and also does the housekeeping.

Importing this loads Twisted's reactor.
"""

import gc
import logging
import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

from capsule.config import Config
from capsule.processes import worker
from capsule.processes.capsule import Capsule, Terminal
from capsule.processes.guarding import guarded
from capsule.processes.housekeeping import Housekeeping


def serve(
    capsule: Capsule, listening: socket.socket, log: logging.Logger, on_ready: Callable[[], None]
) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises the errors of `capsule.db.database.open_database`, `capsule.gemini.server.serve` and
    `capsule.processes.measuring.Metrics.served`, and `DatabaseDisplaced` if that ended it.
    """
    with (
        closing(capsule.open_database()) as database,
        guarded(database, log),
        capsule.metrics.served(database),
        capsule.storage_watched(database),
    ):
        capsule.prepare(database, log)
        # Objects made so far will stay, so the garbage collector need not examine them again.
        gc.freeze()
        config = capsule.settings.current
        context = capsule.context(database)
        housekeeping = Housekeeping(context, config.bot_processes, log)
        terminal = Terminal()

        def renew(config: Config) -> None:
            terminal.stop_if_closed()
            capsule.configure_log(config.log)
            housekeeping.resize(config.bot_processes)

        housekeeping.start()
        try:
            worker.serve(
                replace(context, bots=housekeeping),
                capsule.settings,
                listening,
                log,
                on_listening=on_ready,
                on_renewed=renew,
            )
        finally:
            housekeeping.stop()
