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


@pytest.fixture(scope="module")
def extracted() -> Extracted:
    """Return the context of each message and its text, or the forms of its plural."""
    return extract(ROOT)


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


@pytest.mark.parametrize(
    "sentence",
    [
        "{cell} is taken",  # a reason of the engine
        "top left",  # a part of its sentences
        "Your move, {side}",  # a prompt of the capsule
        "Your certificate expired on {date}. Renew it, or make a new one",
        "Your turn. %(instruction)s",  # a sentence of a template
        "%(title)s board after %(count)s moves. %(instruction)s",
    ],
)
def test_sentences_of_every_layer_are_found(extracted: Extracted, sentence: str) -> None:
    found = {
        text for _, forms in extracted for text in ((forms,) if isinstance(forms, str) else forms)
    }
    assert sentence in found


def test_no_sentence_is_put_together_from_pieces(extracted: Extracted) -> None:
    for _, forms in extracted:
        for text in (forms,) if isinstance(forms, str) else forms:
            assert text == text.strip()


@pytest.mark.parametrize("folder", ["engine", "capsule"])
def test_every_text_that_the_code_marks_is_found(extracted: Extracted, folder: str) -> None:
    marked = {
        each for file in (ROOT / folder).rglob("*.py") for each in calls(file.read_text("utf-8"))
    }
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
