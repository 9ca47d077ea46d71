"""The strength and the speed of the bots.

    python -m tests.bench.bots [--games N] [--seconds S] [--variant KEY]... [--seed N] [--cpu]
        [--json]

Ladder: each level against the one below, as `oxonaut arena VARIANT --ladder` plays it on all cores,
and the first ratings that this makes. The levels think as long as they do in the capsule, times
`--seconds`, and with `--cpu` by processor time.

Characters: the novice against who plays at random and who takes a win, the master of tinc against
who never minds the edge, and in how many ways games of each master against itself begin, as
`tests.bench.characters` tells.

Speed: what the master of ultimate and of extreme tries out a second, plain and, where numba is
installed, compiled; the generic search for comparison.

Processes: a fresh process for each variant, plain and compiled, plays twenty moves of a game of the
master against itself, or fewer where it ends before, from where the master begins to think, in the
time that it takes in the capsule: the seconds to its first answer and to its next, and the most
memory that it ever took.

Strength: the masters of ultimate and extreme against a search that knows only the rules, at equal
processor time, and how often they would play otherwise if they thought ten times as long, as
`tests.bench.strength` and `tests.bench.judgement` tell.

OpenSpiel: where it is installed, `tests.bench.versus_openspiel` plays its match, with a second a
move times `--seconds`.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from capsule.cli import arena_report
from capsule.cli.arena_report import Rung, matches
from engine import VARIANTS
from engine.bots import level
from engine.bots.hosting.match import MatchTerms, played
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.mcts import SearchBot
from engine.bots.means import Timepiece
from engine.bots.registry import bots_of
from tests.bench import characters, judgement, strength
from tests.bench.engine import machine
from tests.support.stories import PAST_OPENINGS

BOARDS = ("ultimate", "extreme")
"""The variants where the master is as strong as it is fast."""

MOVES = 20
"""The moves of the master after which a process's memory is read: its mind is full long before."""

_SPEED = """
import sys, time
from random import Random
from engine import VARIANTS
from engine.bots import level
position = VARIANTS[sys.argv[1]].start
bot = level(sys.argv[1], "master").judge
bot.choose(position, 0.1, Random(1))
start = time.perf_counter()
choice = bot.choose(position, float(sys.argv[2]), Random(1))
print(choice.simulations / (time.perf_counter() - start))
"""
"""Run in a process of its own, since numba is looked for once."""


def ladder(
    variant: str, games: int, scale: float, seed: int, clock: Timepiece
) -> Iterator[tuple[Rung, float]]:
    """Yield the matches of a ladder, each level against the one below, and the seconds of each."""
    for names in matches(variant):
        start = time.perf_counter()
        terms = MatchTerms(
            variant,
            names,
            games,
            seed=seed,
            openings=bots_of(variant).openings,
            clock=clock,
            scale=scale,
        )
        yield Rung(terms, list(played(terms))), time.perf_counter() - start


def row_of(rung: Rung, seconds: float) -> dict[str, Any]:
    """Return how a level did against the one below."""
    upper, lower = rung.terms.names
    return {
        "variant": rung.terms.variant,
        "level": upper,
        "against": lower,
        **strength.score_row(rung.games),
        "seconds": round(seconds, 1),
    }


def kinds() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the ways to run the bots that there are here, each with its environment."""
    yield "plain", {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    if importlib.util.find_spec("numba"):
        yield "fast", {**os.environ, "NUMBA_DISABLE_JIT": "0"}


def speeds(variant: str, scale: float) -> Iterator[dict[str, Any]]:
    """Yield how many simulations a second a variant's bots make from the start."""
    if variant in BOARDS:
        for kind, environment in kinds():
            rate = subprocess.run(
                [sys.executable, "-c", _SPEED, variant, str(scale)],
                check=True,
                capture_output=True,
                text=True,
                env=environment,
            ).stdout
            yield {"variant": variant, "bot": f"master, {kind}", "rate": round(float(rate))}
    position = VARIANTS[variant].start
    if position.has_countless_moves:
        position = position.play(position.example())
    start = time.perf_counter()
    choice = SearchBot().choose(position, scale, Random(1))
    rate = choice.simulations / (time.perf_counter() - start)
    yield {"variant": variant, "bot": "generic search", "rate": round(rate)}


def process(variant: str, seed: int, kind: str, environment: dict[str, str]) -> dict[str, Any]:
    """Return how a fresh process does: seconds to its first two answers, and its memory in MB."""
    moves = [*PAST_OPENINGS] if variant in BOARDS else []
    position, took = VARIANTS[variant].replay(moves), list[float]()
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "engine.bots.hosting.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        while position.outcome is None and len(took) < MOVES:
            task = {"task": "move", "variant": variant, "moves": moves, "level": "master"}
            worker.stdin.write(json.dumps(task | {"seed": seed}) + "\n")
            worker.stdin.flush()
            answer = json.loads(worker.stdout.readline())
            assert "move" in answer, answer
            took.append(time.perf_counter() - start)
            moves.append(answer["move"])
            position = position.play(answer["move"])
            start = time.perf_counter()
        memory = _memory(worker.pid)
        worker.stdin.close()
    return {
        "variant": variant,
        "kind": kind,
        "thinks": level(variant, "master").seconds,
        "first": round(took[0], 3),
        "next": round(took[1], 3),
        "moves": len(took),
        "megabytes": memory,
    }


