"""The process in which bots think imports what its games need, and takes memory for no more."""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import VARIANTS
from engine.bots import levels_of
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.local_boards.kernel import layout
from engine.bots.local_boards.search_memory import SHARED_MEMORY

FAKE = """
import sys
print("import time:", 0, 0, __name__, sep="|", file=sys.stderr)
class config:
    DISABLE_JIT = True
"""
"""Stands for numba and numpy, and says that it was imported: Python does only of statements."""

HEAVY = ("numba", "numpy", "engine.bots.local_boards")


def tasks(variant: str) -> list[dict[str, Any]]:
    """Return all that a capsule asks of a process in games of a variant."""
    start = VARIANTS[variant].start
    moves = [start.example()] if start.has_countless_moves else [next(iter(start.legal_moves()))]
    common = {"variant": variant, "moves": moves, "seed": 1}
    return [
        *({"task": "move", "level": level, **common} for level in levels_of(variant)),
        {"task": "draw", "level": "master", "side": "X", **common},
        {"task": "hint", "seconds": 0.1, **common},
        {"task": "analysis", "seconds": 0.1, **common},
    ]


def asked(variant: str, folder: Path) -> tuple[str, float]:
    """Ask a fresh process for everything; return what it imported, and the megabytes it took."""
    (folder / "numba.py").write_text(FAKE)
    (folder / "numpy.py").write_text(FAKE)
    with (folder / "imports").open("w") as imports:
        process = subprocess.Popen(
            [sys.executable, "-X", "importtime", "-m", "engine.bots.hosting.worker"],
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)])}
            | {"NUMBA_DISABLE_JIT": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=imports,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        with process:
            for task in tasks(variant):
                process.stdin.write(json.dumps(task) + "\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
                assert "error" not in answer
            status = Path(f"/proc/{process.pid}/status")
            facts = status.read_text() if status.exists() else "VmHWM: 0 kB"
            process.stdin.close()
    highest = next(line for line in facts.splitlines() if line.startswith("VmHWM"))
    return (folder / "imports").read_text(), int(highest.split()[1]) / 1024


def heavy(imports: str) -> set[str]:
    """Return which of the heavy packages are among those that Python says it imported."""
    names = {line.rpartition("|")[2].strip() for line in imports.splitlines()}
    return names & {*HEAVY}


@pytest.mark.parametrize(
    "variant",
    [pytest.param(each, marks=pytest.mark.deep) for each in ("tinc", "numeric", "quantum")],
)
def test_games_that_are_solved_load_no_search_and_stay_small(variant: str, tmp_path: Path) -> None:
    imports, megabytes = asked(variant, tmp_path)
    assert not heavy(imports)
    assert megabytes < 60


@pytest.mark.slow
def test_games_on_local_boards_load_what_they_need(tmp_path: Path) -> None:
    # And so the test above would see it.
    imports, _ = asked("ultimate", tmp_path)
    assert heavy(imports) == {"numba", "engine.bots.local_boards"}


def test_a_bot_takes_the_memory_that_it_may_have_and_gives_back_what_it_does_not_need() -> None:
    position = VARIANTS["ultimate"].start
    for megabytes in (2, 1, 3):
        BoardsBot(nodes=10, memory=megabytes).choose(position, 60, Random(1))
        assert len(SHARED_MEMORY.nodes) == megabytes * (1 << 20) // layout.BYTES * layout.NODE
        assert not len(SHARED_MEMORY.transpositions)
    BoardsBot(depth=1).choose(position, 60, Random(1))
    assert len(SHARED_MEMORY.transpositions)
    assert not len(SHARED_MEMORY.nodes)
