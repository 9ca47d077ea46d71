"""Every sentence that a player sees can be extracted for translators."""

import ast
from collections.abc import Iterator, Set as AbstractSet
from pathlib import Path

import pytest

from capsule.languages import catalogues
from tests.support.whole_sentences import LITERAL_CALLS

pytestmark = pytest.mark.slow

Extracted = AbstractSet[tuple[str | None, str | tuple[str, ...]]]

ROOT = Path(__file__).resolve().parents[3]


def extract(source: Path) -> Extracted:
    return {(each.context, each.id) for each in catalogues.extract(source) if each.id}


def calls(source: str) -> Iterator[tuple[str | None, str | tuple[str, ...]]]:
    """Yield the context and the texts of each call that marks texts in a Python file."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in LITERAL_CALLS and name != "Message":
                texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
                context = texts.pop(0) if texts and "in_context" in name else None
                if texts:
                    yield context, texts[0] if len(texts) == 1 else tuple(texts)


def test_every_text_that_the_code_marks_is_found() -> None:
    extracted = extract(ROOT)
    for folder in ("engine", "capsule"):
        files = (ROOT / folder).rglob("*.py")
        marked = {each for file in files for each in calls(file.read_text("utf-8"))}
        assert len(marked) > 100
        assert not marked - extracted


def test_plurals_and_contexts_are_found_within_other_sentences(tmp_path: Path) -> None:
    source = tmp_path / "engine" / "words.py"
    source.parent.mkdir()
    source.write_text(
        """message(
            "{days} in {what}",
            days=plural("{count} day", "{count} days", count=1),
            what=in_context("a move", "clear"),
        )
        raise Refused(plural_in_context("of a cup", "{count} round", "{count} rounds", count=1))
        """
    )
    assert {
        (None, "{days} in {what}"),
        (None, ("{count} day", "{count} days")),
        ("a move", "clear"),
        ("of a cup", ("{count} round", "{count} rounds")),
    } <= extract(tmp_path)
