"""Code that numba has compiled is kept, and is never older than what it calls."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.bots.local_boards.compiled import IS_COMPILED

INNER = """
from engine.bots.local_boards.compiled import compiled

@compiled("i8(i8)")
def inner(number):
    return number + {more}
"""
OUTER = """
from engine.bots.local_boards.compiled import compiled
from house.inner import inner

@compiled("i8(i8)")
def countdown(number):
    return inner(0) if number == 0 else countdown(number - 1)
"""
SAY = """
from house.outer import countdown
print(countdown(3), "compiled" if countdown.stats.cache_misses else "kept")
"""


@pytest.mark.skipif(not IS_COMPILED, reason="numba is not installed, or switched off")
def test_a_function_is_recompiled_when_one_that_it_calls_has_changed(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (house / "outer.py").write_text(OUTER, "ascii")
    repository = Path(__file__).parents[3]
    path = f"{tmp_path}{os.pathsep}{repository}"
    # Python itself looks at the time of a change in whole seconds alone.
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)

    def answer(more: int) -> str:
        (house / "inner.py").write_text(INNER.format(more=more), "ascii")
        command = [sys.executable, "-c", SAY]
        return subprocess.check_output(command, env=environment, encoding="ascii").strip()

    assert answer(1) == "1 compiled"
    assert answer(1) == "1 kept"
    assert answer(2) == "2 compiled"
