"""A process that answers requests: one of several, or the capsule's only one.

Importing this loads Twisted's reactor, so the supervisor does not.
"""

import logging
import socket
from collections.abc import Callable
from dataclasses import replace

from capsule.app import build_app
from capsule.config import Config
from capsule.context import AppContext
from capsule.gemini import server
from capsule.gemini.listening import ServerSettings
from capsule.gemini.types import Application
from capsule.mail import game_views
from capsule.processes.settings import RenewableSettings, server_settings


def serve(  # noqa: PLR0913 - each of them is the caller's
    context: AppContext,
    settings: RenewableSettings,
    listening: socket.socket,
    log: logging.Logger,
    *,
    on_listening: Callable[[], None],
    on_renewed: Callable[[Config], None],
) -> None:
    """Answer requests by the context, until SIGINT or SIGTERM; on SIGHUP, renew the settings.

    `on_renewed` is called with the new settings. Raises the errors of
    `capsule.gemini.server.serve`.
    """

    def renewed() -> tuple[ServerSettings, Application]:
        config = settings.renewed(log)
        on_renewed(config)
        context.newcomers.allow(config.new_players_per_hour)
        return server_settings(config), application(config)

    def application(config: Config) -> Application:
        return build_app(replace(context, origin=config.origin))

    with context.health.watched(), game_views.written(context.game_views, context.database, log):
        server.serve(
            server_settings(settings.current),
            application(settings.current),
            log,
            listening,
            on_listening=on_listening,
            measurements=context.measurements,
            renewed=renewed,
        )
