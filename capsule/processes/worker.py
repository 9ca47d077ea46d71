"""A process that answers requests: one of several, or the only one, which does all other work, too.

Importing this loads Twisted's reactor, so the supervisor does not.
"""

import gc
import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

from capsule.app import build_app
from capsule.config import Config
from capsule.context import AppContext
from capsule.db.health import CHECK_SECONDS
from capsule.gemini import server
from capsule.gemini.listening import ServerSettings
from capsule.gemini.types import Application
from capsule.mail import game_views
from capsule.processes.capsule import Capsule, server_settings
from capsule.processes.guarding import guarded
from capsule.processes.housekeeping import Housekeeping
from capsule.repeating import repeated


def serve(capsule: Capsule, listening: socket.socket, on_ready: Callable[[], None]) -> None:
    """Answer requests and do the housekeeping in one process, until SIGINT or SIGTERM.

    Raises the errors of `capsule.db.database.open_database`, `capsule.gemini.server.serve` and
    `capsule.processes.capsule.Metrics.served`, and `DatabaseDisplaced` if that ended it.
    """
    with (
        closing(capsule.open_database()) as database,
        guarded(database, capsule.log),
        capsule.metrics.served(database),
        capsule.storage_watched(database),
    ):
        capsule.prepare(database)
        # Objects made so far will stay, so the garbage collector need not examine them again.
        gc.freeze()
        context = capsule.context(database)
        housekeeping = Housekeeping(context, capsule.current, capsule.log)
        context = replace(context, bots=housekeeping)
        with housekeeping.running():
            answer(capsule, context, listening, on_ready, housekeeping.renew)


def answer(
    capsule: Capsule,
    context: AppContext,
    listening: socket.socket,
    on_listening: Callable[[], None],
    on_renewed: Callable[[Config], None] = lambda _: None,
) -> None:
    """Answer requests by the context, until SIGINT or SIGTERM; on SIGHUP, renew the settings.

    `on_renewed` is called with the new settings. Raises the errors of
    `capsule.gemini.server.serve`.
    """
    current, log = capsule.current, capsule.log

    def renewed() -> tuple[ServerSettings, Application]:
        config = capsule.renew()
        on_renewed(config)
        context.newcomers.allow(config.new_players_per_hour)
        return server_settings(config), application(config)

    def application(config: Config) -> Application:
        return build_app(replace(context, origin=config.origin))

    health = repeated(context.health.check, CHECK_SECONDS)
    with health, game_views.written(context, log):
        server.serve(
            server_settings(current),
            application(current),
            log,
            listening,
            on_listening=on_listening,
            measurements=context.measurements,
            renewed=renewed,
        )
