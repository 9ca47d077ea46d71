"""The golden playthroughs: the engine still says what a person once read and approved."""

from pathlib import Path

import pytest

from engine import VARIANTS
from tests.support.engine.golden import FOLDER, golden_text, head_of

PLAYTHROUGHS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=[path.stem for path in PLAYTHROUGHS])
def test_a_game_reads_as_it_did_when_a_person_approved_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert golden_text(head_of(text)) == text


@pytest.mark.parametrize("variant", VARIANTS)
def test_there_are_playthroughs_of_every_variant(variant: str) -> None:
    assert len([path for path in PLAYTHROUGHS if path.stem.startswith(f"{variant}-")]) >= 2


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=[path.stem for path in PLAYTHROUGHS])
def test_a_playthrough_says_what_to_look_at_and_of_which_variant_it_is(path: Path) -> None:
    head = head_of(path.read_text(encoding="utf-8"))
    assert head.comment.count("\n") >= 2
    assert path.stem.split("-")[0] == head.variant
