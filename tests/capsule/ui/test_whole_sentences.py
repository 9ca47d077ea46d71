"""Every sentence that a reader sees is one text, so that it can be translated."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from capsule.languages import catalogues
from capsule.ui.render import templates_folder
from tests.support.catalogue_faults import forms_of
from tests.support.whole_sentences import (
    faults_for_translators,
    faults_of_python,
    faults_of_template,
)

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]

JOINED = "{effect}. {why}"
"""The one message that joins two: a move's effect and the reason why it is good, in one hint."""

TEMPLATES = sorted(templates_folder().rglob("*.gmi"))
FILES = sorted([*ROOT.glob("engine/**/*.py"), *ROOT.glob("capsule/**/*.py")])


def test_templates_have_whole_sentences() -> None:
    for template in TEMPLATES:
        assert [*faults_of_template(template.read_text(encoding="utf-8"))] == [], template


def test_messages_are_whole_sentences() -> None:
    for file in FILES:
        found = faults_of_python(file.read_text(encoding="utf-8"))
        assert [fault for fault in found if JOINED not in fault] == [], file


def without_a_noun(text: str) -> list[str]:
    """Return the sentences of a text that begin with “What” and the like, and ask nothing.

    >>> without_a_noun("What is left is in the next letter. Who wins?")
    ['What is left is in the next letter.']
    """
    sentences = re.split(r"(?<=[.!?…:;])[”\")]*\s+", text)
    begun = re.compile(
        r"[“\"(]*(What|Who|Whose|Whom|Whoever|Whatever|Whichever)\b.*[^?]", re.DOTALL
    )
    return [sentence for sentence in sentences if begun.fullmatch(sentence)]


def test_a_sentence_begins_with_its_subject_unless_it_asks() -> None:
    """A heading may ask without a question mark, as in “Who may enter”."""
    headings = {
        heading
        for template in TEMPLATES
        for heading in re.findall(
            r"^#+ \{% trans %\}(.*?)\{%", template.read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    with (catalogues.FOLDER / "pt/LC_MESSAGES/oxonaut.po").open("rb") as file:
        texts = {text for each in read_po(file) for text in forms_of(each.id)}
    assert "Who may enter" in headings & texts
    assert [found for text in texts - headings for found in without_a_noun(text)] == []


# Messages as translators see them


def test_messages_of_the_engine_say_to_translators_what_they_are_about() -> None:
    for file in sorted(ROOT.glob("engine/**/*.py")):
        found = faults_for_translators(file.read_text(encoding="utf-8"))
        assert [*found] == [], file.relative_to(ROOT).as_posix()
