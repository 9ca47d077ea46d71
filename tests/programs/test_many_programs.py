"""Eight programs play through one capsule, and never are too many for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.programs import measured
from tests.programs.many import PROGRAMS
from tests.support.wire.running import running, serving

PATIENCE = 300


@pytest.mark.deep
def test_eight_programs_play_each_other_and_none_is_told_to_wait(tmp_path: Path) -> None:
    with running(serving(tmp_path / "home")) as server:
        command = [sys.executable, "-m", "tests.programs.many", str(server.address[1])]
        ended = subprocess.run(
            [*command, str(tmp_path), "2", "numeric", "quantum"],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert ended.returncode == 0, ended.stderr
        statuses = dict(each.split(":") for each in ended.stdout.split())
        assert set(statuses) == {"20"}
        assert server.printed.count("/games/open.json") > PROGRAMS


@pytest.mark.deep
def test_a_person_hardly_waits_while_eight_programs_play_forty_games(tmp_path: Path) -> None:
    found = measured(games=40, quiet=60, folder=tmp_path)
    assert set(found.statuses) == {"20"}
    assert found.ratio < 2
