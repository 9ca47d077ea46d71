"""A host that is killed takes its processes along, and none of them complains."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]

HOST = """
import sys
from engine.bots.hosting.process import JsonLinesProcess
from tests.support.waiting import PATIENCE, wait_until
process = JsonLinesProcess({module})
{first}
print(process._started().pid if process._process is None else process._process.pid, flush=True)
process.ask({task}, 1200)
"""

THINKING_FOR_LONG = {
    "task": "analysis",
    "variant": "ultimate",
    "moves": ["e5"],
    "seconds": 600,
    "seed": 1,
}
CHOOSING_FOR_LONG = {"moves": ["e5", "d4", "a1", "c3"], "seconds": 600, "seed": 1, "limit": 84}


def is_alive(pid: int) -> bool:
    """Return whether a process runs: one that has ended and that nobody has waited for does not."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to look at")
@pytest.mark.parametrize("thinks_for", [0.0, 0.3, 1.0, pytest.param(2.0, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    ("module", "first", "task"),
    [
        ("'engine.bots.hosting.worker'", "", THINKING_FOR_LONG),
        (
            "'engine.bots.hosting.outside', 'ultimate', 'master', 'wall', ''",
            "process.ask(None, 120)",
            CHOOSING_FOR_LONG,
        ),
    ],
    ids=["worker", "outside"],
)
def test_a_process_goes_quietly_when_its_host_is_killed(
    tmp_path: Path, module: str, first: str, task: dict[str, object], thinks_for: float
) -> None:
    complaints = tmp_path / "complaints"
    with complaints.open("wb") as file:
        host = subprocess.Popen(
            [sys.executable, "-c", HOST.format(module=module, first=first, task=task)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=file,
        )
        assert host.stdout is not None
        pid = int(host.stdout.readline())
        time.sleep(thinks_for)
        host.kill()
        host.wait()
        host.stdout.close()
    try:
        wait_until(lambda: not is_alive(pid))
    finally:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)
    assert complaints.read_text() == ""


def test_a_process_whose_tasks_end_answers_those_that_have_arrived() -> None:
    task = '{"task": "move", "variant": "tinc", "moves": ["a1"], "level": "novice", "seed": 7}\n'
    answered = subprocess.run(
        [sys.executable, "-m", "engine.bots.hosting.worker"],
        cwd=ROOT,
        input=task * 3,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert answered.stdout.count('"move"') == 3
    assert answered.stderr == ""
