"""Parts that commands share: settings, plug-ins, arguments, the database, and refusals."""

import argparse
import math
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import fields
from functools import partial
from importlib.metadata import entry_points

import sqlalchemy as sa

from capsule.config import Config, SettingRefused, load
from capsule.db.backup import BackupRefused
from capsule.db.database import Database, open_database
from capsule.db.faults import CannotOpen, DatabaseFault
from capsule.operations.overview import NoTables
from capsule.processes import serving
from capsule.ratings.first_ratings import NotALadder
from capsule.ui.render import single_line
from engine import plugins

GROUP = "oxonaut.variants"
"""The group of entry points by which an installed package names the module of its plug-in."""

_REFUSALS = (
    *(OSError, sqlite3.Error, sa.exc.SQLAlchemyError, DatabaseFault, CannotOpen),
    *(BackupRefused, serving.IsServing, NoTables, NotALadder),
)
"""The errors whose message is a line for the operator."""


class CannotLoadPlugin(Exception):
    """A plug-in cannot be loaded; the message is a line for the operator."""


def run(given: argparse.Namespace) -> int:
    """Run the command that was given, which may read the settings again, and return its status."""
    settings = {field.name for field in fields(Config)}
    named = {name: value for name, value in vars(given).items() if name in settings}
    given.read = partial(load, named, os.environ)
    try:
        config = given.read()
        load_plugins(config.plugins)
    except (SettingRefused, CannotLoadPlugin) as error:
        return refused(error, MISUSED)
    try:
        status: int = given.run(config, given)
    except _REFUSALS as error:
        return refused(error)
    return status


def load_plugins(modules: Iterable[str]) -> None:
    """Load the plug-ins that are installed, and those of these modules.

    Raises `CannotLoadPlugin`.
    """
    installed = sorted(each.module for each in entry_points(group=GROUP))
    for module in (*installed, *modules):
        try:
            plugins.load(module)
            _require_pages_below_its_name(module)
        except Exception as error:
            reason = single_line(f"{type(error).__name__}: {error}")
            raise CannotLoadPlugin(f"The plug-in {module} cannot be loaded: {reason}") from error


def _require_pages_below_its_name(name: str) -> None:
    below = f"/{name.rpartition('.')[2]}/"
    for feature in getattr(sys.modules[name], "FEATURES", ()):
        for path, *_ in feature.routes:
            if not path.startswith(below):
                raise ValueError(f"its page {path} is not below {below}")


@contextmanager
def opened_database(config: Config) -> Iterator[Database]:
    """Yield the database of this version, from the file that a capsule that serves has opened.

    Raises what `serving.opened_file` and `open_database` raise.
    """
    opened = serving.opened_file(config)
    with closing(open_database(config.database_url, opened=opened)) as database:
        yield database


def seconds(text: str) -> float:
    """Return a time to think; raises `ArgumentTypeError` or `ValueError` if the text is none."""
    number = float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError("the time must be a positive number of seconds")
    return number


def at_least_one(text: str) -> int:
    """Return a number of things; raises `ArgumentTypeError` or `ValueError` for less than one."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("there must be at least one")
    return number


def add_database_arguments(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add the arguments that name a capsule's database to a parser."""
    parser.add_argument(
        "--home",
        metavar="DIR",
        default=default,
        help="the capsule's home folder (default: the working directory)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default=default,
        help="the SQLAlchemy URL of the database (default: oxonaut.db in the home folder)",
    )


MISUSED = 2
"""The exit status of a command that cannot be carried out as it is typed or set."""


def refused(reason: object, status: int = 1) -> int:
    """Print why a command is refused, and return its exit status."""
    sys.stderr.write(f"oxonaut: {reason}\n")
    return status