def _memory(number: int) -> float | None:
    """Return the most memory that a process ever took; None if the system does not say."""
    status = Path(f"/proc/{number}/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return round(int(line.split()[1]) / 1024, 1)


def strengths(
    variants: Sequence[str], games: int, scale: float, seed: int, say: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Yield how masters do against the plain search, and how well they judge; say each line."""
    for variant in variants:
        row = strength.against_plain(variant, games, strength.SECONDS * scale, seed)
        say(strength.against_plain_line(row))
        yield row
        master = BoardsBot(clock=Timepiece.PROCESSOR)
        seconds = judgement.SECONDS * scale
        row = judgement.judged(master, variant, judgement.POSITIONS, seconds, seed)
        say(judgement.judged_line(row))
        yield row


def openspiel(games: int, scale: float, seed: int) -> dict[str, Any] | None:
    """Return the points of ultimate's master by time alone, in a match; None without OpenSpiel."""
    if not importlib.util.find_spec("pyspiel"):
        return None
    from tests.bench import versus_openspiel  # noqa: PLC0415 - it needs what may not be there

    with redirect_stdout(sys.stderr):
        results = versus_openspiel.match(BoardsBot(varies=True), scale, games, seed)
    low, high = results.interval()
    return {
        "games": results.games,
        "score": round(results.score, 4),
        "interval": [round(low, 4), round(high, 4)],
    }


def _ladder_line(row: dict[str, Any]) -> str:
    return (
        f"{row['variant']:<9} {row['level']:>11} against {row['against']:<11}"
        f"  {strength.score_words(row)}  {row['beginnings']} beginnings"
        f"  {row['seconds']:.0f} s"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what was asked for and print it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bots", description="Measure how strong and fast the bots are."
    )
    parser.add_argument("--games", type=int, default=100, help="of each match (default: 100)")
    parser.add_argument(
        "--seconds", type=float, default=1, help="times what each level thinks (default: 1)"
    )
    parser.add_argument(
        "--variant", action="append", choices=list(VARIANTS), help="only this one; may be repeated"
    )
    parser.add_argument("--seed", type=int, default=1, help="of openings and games (default: 1)")
    parser.add_argument("--cpu", action="store_true", help="ladders by processor time")
    parser.add_argument("--json", action="store_true", help="print JSON, at the end")
    options = parser.parse_args(arguments)
    variants = options.variant or list(VARIANTS)
    clock = Timepiece.PROCESSOR if options.cpu else Timepiece.WALL

    def say(line: str) -> None:
        print(line, file=sys.stderr if options.json else sys.stdout, flush=True)

    facts: dict[str, Any] = {
        "machine": machine(),
        "games": options.games,
        "seconds": options.seconds,
        "seed": options.seed,
        "clock": clock.value,
        "ladder": [],
        "ratings": {},
        "speed": [],
        "processes": [],
    }
    say(", ".join(f"{name}: {value}" for name, value in machine().items()))
    say(
        f"{options.games} games a match, {options.seconds} times the time by the {clock.value}'s "
        f"clock, seed {options.seed}\n"
    )
    for variant in variants:
        rungs = []
        for rung, seconds in ladder(variant, options.games, options.seconds, options.seed, clock):
            rungs.append(rung)
            row = row_of(rung, seconds)
            facts["ladder"].append(row)
            say(_ladder_line(row))
        facts["ratings"][variant] = first = arena_report.ratings(rungs)
        numbers = ", ".join(f"{name} {number}" for name, number in (first or {}).items())
        say(f"{variant:<9} first ratings: {numbers}")
    say("\ncharacters")
    facts["characters"] = characters.measured(
        variants, options.games, options.seed, options.seconds, say
    )
    say("\nsimulations a second")
    for variant in variants:
        for row in speeds(variant, options.seconds):
            facts["speed"].append(row)
            say(f"{row['variant']:<9} {row['bot']:<15} {row['rate']:>9,}")
    say("\nseconds to the first answer of a fresh process and to the next, and memory")
    for variant, (kind, environment) in product(variants, kinds()):
        row = process(variant, options.seed, kind, environment)
        facts["processes"].append(row)
        say(
            f"{variant:<9} {kind:<5} first {row['first']:.2f} s, next {row['next']:.2f} s "
            f"(thinks up to {row['thinks']} s), {row['megabytes']} MB at most in "
            f"{row['moves']} moves"
        )
    say("\nstrength")
    boards = [variant for variant in BOARDS if variant in variants]
    facts["strength"] = list(strengths(boards, options.games, options.seconds, options.seed, say))
    if "ultimate" in variants:
        facts["openspiel"] = found = openspiel(options.games, options.seconds, options.seed)
        if found is None:
            say("\nOpenSpiel is not installed")
        else:
            low, high = found["interval"]
            say(f"\nagainst OpenSpiel: {found['score']:.1%}  [{low:.1%}, {high:.1%}]")
    if options.json:
        print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()
