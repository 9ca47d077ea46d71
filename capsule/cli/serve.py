"""`oxonaut serve`: serve the capsule until a signal stops it."""

import argparse
import json
import logging
import os
import secrets
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import sqlalchemy as sa

from capsule.cli.command import refused
from capsule.config import LOG_FORMS, Config, log_former_names
from capsule.db import backup, faults, upgrading
from capsule.gemini import certificates
from capsule.gemini.listening import CannotListen, CannotRenew, open_socket
from capsule.measurements import Answered, CannotMeasure
from capsule.processes import serving
from capsule.processes.capsule import PATIENCE, Capsule, measuring, require_usable, server_settings


def configure(form: str) -> None:
    """Send the log to standard output in a form, "text" or "json", from now on."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        JsonFormatter() if form == "json" else logging.Formatter("%(asctime)s %(message)s")
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # Only authors of migrations want a line for each.
    logging.getLogger("alembic").setLevel(logging.WARNING)


class JsonFormatter(logging.Formatter):
    """Formats each record as one line of JSON; an answered request has a member for each figure."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line: dict[str, str | int | float] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        if isinstance(record.msg, Answered):
            line |= {
                "event": "request",
                "status": record.msg.status,
                "page": record.msg.page,
                "path": record.msg.path,
                "bytes": record.msg.size,
                "milliseconds": round(record.msg.seconds * 1000, 3),
            }
        else:
            line |= {"event": "message", "message": record.getMessage()}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


DESCRIPTION = (
    "Serve the capsule. A database of an earlier release is migrated first; of a file, a copy is "
    "kept for 14 days. Each option but --migrate can also be set in oxonaut.toml in the home "
    "folder. In the environment its name is in capitals and begins with OXONAUT_."
)

WELCOME = """\
Oxonaut is open at {origin}/
Open that address in a Gemini browser: Lagrange, Amfora, Kristall, Elpher, Astronomo or offpunk.
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
        help="port in the capsule's URLs, if it listens on another one",
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
        "--workers",
        metavar="N",
        help="processes that answer requests, or auto: one per core "
        f"(default: {defaults.workers}, one process for everything, unless mail is set)",
    )
    parser.add_argument(
        "--log", choices=LOG_FORMS, help=f"the form of the log (default: {defaults.log})"
    )
    parser.add_argument(
        "--migrate",
        action="store_true",
        help="let a migration of PostgreSQL drop data; back the database up before",
    )


def run(config: Config, arguments: argparse.Namespace) -> int:
    """Serve the capsule until a signal stops it; return the exit status.

    It is `os.EX_CONFIG` if the file of the database was replaced or removed meanwhile.
    """
    configure(config.log)
    log_former_names(config, logging.getLogger("oxonaut"))
    try:
        _serve(config, arguments.read, may_drop=arguments.migrate)
    except faults.DatabaseDisplaced as error:
        return refused(error, os.EX_CONFIG)
    except (CannotMeasure, CannotListen, CannotRenew, certificates.CertificateError) as error:
        return refused(error)
    return 0


def _serve(config: Config, read: Callable[[], Config], *, may_drop: bool) -> None:
    config.home.mkdir(parents=True, exist_ok=True)
    path = config.database_file
    with serving.announced(config.home, datetime.now(UTC), alone=path is not None) as note:
        if config.has_emptied_database:
            raise faults.CannotOpen(
                f"{sa.make_url(config.database_url).database} is empty, though a capsule has "
                "served here: restore a backup, or delete the file to begin again"
            )
        _warn_of_displaced_copies(config)
        if not config.has_database:
            # Before the certificate, which says that a capsule has served: a first start that is
            # killed must not leave it beside an empty file.
            upgrading.upgrade_database(config.database_url, secrets.token_bytes)
        certificates.ensure_server_certificate(
            config.home / "certs", config.hostname, datetime.now(UTC)
        )
        require_usable(config)
        with (
            open_socket(server_settings(config)) as listening,
            measuring(config.metrics_port) as metrics,
        ):
            # Last: if this version cannot serve, the former one still can.
            upgrading.upgrade_database(
                config.database_url, secrets.token_bytes, patience=PATIENCE, may_drop=may_drop
            )
            file = backup.OpenedFile.at(path) if path is not None else None
            if file is not None:
                note.put_file(file)
            # Port 0 means any free port: the actual one must be known before a page names it.
            current = replace(config, port=listening.getsockname()[1])
            capsule = Capsule(config, current, read, metrics, configure, note, file)
            welcome = WELCOME.format(
                origin=current.origin,
                database=sa.make_url(config.database_url),
                host=config.host,
                port=current.port,
            )
            # Each is loaded only if it is needed: one loads Twisted's reactor, without which alone
            # the other can fork.
            if config.workers == 1 and not config.mail:
                from capsule.processes.worker import serve  # noqa: PLC0415 - see above
            else:
                from capsule.processes.several import serve  # noqa: PLC0415 - see above
            serve(capsule, listening, lambda: print(welcome, flush=True))  # noqa: T201 - for people


def _warn_of_displaced_copies(config: Config) -> None:
    """Log which copies of displaced databases lie beside the database.

    Raises `CannotOpen` if there is a copy, but no database.
    """
    path = config.database_file
    displaced = backup.displaced_copies(path) if path is not None else []
    if displaced and not config.has_database:
        raise faults.CannotOpen(
            f"There is no database at {path}, but {displaced[-1]} holds what was stored until one "
            "was replaced or removed: put it back with oxonaut restore, or move it elsewhere"
        )
    for copy in displaced:
        logging.getLogger("oxonaut").warning(
            "%s holds what was stored until the database was replaced or removed. Delete it once "
            "you do not need it",
            copy,
        )
