"""The strength and the speed of the bots.

    python -m tests.bench.bots [--games N] [--seconds S] [--variant KEY]... [--seed N] [--cpu]

Ladder: each level against the one below, as `oxonaut arena VARIANT --ladder` plays it on all cores,
and the first ratings that this makes. The levels think as long as they do in the capsule, times
`--seconds`, and with `--cpu` by processor time.

Characters: the novice against who plays at random and who takes a win, the master of tinc against
who never minds the edge, and in how many ways games of each master against itself begin, as
`tests.bench.characters` measures it.

Speed: what the master of ultimate and of extreme tries out a second, plain and, where numba is
installed, compiled; the generic search for comparison.

Processes: a fresh process for each variant, plain and compiled, plays twenty moves of a game of the
master against itself, or fewer where it ends before, from where the master begins to think, in the
time that it takes in the capsule: the seconds to its first answer and to its next, and the most
memory that it ever took.

Strength: the masters of ultimate and extreme against a search that knows only the rules, at equal
processor time, and how often they would play otherwise if they thought ten times as long, as
`tests.bench.strength` measures it.

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
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random

from capsule.cli import arena
from capsule.cli.arena import Rung, matches
from engine import VARIANTS
from engine.bots import level
from engine.bots.hosting.match import MatchTerms, played
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.mcts import SearchBot
from engine.bots.means import Timepiece
from engine.bots.registry import bots_of
from tests.bench import characters, strength
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

KINDS: Mapping[str, Mapping[str, str]] = {
    "plain": {**os.environ, "NUMBA_DISABLE_JIT": "1"},
    **(
        {"fast": os.environ | {"NUMBA_DISABLE_JIT": "0"}}
        if importlib.util.find_spec("numba")
        else {}
    ),
}
"""The ways to run the bots that there are here, each with its environment."""


def ladder(variant: str, games: int, scale: float, seed: int, clock: Timepiece) -> Iterator[str]:
    """Yield a line a match of a ladder, each level against the one below, and the first ratings."""
    rungs = []
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
        rungs.append(Rung(terms, list(played(terms))))
        ended, seconds = rungs[-1].games, time.perf_counter() - start
        yield (
            f"{variant:<9} {names[0]:>11} against {names[1]:<11}  {strength.score(ended)}"
            f"  {arena.beginnings(ended)} beginnings  {seconds:.0f} s"
        )
    first = arena.ratings(rungs) or {}
    numbers = ", ".join(f"{name} {number}" for name, number in first.items())
    yield f"{variant:<9} first ratings: {numbers}"


def speeds(variant: str, scale: float) -> Iterator[str]:
    """Yield how many simulations a second a variant's bots make from the start."""
    for kind, environment in KINDS.items() if variant in BOARDS else ():
        rate = subprocess.run(
            [sys.executable, "-c", _SPEED, variant, str(scale)],
            check=True,
            capture_output=True,
            text=True,
            env=environment,
        ).stdout
        yield f"{variant:<9} {f'master, {kind}':<15} {float(rate):>9,.0f}"
    position = VARIANTS[variant].start
    if position.has_countless_moves:
        position = position.play(position.example())
    start = time.perf_counter()
    simulations = SearchBot().choose(position, scale, Random(1)).simulations
    yield (
        f"{variant:<9} {'generic search':<15} {simulations / (time.perf_counter() - start):>9,.0f}"
    )


def process(variant: str, seed: int, kind: str) -> str:
    """Return how a fresh process does: seconds to its first two answers, and its memory in MB."""
    moves = [*PAST_OPENINGS] if variant in BOARDS else []
    position, took = VARIANTS[variant].replay(moves), list[float]()
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "engine.bots.hosting.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=KINDS[kind],
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
        memory = _megabytes(worker.pid)
        worker.stdin.close()
    return (
        f"{variant:<9} {kind:<5} first {took[0]:.2f} s, next {took[1]:.2f} s "
        f"(thinks up to {level(variant, 'master').seconds} s), {memory:.1f} MB at most in "
        f"{len(took)} moves"
    )


def _megabytes(number: int) -> float:
    """Return the most memory that a process ever took."""
    status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def strengths(variant: str, games: int, scale: float, seed: int) -> Iterator[str]:
    """Yield how a master does against the plain search, and how well it judges."""
    yield strength.against_plain(variant, games, strength.SECONDS * scale, seed)
    master = BoardsBot(clock=Timepiece.PROCESSOR)
    seconds = strength.JUDGING_SECONDS * scale
    yield strength.judged(master, variant, strength.POSITIONS, seconds, seed)


def openspiel(games: int, scale: float, seed: int) -> None:
    """Let ultimate's master play a match by time alone, a line a game, where OpenSpiel is there."""
    if not importlib.util.find_spec("pyspiel"):
        print("OpenSpiel is not installed")
        return
    from tests.bench import versus_openspiel  # noqa: PLC0415 - it needs what may not be there

    versus_openspiel.match(BoardsBot(varies=True), scale, games, seed)


def main() -> None:
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
    options = parser.parse_args()
    games, scale, seed = options.games, options.seconds, options.seed
    variants: Sequence[str] = options.variant or list(VARIANTS)
    clock = Timepiece.PROCESSOR if options.cpu else Timepiece.WALL
    print(machine())
    print(
        f"{games} games a match, {scale} times the time by the {clock.value}'s clock, seed {seed}"
    )
    parts = {
        "ladder": (line for each in variants for line in ladder(each, games, scale, seed, clock)),
        "characters": characters.measured(variants, games, seed, scale),
        "simulations a second": (line for each in variants for line in speeds(each, scale)),
        "seconds to the first answer of a fresh process and to the next, and memory": (
            process(variant, seed, kind) for variant, kind in product(variants, KINDS)
        ),
        "strength": (
            line
            for each in BOARDS
            if each in variants
            for line in strengths(each, games, scale, seed)
        ),
    }
    for title, lines in parts.items():
        print(f"\n{title}", flush=True)
        for line in lines:
            print(line, flush=True)
    if "ultimate" in variants:
        print("\nagainst OpenSpiel")
        openspiel(games, scale, seed)


if __name__ == "__main__":
    main()
