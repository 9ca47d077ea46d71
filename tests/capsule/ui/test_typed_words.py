"""Words at prompts may be typed in the language of the pages, and in English."""

import gettext

import pytest

from capsule.languages.model import Language
from capsule.ui.typed_words import IF, RESIGN, THEN, between_moves, is_typed

OWN = {RESIGN.text: "認輸|认输", IF.text: "若|se", THEN.text: "則|则|então"}


class Translations(gettext.NullTranslations):
    """Words of several languages at once."""

    def pgettext(self, context: str, message: str) -> str:
        del context
        return OWN.get(message, message)


@pytest.fixture(autouse=True)
def language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Language, "translations", Translations())


@pytest.mark.parametrize("typed", [None, "", "認", "認輸|认输", "abort"])
def test_nothing_else_is_taken_for_a_word(typed: str | None) -> None:
    assert not is_typed(typed, RESIGN)


@pytest.mark.parametrize(
    "typed",
    [
        "若d4則e5",
        "若 d4 则 e5",
        "se d4 então e5",
        "Se d4 ENTÃO e5",
        "if d4 then e5",
        "d4 -> e5",
        "d4 → e5",
        "d4;e5",
    ],
)
def test_moves_of_a_plan_are_divided_by_the_words_of_the_language(typed: str) -> None:
    assert [each for each in between_moves(typed) if each] == ["d4", "e5"]


def test_a_word_divides_nothing_within_another() -> None:
    assert between_moves("sete") == ["sete"]
