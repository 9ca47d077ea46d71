"""An operator proves the puzzles again, prints them, and finds more."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from capsule.__main__ import main
from capsule.cli import puzzles as command
from engine import VARIANTS
from engine.puzzles import Puzzle, puzzles_of
from engine.puzzles.checking import alike, faults
from engine.puzzles.collection import from_json
from engine.puzzles.generation import Found
from engine.puzzles.proofs import prover_of


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    capsys.readouterr()
    assert main(["puzzles", *arguments]) == status
    return capsys.readouterr().out


def few(variant: str) -> Sequence[Puzzle]:
    """Return the first puzzles of numeric, of which a check takes a moment, and no others."""
    return puzzles_of(variant)[:3] if variant == "numeric" else ()


def test_the_export_is_what_other_programs_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    data = [json.loads(line) for line in printed(capsys, "export").splitlines()]
    assert len(data) == sum(len(puzzles_of(variant)) for variant in VARIANTS)
    for one in data:
        assert {
            "variant",
            "number",
            "moves",
            "side",
            "task",
            "solutions",
            "line",
            "grade",
            "value",
        } <= {*one}
        assert {*one["value"]} == {"before", "proof"}
        assert one["value"]["proof"] in {"exact", "search"}
        position = VARIANTS[one["variant"]].replay(one["moves"])
        assert position.turn.value == one["side"]
        assert {*one["line"][:1]} <= {*one["solutions"]}
    assert [one["variant"] for one in data] == sorted(
        (one["variant"] for one in data), key=[*VARIANTS].index
    )


def test_only_one_game_is_exported_where_it_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    output = printed(capsys, "export", "tinc").splitlines()
    assert {json.loads(line)["variant"] for line in output} == {"tinc"}


def test_a_check_counts_the_puzzles_by_grade_and_tells_how_long_the_proofs_took(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "puzzles_of", few)
    head, row, end = printed(capsys, "check", "numeric").splitlines()
    assert head.split() == "Game grade 1 grade 2 grade 3 grade 4 grade 5 all seconds".split()
    name, *counts, _seconds = row.split()
    assert name == "numeric"
    assert counts == ["3", "0", "0", "0", "0", "3"]
    assert end == (
        "All are proven. No two are the same turned or mirrored, and none lies on the solution of"
        " another."
    )


def test_a_check_names_what_is_false_and_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = few("numeric")
    wrong = next(move for move in second.position().legal_moves() if move not in second.solutions)
    false = replace(second, solutions=(wrong,))
    again = replace(third, moves=first.moves)
    monkeypatch.setattr(command, "puzzles_of", lambda _: (first, false, again))
    output = printed(capsys, "check", "numeric", status=1)
    assert f"numeric 2: solutions is {second.solutions} by the proof, not ('{wrong}',)." in output
    assert "numeric 3: the same as 1." in output
    assert "faults found." in output
    assert "All are proven" not in output


def test_puzzles_that_are_found_come_after_those_that_are_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "puzzles_of", few)
    output = printed(
        capsys, "make", "numeric", "--count", "6", "--seed", "5", "--data", str(tmp_path)
    )
    assert output == "numeric: 3 more, 6 in all.\n"
    made = [*map(from_json, (tmp_path / "numeric.jsonl").read_text().splitlines())]
    assert tuple(made[:3]) == few("numeric")
    assert [one.number for one in made] == [1, 2, 3, 4, 5, 6]
    assert [one.grade for one in made[3:]] == sorted(one.grade for one in made[3:])
    assert [*alike(made)] == []
    assert [fault for one in made for fault in faults(one)] == []


def test_a_search_that_runs_out_of_time_keeps_what_it_found_and_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output = printed(
        capsys,
        *("make", "numeric", "--anew", "--count", "9", "--seconds", "0", "--data", str(tmp_path)),
        status=1,
    )
    assert output.startswith("numeric: ")
    assert (tmp_path / "numeric.jsonl").exists()


def test_who_stops_the_search_keeps_what_was_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one = puzzles_of("numeric")[0]
    proven = prover_of("numeric").prove(one.position())
    assert proven is not None

    def stopped(*_: object) -> Iterator[Found]:
        yield Found(one.moves, one.position(), proven)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "find", stopped)
    output = printed(
        capsys, *("make", "numeric", "--anew", "--count", "9", "--data", str(tmp_path)), status=1
    )
    assert output == "numeric: 1 more, 1 in all.\n"
    assert from_json((tmp_path / "numeric.jsonl").read_text()) == one


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("check", "chess"), "There are no puzzles of 'chess'"),
        (("make",), "Name a game, or --all"),
        (("make", "tinc", "--all"), "Name a game, or --all"),
    ],
)
def test_what_there_is_not_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: Sequence[str], reason: str
) -> None:
    assert main(["puzzles", *arguments]) == 1
    assert reason in capsys.readouterr().err
