"""`oxonaut status`: how much there is of everything, and whether a capsule serves."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import sqlalchemy as sa

from capsule.cli.command import add_database_arguments
from capsule.config import Config
from capsule.db import files
from capsule.db.database import connect
from capsule.db.migrating import newest_revision, version
from capsule.db.storage_health import in_words
from capsule.games.model import GameStatus
from capsule.operations.overview import Overview, overview
from capsule.processes import serving

DESCRIPTION = (
    "Print the numbers of players, games and waiting tasks, and whether a capsule serves on the "
    "home folder. Nothing is changed. The database may be of an older version."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    add_database_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print an object for programs")


def run(config: Config, arguments: argparse.Namespace) -> int:
    """Print the numbers and return the exit status."""
    # Opened as it is: a newer version must not migrate it before it is started.
    opened = serving.opened_file(config)
    with closing(connect(config.database_url, opened=opened)) as database:
        found = overview(database)
    who = serving.who_serves(config.home)
    if arguments.json:
        sys.stdout.write(f"{json.dumps(_values(config, found, who))}\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lines(config, found, who))
    return 0


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def _lines(config: Config, found: Overview, who: serving.Serving | None) -> Iterator[str]:
    yield f"Oxonaut {version()}"
    yield _serving(who)
    if who and who.outage:
        yield f"Nothing can be stored since {in_words(who.outage.since)}: {who.outage.reason}"
    warning = config.database_file and files.storage_warning(config.database_file)
    if warning:
        yield f"Warning: {warning}"
    size = found.database_size / files.MEGABYTE
    yield f"Database: {sa.make_url(config.database_url)}, {size:.1f} MB"
    newest = newest_revision()
    ahead = "" if found.revision == newest else f"; this version has {newest}"
    yield f"Revision: {found.revision}{ahead}"
    yield f"Players: {found.players}"
    waiting = found.with_status(GameStatus.WAITING, GameStatus.CHALLENGED)
    yield (
        f"Games: {found.all_games}; being played: {found.with_status(GameStatus.PLAYING)}, "
        f"waiting for an opponent: {waiting}"
    )
    yield f"Bots' turns in the queue: {found.bot_turns}"
    yield f"Analyses in the queue: {found.analyses}"
    if config.mail or found.letters:
        yield f"Letters in the queue: {found.letters}"


def _serving(who: serving.Serving | None) -> str:
    if who is None:
        return "No capsule serves on this home folder"
    if who.process is None or who.since is None:
        return "A capsule serves"
    minutes, seconds = divmod(int((now() - who.since).total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = ((days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s"))
    up = " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"
    return f"Process {who.process} has been serving since {who.since:%Y-%m-%d %H:%M} UTC: {up}"


def _values(config: Config, found: Overview, who: serving.Serving | None) -> dict[str, object]:
    outage = who and who.outage
    return {
        "version": version(),
        "serving": who is not None,
        "process": who and who.process,
        "since": who.since.isoformat() if who and who.since else None,
        "storage_outage": outage and {"since": outage.since.isoformat(), "reason": outage.reason},
        "disk_free_bytes": config.database_file and files.free_bytes(config.database_file),
        "revision": found.revision,
        "newest_revision": newest_revision(),
        "database_bytes": found.database_size,
        "players": found.players,
        "games": {status.value: found.with_status(status) for status in GameStatus},
        "bot_turns_waiting": found.bot_turns,
        "analyses_waiting": found.analyses,
        "letters_waiting": found.letters,
    }
