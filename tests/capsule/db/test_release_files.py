"""The files of a release: written from a full capsule, and the same each time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.sqlite


@pytest.mark.deep
def test_the_files_of_a_release_are_the_same_each_time(tmp_path: Path) -> None:
    for seed in "12":
        folder = tmp_path / seed
        folder.mkdir()
        command = [sys.executable, "-m", "tests.support.release", "next", str(folder)]
        subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, check=True)
    for name in ("next.sql", "next.json"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
