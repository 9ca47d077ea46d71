"""The command line: `oxonaut serve` runs the capsule, and other commands can run beside it."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from capsule.cli import admin, arena, ratings, serve
from capsule.config import SettingRefused, load

if TYPE_CHECKING:
    from collections.abc import Sequence

SETTINGS = (
    "home",
    "host",
    "port",
    "hostname",
    "database",
    "public_port",
    "proxy_protocol",
    "log",
)
"""The settings that can be given on the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name and return its exit status."""
    given = _parser().parse_args(arguments)
    if given.command == "arena":
        return arena.run(given)
    named = {name: getattr(given, name) for name in SETTINGS if hasattr(given, name)}
    try:
        config = load(named, os.environ)
    except SettingRefused as error:
        sys.stderr.write(f"oxonaut: {error}\n")
        return 2
    if given.command == "ratings":
        return ratings.run(config, given)
    return admin.run(config, given) if given.command == "admin" else serve.run(config)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="oxonaut", description="A Gemini capsule for five descendants of noughts and crosses."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve.add_arguments(
        commands.add_parser("serve", help="serve the capsule", description=serve.DESCRIPTION)
    )
    arena.add_arguments(
        commands.add_parser("arena", help="let bots play each other", description=arena.DESCRIPTION)
    )
    admin.add_arguments(
        commands.add_parser(
            "admin", help="see reports and act on them", description=admin.DESCRIPTION
        )
    )
    ratings.add_arguments(
        commands.add_parser(
            "ratings", help="recompute the ratings from the games", description=ratings.DESCRIPTION
        )
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
