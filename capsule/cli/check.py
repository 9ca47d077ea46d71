"""`oxonaut check`: verify that all that is stored fits together."""

import argparse
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

import sqlalchemy as sa
from tqdm import tqdm

from capsule.accounts import queries as account_queries
from capsule.cli.command import add_database_arguments, opened_database
from capsule.config import Config, SettingRefused
from capsule.db import backup, files, postgresql, schema
from capsule.db.database import Database
from capsule.games import maintenance, queries
from capsule.languages.numbers import counted
from capsule.mail.relay import relay_settings
from capsule.processes import serving
from capsule.ui.render import replaced_templates, single_line
from engine import VARIANTS

DESCRIPTION = (
    "Verify that the file of the database is sound, that every game replays to its result, that "
    "the ratings follow from the games, and that no reference is broken. If mail is set, its "
    "settings are verified, but the relay is not asked. Nothing is changed, and the capsule may "
    "serve meanwhile. Faults are listed, and make the exit status 1. A warning does not."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    add_database_arguments(parser)


def run(config: Config, _arguments: argparse.Namespace) -> int:
    """Verify what is stored, print what is wrong and return the exit status."""
    faults = 0
    serving.opened_file(config)
    damage = config.database_file and backup.damage(config.database_file)
    if damage:
        sys.stdout.write(f"The file of the database is damaged: {single_line(damage)}.\n")
        return 1
    with opened_database(config) as database:
        with database.reading() as connection:
            by_variant = queries.count_by_variant(connection)
        games = sum(by_variant.values())
        # Shown on a terminal only, since the list may be piped to another program.
        with tqdm(total=games, unit="game", disable=None) as bar:
            for fault in chain(_mail_faults(config), _faults(database, bar)):
                bar.clear()
                sys.stdout.write(f"{single_line(fault)}.\n")
                faults += 1
    # What follows is no fault in the data, so it does not change the exit status.
    warning = config.database_file and files.storage_warning(config.database_file)
    if warning:
        sys.stdout.write(f"Warning: {warning}.\n")
    for line in replaced_templates():
        sys.stdout.write(f"{single_line(line)}.\n")
    for variant in sorted(by_variant.keys() - VARIANTS.keys()):
        number = by_variant[variant]
        sys.stdout.write(
            f"No plug-in adds {variant}. The moves of its {counted(number, 'game')} were not "
            "replayed.\n"
        )
    if faults:
        sys.stdout.write(f"{counted(faults, 'fault')} found.\n")
        return 1
    its = "its" if games == 1 else "their"
    sys.stdout.write(f"{counted(games, 'game')}, {its} ratings and everything else fit together.\n")
    return 0


def _mail_faults(config: Config) -> Iterator[str]:
    if config.mail:
        try:
            relay_settings(config)
        except SettingRefused as error:
            yield str(error)


def _faults(database: Database, bar: "tqdm[Any]") -> Iterator[str]:
    yield from maintenance.faulty_games(database, bar.update)
    ratings = maintenance.recompute(database, check=True)
    if ratings.differing:
        yield str(ratings)
    with database.reading() as connection:
        yield from _orphans(connection)
        for player in account_queries.players_without_certificates(connection):
            yield f"Player number {player} has a name but no certificate, so nobody can be them"


def _orphans(connection: sa.Connection) -> Iterator[str]:
    """Yield which rows refer to missing rows, by table and column.

    Databases prevent that by themselves, but a file may be damaged, or changed without them.
    """
    # It reads whole tables, for which pages have no time.
    postgresql.lift_limit(connection)
    for table in schema.metadata.sorted_tables:
        for key in table.foreign_keys:
            parent = key.column.table.alias()
            referred = parent.c[key.column.name]
            rows = connection.scalar(
                sa.select(sa.func.count())
                .select_from(table.outerjoin(parent, key.parent == referred))
                .where(key.parent.is_not(None), referred.is_(None))
            )
            if rows:
                are, their = ("is an orphan", "its") if rows == 1 else ("are orphans", "their")
                yield (
                    f"{counted(rows, 'row')} of {table.name} {are}: {key.column.table.name} has "
                    f"nothing for {their} {key.parent.name}"
                )
