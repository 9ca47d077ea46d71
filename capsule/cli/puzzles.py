"""`oxonaut puzzles`: find puzzles, prove all of them again, print them for other programs."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import monotonic

from tqdm import tqdm

from capsule.cli.command import at_least_one, refused
from capsule.config import Config
from capsule.languages.numbers import counted
from capsule.ui.drawings import table
from engine import VARIANTS
from engine.puzzles import Puzzle, exported, puzzles_of
from engine.puzzles.checking import alike, faults, given_away
from engine.puzzles.collection import to_json
from engine.puzzles.generation import Found, find, numbered
from engine.puzzles.registry import SOURCES

DESCRIPTION = (
    "Puzzles are positions with one right move or line, each proven. They come with the engine. "
    "`make` finds more. `check` proves all of them again and prints their numbers. `export` prints "
    "them as JSON lines."
)

GRADES = range(1, 6)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the three commands and their arguments to a parser."""
    commands = parser.add_subparsers(dest="puzzles_command", required=True, metavar="COMMAND")
    making = commands.add_parser(
        "make",
        help="find puzzles and write them into the engine's data",
        description=(
            "Find positions with one right move or line in games of bots, and prove them. Add them "
            "to the engine's data after the puzzles there, whose numbers stay. Ctrl-C ends the "
            "search for a game, and keeps the puzzles found so far."
        ),
    )
    making.add_argument("variant", metavar="VARIANT", nargs="?", help=", ".join(SOURCES))
    making.add_argument("--all", action="store_true", help="find puzzles of every game")
    making.add_argument(
        "--count", metavar="N", type=at_least_one, default=95, help="number to have (default: 95)"
    )
    making.add_argument(
        "--seed", metavar="S", type=int, default=1, help="seed of all luck (default: 1)"
    )
    making.add_argument(
        "--seconds",
        metavar="T",
        type=float,
        default=600,
        help="seconds for each game (default: 600)",
    )
    making.add_argument("--anew", action="store_true", help="begin with none; all numbers change")
    making.add_argument("--data", metavar="DIR", type=Path, help=argparse.SUPPRESS)
    checking = commands.add_parser(
        "check",
        help="prove all puzzles again",
        description=(
            "Prove all puzzles again, and print their numbers by game and grade, with the seconds "
            "that the proofs took. Faults are listed, and make the exit status 1."
        ),
    )
    checking.add_argument("variant", metavar="VARIANT", nargs="?", help="only this game")
    export = commands.add_parser(
        "export", help="print puzzles as JSON lines", description="Print puzzles as JSON lines."
    )
    export.add_argument("variant", metavar="VARIANT", nargs="?", help="only this game")


def run(_config: Config, arguments: argparse.Namespace) -> int:
    """Do what the arguments say and return the exit status."""
    variant: str | None = arguments.variant
    if variant is not None and variant not in SOURCES:
        return refused(f"There are no puzzles of {variant!r}. Name one of {', '.join(SOURCES)}")
    variants = [key for key in VARIANTS if key in SOURCES and variant in (None, key)]
    if arguments.puzzles_command == "make":
        if (variant is None) is not arguments.all:
            return refused("Name a game, or --all")
        return _make(variants, arguments)
    if arguments.puzzles_command == "check":
        return _check(variants)
    for key in variants:
        for puzzle in puzzles_of(key):
            sys.stdout.write(json.dumps(exported(puzzle)) + "\n")
    return 0


def _make(variants: Sequence[str], arguments: argparse.Namespace) -> int:
    data: Path | None = arguments.data
    missing = 0
    for variant in variants:
        kept = () if arguments.anew else puzzles_of(variant)
        new = numbered(variant, _found(variant, kept, arguments), len(kept) + 1)
        puzzles = [*kept, *new]
        lines = "".join(f"{to_json(puzzle)}\n" for puzzle in puzzles)
        file = SOURCES[variant].file if data is None else data / f"{variant}.jsonl"
        file.write_text(lines, "utf-8")
        missing += max(0, arguments.count - len(puzzles))
        sys.stdout.write(f"{variant}: {len(new)} more, {len(puzzles)} in all.\n")
    return 1 if missing else 0


def _found(variant: str, kept: Sequence[Puzzle], arguments: argparse.Namespace) -> Iterator[Found]:
    until = monotonic() + arguments.seconds
    with tqdm(
        total=arguments.count, initial=len(kept), unit="puzzle", desc=variant, disable=None
    ) as bar:
        try:
            for found in find(variant, kept, arguments.count, Random(arguments.seed)):
                if found is not None:
                    bar.update()
                    yield found
                if monotonic() > until:
                    break
        except KeyboardInterrupt:
            bar.write("Stopped. The puzzles found so far are kept.", file=sys.stderr)


def _check(variants: Sequence[str]) -> int:
    rows: list[tuple[object, ...]] = [
        ("Game", *(f"grade {number}" for number in GRADES), "all", "seconds")
    ]
    wrong = 0
    totals: Counter[int] = Counter()
    total_seconds = 0.0
    for variant in variants:
        puzzles = puzzles_of(variant)
        start = monotonic()
        for number, fault in _faults(variant, puzzles):
            sys.stdout.write(f"{variant} {number}: {fault}.\n")
            wrong += 1
        seconds = monotonic() - start
        grades = Counter(puzzle.grade for puzzle in puzzles)
        rows.append((variant, *_counts(grades), f"{seconds:.1f}"))
        totals += grades
        total_seconds += seconds
    if len(variants) > 1:
        rows.append(("all", *_counts(totals), f"{total_seconds:.1f}"))
    sys.stdout.write(f"{table(rows, {0}, columns=80)}\n")
    if wrong:
        sys.stdout.write(f"{counted(wrong, 'fault')} found.\n")
        return 1
    sys.stdout.write(
        "All are proven. No two are the same turned or mirrored, and none lies on the solution of"
        " another.\n"
    )
    return 0


def _faults(variant: str, puzzles: Sequence[Puzzle]) -> Iterator[tuple[int, str]]:
    """Yield the number of each puzzle with a fault, and the fault."""
    proven = []
    with tqdm(puzzles, unit="puzzle", desc=variant, disable=None) as bar:
        for puzzle in bar:
            found = faults(puzzle)
            if not found:
                proven.append(puzzle)
            for fault in found:
                bar.clear()
                yield puzzle.number, fault
    for first, second in alike(puzzles):
        yield second.number, f"the same as {first.number}"
    for solved, second in given_away(proven):
        yield second.number, f"on the solution of {solved.number}"


def _counts(grades: Counter[int]) -> list[int]:
    return [*(grades[number] for number in GRADES), grades.total()]
