"""`oxonaut facts`: the facts on the pages are computed again, printed, or written."""

from dataclasses import replace
from pathlib import Path

import pytest

from capsule.__main__ import main
from capsule.cli import facts as command
from engine.facts import computing
from engine.facts.model import Facts, facts_about, from_json
from engine.facts.progress import Progress
from engine.facts.sources import SOURCES


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Facts]:
    """The result of the command without its minutes: the facts on the pages."""
    known = facts_about("numeric")
    assert known is not None
    found = [known]

    def compute(variant: str, progress: Progress) -> Facts:
        assert variant == "numeric"
        (facts,) = progress(found[-1:], "nothing")
        return facts

    monkeypatch.setattr(command, "compute", compute)
    return found


def test_what_is_computed_is_printed(
    computed: list[Facts], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["facts", "numeric"]) == 0
    printed, complaints = capsys.readouterr()
    assert from_json(printed) == computed[0]
    assert not complaints


def test_a_page_that_says_otherwise_is_reported(
    computed: list[Facts], capsys: pytest.CaptureFixture[str]
) -> None:
    computed.append(replace(computed[0], sequences=(46,)))
    assert main(["facts", "numeric"]) == 1
    printed, complaints = capsys.readouterr()
    assert from_json(printed).sequences == (46,)
    assert "The page says something else" in complaints


def test_what_is_written_is_what_the_pages_read(
    computed: list[Facts],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "data_folder", lambda: tmp_path / "data")
    assert main(["facts", "numeric", "--write"]) == 0
    path = tmp_path / "data" / "numeric.json"
    assert from_json(path.read_text("utf-8")) == computed[0]
    assert str(path) in capsys.readouterr().out


def test_only_the_five_have_facts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["facts", "noughts"])
    assert ended.value.code == 2
    assert "noughts" in capsys.readouterr().err


def test_numbers_that_take_minutes_are_known_to_the_command() -> None:
    assert set(SOURCES) == {"tinc", "ultimate", "numeric", "quantum", "extreme"}
    with pytest.raises(KeyError):
        computing.compute("noughts")
