"""The operator, at the home of the capsule that a test has."""

from pathlib import Path

import pytest

from tests.support.operator import Operator


@pytest.fixture
def operator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Operator:
    return Operator(tmp_path, capsys)
