"""Text from outside stays on its line, and names, lists and signs are those of the language."""

import re
from gettext import NullTranslations

import pytest
from hypothesis import given, strategies as st
from jinja2 import Environment

from capsule.gemini.types import Request
from capsule.ui.drawings import table
from capsule.ui.render import block, environment, meta, single_line, templates_folder
from capsule.ui.template_syntax import CompiledTranslations, install_translations
from engine import VARIANTS
from engine.bots.levels import level_label
from tests.support.client import Client, link
from tests.support.pseudo_translation import pseudo_translated
from tests.support.stories import ALICE, start


@given(st.text())
def test_no_value_breaks_its_line(text: str) -> None:
    assert len(single_line(text).splitlines()) <= 1


@given(st.text(st.characters()))
def test_a_meta_is_always_fit_for_the_wire(text: str) -> None:
    made = meta(text)
    assert len(made.encode()) <= 1024
    assert not set(made) & {"\r", "\n", "\t", "\0"}


@given(st.text(), st.text())
def test_a_block_ends_where_it_should(text: str, title: str) -> None:
    rows = block(text, title).split("\n")
    fences = [number for number, row in enumerate(rows) if row.startswith("```")]
    assert fences == [0, len(rows) - 1]


def test_whatever_is_typed_as_a_move_comes_back_on_one_line(client: Client) -> None:
    for variant in ("tinc", "ultimate", "numeric", "quantum", "extreme"):
        url = start(client, variant, "solo")
        move = link(client.get(url, ALICE), "/move")
        for typed in ("\r\n20 text/gemini\r\n# hello", "a" * 900, "\u202eevil", "\ud800", "%s {x}"):
            answer = client.ask_for(Request(move, typed, ALICE))
            assert answer.status == 10
            side = "Odd" if variant == "numeric" else "X"
            assert answer.meta.endswith(f"Your move, {side}")
            assert single_line(answer.meta) == answer.meta


def test_a_reason_that_quotes_something_long_leaves_the_question_whole(client: Client) -> None:
    prompt = link(client.get("/play/new/tinc", ALICE), "/challenge")
    answer = client.type(prompt, "ß" * 990, ALICE)
    assert answer.meta.startswith("Nobody here is called ßß")
    assert answer.meta.endswith("ß… The name of the player to challenge")
    assert len(answer.meta.encode()) <= 1024


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("{{ game }}", "«Tinc»"),
        ("{% trans variant=game %}Rules of {{ variant }}{% endtrans %}", "«Rules of «Tinc»»"),
        ('{% trans "a page" variant=game %}{{ variant }}{% endtrans %}', "««Tinc»»"),
        (
            "{% trans count=2, v=game %}{{ v }}{% pluralize %}{{ count }} {{ v }}{% endtrans %}",
            "«2 «Tinc»»",
        ),
        ('{{ _("%(variant)s alone", variant=game) }}', "««Tinc» alone»"),
        ('{{ ["a1", game]|listed }}', "«a1«, »«Tinc»»"),
        ("{{ game }}{{ colon }}a1{{ comma }}b2{{ space }}c3", "«Tinc»«: »a1«, »b2« »c3"),
        ("{{ 1234.5|number }}", "1,234.5"),
        ("{% filter beginning %}five games{% endfilter %}", "Five games"),
    ],
)
def test_names_lists_and_signs_are_those_of_the_language(source: str, shown: str) -> None:
    with pseudo_translated():
        template = environment().from_string(source)
        assert template.render(game=VARIANTS["tinc"].name) == shown


def test_a_table_has_names_in_the_language() -> None:
    with pseudo_translated():
        assert table([(1, level_label("club"))], {1}) == "1  «club»"


def test_a_percent_sign_does_not_hide_a_sentence_from_its_translation() -> None:
    class Shouted(NullTranslations):
        def gettext(self, message: str) -> str:
            return {"A %APPDATA% folder": "UMA PASTA %APPDATA%"}.get(message, message)

    made = Environment(extensions=[CompiledTranslations])
    install_translations(made, Shouted())
    shown = made.from_string("{% trans %}A %APPDATA% folder{% endtrans %}").render()
    assert shown == "UMA PASTA %APPDATA%"


def test_templates_leave_times_to_the_two_filters() -> None:
    made_by_hand = re.compile(r"\.date\(|strftime|isoformat|\.time\(|UTC(?! \w)")
    for template in sorted(templates_folder().rglob("*.gmi")):
        if template.name not in ("feed.gmi", "settings.gmi"):
            found = made_by_hand.findall(template.read_text(encoding="utf-8"))
            assert not found, template.name
