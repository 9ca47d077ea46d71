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

ROOT = Path(__file__).resolve().parents[3]

FOR_READERS = (
    *("accounts", "boards", "bots", "games", "learning", "lobby", "moderation/pages", "play"),
    *("programs", "puzzles", "ratings", "social", "tournaments", "ui", "languages"),
)
"""The folders of `capsule` with strings for readers of pages, and not for operators alone."""

EXEMPT = {
    "capsule/accounts/identity.py": "subjects of keys",
    "capsule/accounts/queries.py": "a name that nobody can have, for the database alone",
    "capsule/bots/pool.py": "the names of questions between processes",
    "capsule/games/maintenance.py": "the faults that `oxonaut check` and `ratings` print",
    "capsule/puzzles/pages/mistakes.py": "subjects of keys",
    "capsule/puzzles/pages/panel.py": "subjects of keys",
    "capsule/ratings/first_ratings.py": "an error that operators read",
    "capsule/social/pages/panel.py": "subjects of keys",
    "capsule/tournaments/pages/tournament.py": "subjects of keys",
}
"""Files with f-strings that no reader of pages sees, and why they have them."""

JOINED = "{effect}. {why}"
"""The one message that joins two: a move's effect and the reason why it is good, in one hint."""

TEMPLATES = sorted(templates_folder().rglob("*.gmi"))
FILES = sorted([*ROOT.glob("engine/**/*.py"), *ROOT.glob("capsule/**/*.py")])


def test_templates_have_whole_sentences() -> None:
    for template in TEMPLATES:
        assert [*faults_of_template(template.read_text(encoding="utf-8"))] == [], template


def test_messages_are_whole_sentences_and_no_reader_sees_an_f_string() -> None:
    readers = tuple(f"capsule/{folder}" for folder in FOR_READERS)
    for file in FILES:
        path = file.relative_to(ROOT).as_posix()
        is_for_readers = path.startswith(readers) and path not in EXEMPT
        found = faults_of_python(file.read_text(encoding="utf-8"), is_for_readers=is_for_readers)
        assert [fault for fault in found if JOINED not in fault] == [], path


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


@pytest.mark.parametrize("path", EXEMPT)
def test_every_exemption_is_still_needed(path: str) -> None:
    source = (ROOT / path).read_text(encoding="utf-8")
    assert [*faults_of_python(source, is_for_readers=True)] != []


PLURAL = "{% trans count=n %}{{ count }} game{% pluralize %}{{ count }} games{% endtrans %}"


def source_of(line: str) -> str:
    """Return a line of a template, whose texts for translators stand in ⟦⟧."""
    return line.replace("⟦", "{% trans %}").replace("⟧", "{% endtrans %}")


@pytest.mark.parametrize(
    "line",
    [
        "⟦You won.⟧{{ space }}⟦It took {{ count }} moves.⟧",
        "⟦You won.⟧{% if again %}{{ space }}⟦You won again.⟧{% endif %}",
        "{% if won %}⟦You won.⟧{% else %}⟦You lost.⟧{% endif %}",
        "=> /g/1 {{ title }}{{ comma }}⟦move {{ n }}⟧{% if r %}{{ comma }}⟦rated⟧{% endif %}",
        "{% for each in all %}⟦one⟧{% if not loop.last %}{{ comma }}{% endif %}{% endfor %}",
        "%% show rules(game)\n⟦lower case⟧\n",
        "```⟦A board⟧\n",
        f"* {{{{ name }}}}{{{{ colon }}}}{PLURAL}",
        "⟦{{ turn }},⟧",
    ],
)
def test_sentences_and_lists_of_facts_are_whole(line: str) -> None:
    assert [*faults_of_template(source_of(line))] == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("⟦You won⟧ ⟦in three moves.⟧", "goes on"),
        ("⟦You won⟧{% if n %}⟦ again⟧{% endif %}.", "goes on"),
        ("⟦You won⟧ {{ moves }}", "goes on"),
        ("⟦You won.⟧⟦Well done.⟧", "goes on"),
        (f"{PLURAL} {{{{ moves }}}}", "goes on"),
        ("{{ name }} ⟦has won.⟧", "begins within"),
        ("# {{ title }}, ⟦the end.⟧", "begins within"),
        ("⟦You won.⟧ ⟦in three moves.⟧", "begins within"),
        ("{% macro end(when) %}⟦, begun on {{ when }}⟧{% endmacro %}", "a part"),
        ("⟦and what follows⟧", "a part"),
        ("⟦Your opponent,⟧", "a part"),
        ("⟦This is a {{ level }} bot.⟧", "article"),
        ("{% trans count=n %}An {{ name }}{% pluralize %}Two{% endtrans %}", "article"),
        ("⟦You won.⟧ ⟦You won again.⟧", "outside"),
        ("* {{ name }}: ⟦rated⟧", "outside"),
        ("{{ reason|words }}.", "outside"),
        ("{{ name }} ({{ side|words }})", "outside"),
        ("{{ x }} – {{ o }}", "outside"),
        ('{{ moves|join(", ") }}', "joined in English"),
        ("{{ each.name|level|capitalize }}", "case"),
        ('{{ moment|when(preferences) ~ "." }}', "operator"),
        ("{{ reason|words + instruction|words }}", "operator"),
    ],
)
def test_a_template_that_glues_is_found(line: str, fault: str) -> None:
    assert any(fault in found for found in faults_of_template(source_of(line)))


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('message(f"{side} wins")', "put together"),
        ('message("You " + verb)', "put together"),
        ('message("You won ") + message("again")', "joined"),
        ('IllegalMove("{cell}, ", cell=cell)', "a part"),
        ('message("which stops {line},", line=line)', "a part"),
        ('message("and {line} is ready", line=line)', "a part"),
        ('message("{effect}; {why}", effect=effect, why=why)', "joins"),
        ('message("You play a {level} bot", level=level)', "article"),
        ('message("Type resign to give up")', "to type"),
        ('print(", ".join(moves))', "joined in English"),
        ('message("{who} wins", who=f"The {side} player")', "value has words"),
        ('plural("{count} game", f"{count} games")', "put together"),
        ('plural("and {count} game", "Games: {count}")', "a part"),
        ('plural("Games: {count}", "and {count} games")', "a part"),
        ('in_context("of a game", "{name}, ")', "a part"),
        ('plural_in_context("of a game", "Rounds: {count}", "{count} rounds,")', "a part"),
        (
            'plural("{count} game", "{count} games") + plural("{count} day", "{count} days")',
            "joined",
        ),
        ('label = f"Game {number} of {name}"', "f-string"),
        ('raise Refused(f"There is no {name}")', "f-string"),
    ],
)
def test_python_that_glues_is_found(source: str, fault: str) -> None:
    assert any(fault in found for found in faults_of_python(source, is_for_readers=True))


