"""The command line: `oxonaut serve` runs the capsule, and other commands can run beside it."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Protocol

from capsule.cli import (
    admin,
    arena,
    backup,
    check,
    explorer,
    facts,
    play,
    plugins,
    puzzles,
    ratings,
    restore,
    serve,
    status,
)
from capsule.cli.arguments import add_plugin_argument, refused
from capsule.cli.plugins import CannotLoadPlugin
from capsule.config import Config, SettingRefused, load

SETTINGS = (
    "home",
    "host",
    "port",
    "hostname",
    "database",
    "public_port",
    "workers",
    "proxy_protocol",
    "log",
    "metrics_port",
    "plugins",
)
"""The settings that can be given on the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name and return its exit status."""
    given = _parser().parse_args(arguments)
    named = {name: getattr(given, name) for name in SETTINGS if hasattr(given, name)}
    try:
        config = load(named, os.environ)
        plugins.load(config.plugins)
    except (SettingRefused, CannotLoadPlugin) as error:
        return refused(error, status=2)
    if given.command in _ALONE:
        return _ALONE[given.command].run(given)
    if given.command == "serve":
        return serve.run(config, lambda: load(named, os.environ), may_drop=given.migrate)
    return _BESIDE[given.command].run(config, given)


class _LoneCommand(Protocol):
    """A command that needs no capsule."""

    DESCRIPTION: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


_ALONE: dict[str, _LoneCommand] = {"arena": arena, "puzzles": puzzles, "facts": facts, "play": play}


class _Command(Protocol):
    """A command that can run beside a capsule that serves."""

    DESCRIPTION: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, config: Config, arguments: argparse.Namespace) -> int: ...


_BESIDE: dict[str, _Command] = {
    "admin": admin,
    "ratings": ratings,
    "backup": backup,
    "restore": restore,
    "check": check,
    "explorer": explorer,
    "status": status,
}

_HELP = {
    "arena": "let bots play each other",
    "puzzles": "find, prove and export puzzles",
    "facts": "compute the facts on a game's page",
    "play": "play at a capsule with a bot",
    "admin": "see reports and act on them",
    "ratings": "recompute the ratings from the games",
    "backup": "back up the database while the capsule serves",
    "restore": "restore the database from a backup",
    "explorer": "recount how often positions were reached",
    "check": "verify the stored data",
    "status": "print the state of the capsule in numbers",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="oxonaut",
        description="A Gemini capsule for five games descended from noughts and crosses.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve.add_arguments(
        commands.add_parser("serve", help="serve the capsule", description=serve.DESCRIPTION)
    )
    for name, command in _ALONE.items():
        command.add_arguments(
            commands.add_parser(name, help=_HELP[name], description=command.DESCRIPTION)
        )
    for name, beside in _BESIDE.items():
        beside.add_arguments(
            commands.add_parser(name, help=_HELP[name], description=beside.DESCRIPTION)
        )
    for command_parser in commands.choices.values():
        add_plugin_argument(command_parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
