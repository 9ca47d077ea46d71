"""Typed text is stored as it looks: nothing in it is hidden, and no marks are piled up."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from capsule.db.schema.tournaments import tournaments
from capsule.ui.render import single_line
from capsule.ui.user_text import TextRefused, clean_line
from tests.support.client import Client, link, links
from tests.support.console import Console
from tests.support.conversation import said, say
from tests.support.stories import ALICE, BOB
from tests.support.tournaments import announce

HIDDEN = (
    *"\xad\u034f\u061c\u17b4\u180e\u2060\u2064\u206f\ufe0f\ufeff\ufff9\U0001d173",
    *map(chr, range(0x200B, 0x2010)),
    *map(chr, (0xE0001, 0xE0020, 0xE0061, 0xE007F, 0xE0100, 0xE01EF)),
)
"""Characters that nobody sees, whatever else they do."""

TOWER = "o" + "\u0300\u0323\u0335" * 8


def test_two_texts_that_look_the_same_are_the_same() -> None:
    for hidden in HIDDEN:
        assert clean_line(f"{hidden}autumn{hidden} c{hidden}up{hidden}") == "autumn cup"
        with pytest.raises(TextRefused):
            clean_line(hidden)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (TOWER, "\u1ecd\u0335\u0335"),
        ("e\u0301te\u0301", "\xe9t\xe9"),
        ("Vi\xea\u0323t", "Vi\u1ec7t"),
        ("\u0301a \u0301b", "a b"),
        ("\u05e9\u05c1\u05b8", "\u05e9\u05c1\u05b8"),
        ("\u0928\u092e\u0938\u094d\u0924\u0947", "\u0928\u092e\u0938\u094d\u0924\u0947"),
    ],
)
def test_a_letter_has_two_marks_at_most(typed: str, kept: str) -> None:
    assert unicodedata.normalize("NFC", clean_line(typed)) == unicodedata.normalize("NFC", kept)


@given(st.text())
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    try:
        line = clean_line(text, max_length=10_000)
    except TextRefused:
        return
    assert clean_line(line, max_length=10_000) == line
    assert single_line(line) == line


def test_no_tournament_passes_for_another_by_what_cannot_be_seen(client: Client) -> None:
    first = announce(client, title="The autumn cup")
    second = announce(client, title=f"The {HIDDEN[0]}au\u200btumn\U000e0061 c\u200fup", who=BOB)
    headings = {client.get(url).partition("\n")[0] for url in (first, second)}
    assert headings == {"# The autumn cup"}


def test_no_message_hides_anything(client: Client, game: str) -> None:
    say(client, game, f"well\u200b pla\u2060yed {TOWER}", ALICE)
    assert said(client, game, BOB) == [f"alice: well played {clean_line(TOWER)}"]
    assert len(clean_line(TOWER)) <= 4


def test_no_note_hides_anything(client: Client, game: str) -> None:
    client.type(
        link(client.get(f"{game}/more", ALICE), "/note"), "keep\ufeff the c\u200centre", ALICE
    )
    assert "keep the centre" in client.get(game, ALICE)


def test_no_label_hides_anything(client: Client, game: str) -> None:
    prompt = links(client.get("/play/me/", ALICE))["Label certificate 1"]
    client.type(prompt, "pho\u200dne\U000e0020", ALICE)
    assert "### 1. phone: the one that you use now\n" in client.get("/play/me/", ALICE)


def test_neither_a_report_nor_the_operators_reason_hides_anything(
    client: Client, console: Console, game: str
) -> None:
    client.type(link(client.get(f"{game}/messages", ALICE), "/report"), "bob is ru\u200bde", ALICE)
    assert "alice about bob: bob is rude\n" in console.admin("reports")
    console.admin("warn bob 'be po\u2060lite'")
    assert "be polite" in client.get("/play/", BOB)


def test_a_title_from_an_earlier_version_hides_nothing_on_a_page(client: Client) -> None:
    url = announce(client, title="cup")
    with client.database.writing() as connection:
        connection.execute(tournaments.update().values(title="c\u200bu\u202ep"))
    assert client.get(url).startswith("# cu p\n")
