"""The command line: `oxonaut serve` runs the capsule, `oxonaut admin` is its operator's.

`oxonaut ratings` computes ratings anew, `oxonaut arena` has bots play each other.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
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
from capsule.cli import admin, arena, ratings
from capsule.config import Config, SettingRefused, load
from capsule.db.database import CannotMigrate, open_database
from capsule.gemini import certificates, server
from capsule.sweeper import Sweeper
from engine.bots.hosting.match import Terms

if TYPE_CHECKING:
    from collections.abc import Sequence


WELCOME = """\
Oxonaut is open at {origin}/
Open that address in a Gemini browser: Lagrange, Amfora, Kristall, Elpher, Bombadillo or offpunk.
Database: {database}
Listening on {host}, port {port}
Press Ctrl-C to stop."""


SETTINGS = ("home", "host", "port", "hostname", "database")
"""The settings that a command line can give."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name and return its exit status."""
    given = vars(_parser().parse_args(arguments))
    command = given.pop("command")
    if command == "arena":
        as_json = given.pop("json")
        return arena.run(Terms(names=(given.pop("a"), given.pop("b")), **given), as_json=as_json)
    settings = {name: given.pop(name) for name in SETTINGS if name in given}
    try:
        config = load(settings, os.environ)
    except SettingRefused as error:
        sys.stderr.write(f"oxonaut: {error}\n")
        return 2
    if command == "ratings":
        return ratings.run(config, check=given["check"])
    return admin.run(config, given) if command == "admin" else serve(config)


def serve(config: Config) -> int:
    """Serve the capsule until it is told to stop; return the exit status."""
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(message)s")
    # A line for each migration is for those who write them.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    try:
        _serve(config)
    except (
        OSError,
        SQLAlchemyError,
        CannotMigrate,
        server.CannotListen,
        certificates.CertificateError,
    ) as error:
        sys.stderr.write(f"oxonaut: {error}\n")
        return 1
    return 0


def _serve(config: Config) -> None:
    config.home.mkdir(parents=True, exist_ok=True)
    certificate, key = certificates.ensure_server_certificate(
        config.home / "certs", config.hostname, datetime.now(UTC)
    )
    settings = server.ServerSettings(
        certificate=certificate,
        key=key,
        hostname=config.hostname,
        host=config.host,
        port=config.port,
        rate=config.rate,
        burst=config.burst,
    )
    with (
        server.open_socket(settings) as listening,
        closing(open_database(config.database_url, secrets.token_bytes)) as database,
    ):
        # Port 0 means any: which one it is must be known before the first page names it.
        config = replace(config, port=listening.getsockname()[1])
        # What the start has made stays: the garbage collector need not look through it for ever.
        gc.freeze()
        context = build_context(config, database, lambda: datetime.now(UTC), secrets.token_bytes)
        log = logging.getLogger("oxonaut")
        thinker = BotPool(context, config.thinkers, log)
        welcome = WELCOME.format(
            origin=config.origin,
            database=make_url(config.database_url),
            host=config.host,
            port=config.port,
        )
        timekeeper = Sweeper(context, log)
        thinker.start()
        timekeeper.start()
        try:
            server.serve(
                settings,
                build_app(replace(context, bots=thinker)),
                log,
                listening=listening,
                on_listening=lambda _port: print(welcome, flush=True),  # noqa: T201 - for people
            )
        finally:
            timekeeper.stop()
            thinker.stop()


def _parser() -> argparse.ArgumentParser:
    defaults = Config()
    parser = argparse.ArgumentParser(
        prog="oxonaut", description="A Gemini capsule for five descendants of noughts and crosses."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser(
        "serve",
        help="serve the capsule",
        description="Serve the capsule. Each option is also a setting of oxonaut.toml in the home "
        "folder, and of the environment with OXONAUT_ before its name in capitals.",
    )
    command.add_argument(
        "--home",
        metavar="DIR",
        help="folder of the database, certs/ and oxonaut.toml (default: the working directory)",
    )
    command.add_argument(
        "--host",
        metavar="ADDRESS",
        help=f"address to listen on (default: {defaults.host}, which is every IPv4 and IPv6 one)",
    )
    command.add_argument("--port", type=int, help=f"port (default: {defaults.port})")
    command.add_argument(
        "--hostname",
        metavar="NAME",
        help=f"the capsule's name in URLs (default: {defaults.hostname})",
    )
    command.add_argument(
        "--database",
        metavar="URL",
        help="SQLAlchemy URL of the database (default: oxonaut.db in the home folder)",
    )
    arena.add_arguments(
        commands.add_parser("arena", help="let bots play each other", description=arena.DESCRIPTION)
    )
    admin.add_arguments(
        commands.add_parser(
            "admin", help="see reports and act upon them", description=admin.DESCRIPTION
        )
    )
    command = commands.add_parser(
        "ratings", help="compute the ratings from the games", description=ratings.DESCRIPTION
    )
    admin.add_settings(command)
    command.add_argument(
        "--check",
        action="store_true",
        help="change nothing, and exit with 1 if anything differs",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
