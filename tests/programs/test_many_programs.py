"""Eight programs play through one capsule, and never are too many for it."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.programs.many import PROGRAMS
from tests.support.client import link
from tests.support.wire.connection import fetch
from tests.support.wire.identities import make
from tests.support.wire.running import running, serving

MANY = [sys.executable, "-m", "tests.programs.many"]
PATIENCE = 300


@pytest.mark.deep
def test_eight_programs_play_each_other_and_none_is_told_to_wait(tmp_path: Path) -> None:
    with running(serving(tmp_path / "home")) as server:
        ended = subprocess.run(
            [*MANY, str(server.address[1]), str(tmp_path), "2", "numeric", "quantum"],
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
    with running(serving(tmp_path / "home")) as server:
        person = make(tmp_path, "person")
        base = server.home

        def seconds_of_a_page() -> float:
            time.sleep(0.25)
            begin = time.perf_counter()
            assert fetch(base + game, server.address, person).status == 20
            return time.perf_counter() - begin

        page = fetch(f"{base}/play/new/ultimate", server.address, person).body
        game = fetch(base + link(page, "/solo"), server.address, person).meta
        before = [seconds_of_a_page() for _ in range(60)]
        games = str(40 * 2 // PROGRAMS)
        with subprocess.Popen(
            [*MANY, str(server.address[1]), str(tmp_path), games, "numeric", "ultimate"],
            stdout=subprocess.PIPE,
            text=True,
        ) as programs:
            during = []
            while programs.poll() is None:
                during.append(seconds_of_a_page())
            answers = programs.communicate()[0].split()
        assert programs.returncode == 0
        assert {answer.partition(":")[0] for answer in answers} == {"20"}
        assert statistics.median(during) < 2 * statistics.median(before)
