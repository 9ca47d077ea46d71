"""Every sentence that a player sees can be extracted for translators."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[3]
KEYWORDS = ("message", "InvalidMove", "IllegalMove", "_")


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    catalogue = tmp_path_factory.mktemp("catalogue") / "oxonaut.pot"
    keywords = [option for keyword in KEYWORDS for option in ("-k", keyword)]
    mapping = ["-F", str(ROOT / "pyproject.toml")]
    CommandLineInterface().run(
        ["pybabel", "-q", "extract", *mapping, *keywords, "-o", str(catalogue), str(ROOT)]
    )
    with catalogue.open("rb") as file:
        messages = read_po(file)
    texts = (each.id if isinstance(each.id, tuple) else (each.id,) for each in messages)
    return {text for forms in texts for text in forms}


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
def test_sentences_of_every_layer_are_found(extracted: set[str], sentence: str) -> None:
    assert sentence in extracted


def test_no_sentence_is_put_together_from_pieces(extracted: set[str]) -> None:
    assert not [text for text in extracted if text != text.strip()]
