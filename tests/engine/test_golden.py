"""The golden playthroughs: the engine still says what a person once read and approved."""

from pathlib import Path

import pytest

from tests.support.engine.golden import FOLDER, golden_text, head_of

PLAYTHROUGHS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=[path.stem for path in PLAYTHROUGHS])
def test_a_game_reads_as_it_did_when_a_person_approved_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert golden_text(head_of(text)) == text
