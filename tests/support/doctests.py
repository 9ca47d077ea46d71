"""A plugin that looks for doctests only where there are any.

Elsewhere pytest imports every module and looks through it, which takes seconds in each process.
"""

from collections.abc import Generator
from pathlib import Path

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out the doctests of a Python file without any."""
    collectors = yield
    if file_path.suffix != ".py" or ">>>" in file_path.read_text("utf-8"):
        return collectors
    return [each for each in collectors if type(each) is pytest.Module]
