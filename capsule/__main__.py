"""The command line: `oxonaut serve` runs the capsule, and other commands can run beside it."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "serve": "serve the capsule",
    "arena": "let bots play each other",
    "puzzles": "find, prove and export puzzles",
    "facts": "compute the facts on a game's page",
    "play": "play at a capsule with a bot",
    "admin": "see reports and act on them",
    "ratings": "recompute the ratings from the games",
    "backup": "back up the database while the capsule serves",
    "restore": "restore the database from a backup",
    "check": "verify the stored data",
    "explorer": "recount how often positions were reached",
    "status": "print the state of the capsule in numbers",
}
"""The commands and what they are for; each is a module of `capsule.cli`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name and return its exit status."""
    given = parse(sys.argv[1:] if arguments is None else arguments)
    status: int = import_module("capsule.cli.command").run(given)
    return status


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the values of the arguments; only the command that they name is imported."""
    parser = argparse.ArgumentParser(
        prog="oxonaut",
        description="A Gemini capsule for five games descended from noughts and crosses.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
        command = commands.add_parser(name, help=purpose)
        if name in arguments[:1]:
            module = import_module(f"capsule.cli.{name}")
            command.description = module.DESCRIPTION
            command.set_defaults(run=module.run)
            module.add_arguments(command)
            command.add_argument(
                "--plugin",
                dest="plugins",
                metavar="MODULE",
                action="append",
                help="load a plug-in, which adds a game; repeat for several",
            )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
