"""The benchmark of the languages reports a figure for each."""

from pathlib import Path

import pytest

from tests.bench import languages
from tests.bench.languages import Figures, report


def test_each_language_is_compared_with_english() -> None:
    seconds = {"en": 2.0, "pt": 2.1, "zh": 1.8}
    memory = {"English alone": 100.0, "all languages": 105.5}
    kept = {"English alone": 1e6, "all languages": 3e6}
    lines = [*report(Figures(1000, seconds, 0.1, memory, kept))]
    assert lines[2].split() == ["pt", "2.100", "ms", "a", "page", "1.050", "of", "English"]
    assert lines[-1].split()[2:] == ["105.5", "MB,", "3.00", "MB", "of", "them", "kept", "pages"]


@pytest.mark.deep
def test_a_small_capsule_is_measured(tmp_path: Path) -> None:
    figures = languages.measured(tmp_path, times=1)
    assert figures.pages > 100
    assert set(figures.seconds) == {"en", "pt", "zh"}