@pytest.mark.parametrize(
    "source",
    [
        'message("{side} wins: {reason}", side=side, reason=reason)',
        'plural("{count} game", "{count} games", count=2)',
        'in_context("a part of a sentence,", "{name}")',
        'raise ValueError(f"There is no {name}")',
        'visitor.key(context, f"message of {number}")',
        'path = f"/play/{game.id}"',
    ],
)
def test_whole_messages_and_strings_for_machines_are_left_alone(source: str) -> None:
    assert [*faults_of_python(source, is_for_readers=True)] == []


# Messages as translators see them


def test_messages_of_the_engine_say_to_translators_what_they_are_about() -> None:
    for file in sorted(ROOT.glob("engine/**/*.py")):
        found = faults_for_translators(file.read_text(encoding="utf-8"))
        assert [*found] == [], file.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('message("It takes {count} moves", count=2)', "without a plural"),
        ('in_context("a game", "{count} moves", count=2)', "without a plural"),
        ('message("takes the board")', "without a context"),
        ('message("top left")', "without a context"),
        ('plural("makes {count} line", "makes {count} lines", count=2)', "without a context"),
        ('message("Play in the {board}.", board=name)', "without a comment"),
        (
            'raise IllegalMove("{cell} is in the {board}", cell=cell, board=name)',
            "without a comment",
        ),
        ('# Translators: a board.\n\nmessage("Play in the {board}.")', "without a comment"),
        ('# A comment.\nmessage("Play in the {board}.")', "without a comment"),
        ('message("Play {moves}.", moves=", ".join(moves))', "a list is joined"),
        ('message("Play {moves}.", moves=" or ".join(moves))', "a list is joined"),
        ('message("{side} wins", side=str(name).capitalize())', "case of letters"),
        ('message("{number} wins", number=f"{wins:,}")', "number is written"),
        ('message("{number} points", number=f"{points:g}")', "number is written"),
    ],
)
def test_a_message_that_leaves_a_translator_in_the_dark_is_found(source: str, fault: str) -> None:
    assert any(fault in found for found in faults_for_translators(source))


@pytest.mark.parametrize(
    "source",
    [
        'plural("It takes {count} move", "It takes {count} moves", count=2)',
        'in_context("what a move does", "takes the {board}", board=name)',
        '# Translators: {board} is a name.\nmessage("Play in the {board}.", board=name)',
        '# Translators: {board} is a name,\n# without an article.\nmessage("In the {board}.")',
        'message("e5 is the cell in the middle.")',
        'message("a1+c3 is a move in two cells.")',
        'message("{cell} is taken", cell=cell)',
        'message("Play {moves}.", moves=tuple(moves))',
        'message("The sum is {number}", number=" + ".join(numbers))',
    ],
)
def test_a_message_that_translators_understand_is_left_alone(source: str) -> None:
    assert [*faults_for_translators(source)] == []
