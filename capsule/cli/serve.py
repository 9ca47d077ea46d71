"""`oxonaut serve`: serve the capsule until it is told to stop."""

from __future__ import annotations

import gc
import logging
import secrets
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from capsule.app import build_app, build_context
from capsule.bots.pool import BotPool
from capsule.cli import logs, serving
from capsule.cli.measuring import CannotMeasure, measuring
from capsule.config import LOG_FORMS, Config
from capsule.db.database import open_database
from capsule.db.engines import CannotOpen
from capsule.db.faults import DatabaseFault
from capsule.gemini import certificates, server
from capsule.sweeper import Sweeper

if TYPE_CHECKING:
    import argparse

DESCRIPTION = (
    "Serve the capsule. Each option can also be set in oxonaut.toml in the home folder, and in the "
    "environment by its name in capitals with the prefix OXONAUT_."
)
"""The command's description in its help."""

WELCOME = """\
Oxonaut is open at {origin}/
Open that address in a Gemini browser: Lagrange, Amfora, Kristall, Elpher, Bombadillo or offpunk.
Database: {database}
Listening on {host}, port {port}
Press Ctrl-C to stop."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser, with the names of the settings."""
    defaults = Config()
    parser.add_argument(
        "--home",
        metavar="DIR",
        help="folder of the database, certs/ and oxonaut.toml (default: the working directory)",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help=f"address to listen on (default: {defaults.host}, every IPv4 and IPv6 address)",
    )
    parser.add_argument("--port", type=int, help=f"port (default: {defaults.port})")
    parser.add_argument(
        "--hostname",
        metavar="NAME",
        help=f"the capsule's name in URLs (default: {defaults.hostname})",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="SQLAlchemy URL of the database (default: oxonaut.db in the home folder)",
    )
    parser.add_argument(
        "--public-port",
        type=int,
        metavar="PORT",
        help="the port in the capsule's URLs, if it is not the one that it listens on",
    )
    parser.add_argument(
        "--proxy-protocol",
        action="store_true",
        default=None,
        help="take visitors' addresses from a balancer, by the PROXY protocol",
    )
    parser.add_argument(
        "--metrics-port",
        type=int,
        metavar="PORT",
        help="serve metrics for Prometheus on this port of 127.0.0.1 (default: none)",
    )
    parser.add_argument(
        "--log", choices=LOG_FORMS, help=f"the form of the log (default: {defaults.log})"
    )


def run(config: Config) -> int:
    """Serve the capsule until it is told to stop; return the exit status."""
    logs.configure(config.log)
    try:
        _serve(config)
    except (
        OSError,
        SQLAlchemyError,
        CannotOpen,
        CannotMeasure,
        DatabaseFault,
        server.CannotListen,
        certificates.CertificateError,
    ) as error:
        sys.stderr.write(f"oxonaut: {error}\n")
        return 1
    return 0


def _serve(config: Config) -> None:
    config.home.mkdir(parents=True, exist_ok=True)
    if config.has_emptied_database:
        raise CannotOpen(
            f"{make_url(config.database_url).database} is empty, though a capsule has served here: "
            "restore a backup, or delete the file to begin anew"
        )
    certificate, key = certificates.ensure_server_certificate(
        config.home / "certs", config.hostname, datetime.now(UTC)
    )
    settings = server.ServerSettings(
        certificate=certificate,
        key=key,
        hostname=config.hostname,
        host=config.host,
        port=config.port,
        public_port=config.public_port or None,
        proxy_protocol=config.proxy_protocol,
        rate=config.rate,
        burst=config.burst,
    )
    with (
        server.open_socket(settings) as listening,
        serving.noted(config.home, datetime.now(UTC)),
        closing(open_database(config.database_url, secrets.token_bytes)) as database,
        measuring(config.metrics_port, database) as measurements,
    ):
        # Port 0 means any free port: the actual one must be known before a page names it.
        config = replace(config, port=listening.getsockname()[1])
        # Objects made so far will stay, so the garbage collector need not examine them again.
        gc.freeze()
        context = replace(
            build_context(config, database, lambda: datetime.now(UTC), secrets.token_bytes),
            measurements=measurements,
        )
        log = logging.getLogger("oxonaut")
        pool = BotPool(context, config.thinkers, log)
        sweeper = Sweeper(context, log)
        welcome = WELCOME.format(
            origin=config.origin,
            database=make_url(config.database_url),
            host=config.host,
            port=config.port,
        )
        pool.start()
        sweeper.start()
        try:
            server.serve(
                settings,
                build_app(replace(context, bots=pool)),
                log,
                listening=listening,
                measurements=measurements,
                on_listening=lambda _port: print(welcome, flush=True),  # noqa: T201 - for people
            )
        finally:
            sweeper.stop()
            pool.stop()
