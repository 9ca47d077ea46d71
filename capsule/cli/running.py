"""Running a command: with its settings and its plug-ins, to the end or to its refusal."""

import argparse
import os
import sqlite3
import sys
from collections.abc import Iterable
from dataclasses import fields
from functools import partial
from importlib.metadata import entry_points

from sqlalchemy.exc import SQLAlchemyError

from capsule.cli.arguments import refused
from capsule.config import Config, SettingRefused, load
from capsule.db.backup import BackupRefused
from capsule.db.faults import CannotOpen, DatabaseFault
from capsule.operations.overview import NoTables
from capsule.processes.serving import IsServing
from capsule.ratings.first_ratings import NotALadder
from capsule.ui.render import single_line
from engine import plugins

GROUP = "oxonaut.variants"
"""The group of entry points by which an installed package names the module of its plug-in."""

_REFUSALS = (
    *(OSError, sqlite3.Error, SQLAlchemyError, DatabaseFault, CannotOpen),
    *(BackupRefused, IsServing, NoTables, NotALadder),
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
        return refused(error, status=2)
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
