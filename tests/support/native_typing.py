"""Moves and words as people type them in a language, and English that is left in it."""

import re
from collections.abc import Sequence

from capsule.languages.model import CHINESE, PORTUGUESE, Language, override_language
from capsule.ui.render import translate
from engine import Message

_FULL_WIDTH = {code: code + 0xFEE0 for code in range(ord("!"), ord("~") + 1)}

# Words of nearly every English sentence, none of which is one in Portuguese.
_ENGLISH = re.compile(
    r"\b(?:and|are|at|be|from|has|have|is|it|not|of|that|the|this|to|was|were|will|with|you|your)\b",
    re.IGNORECASE,
)


def as_typed(language: Language, text: str) -> str:
    """Return a move or a code as people type it in a language.

    >>> as_typed(CHINESE, "b2=5"), as_typed(PORTUGUESE, "b2=5"), as_typed(PORTUGUESE, "a1+c3")
    ('ｂ２＝５', '5 em b2', 'a1 e c3')
    """
    if language is CHINESE:
        return text.translate(_FULL_WIDTH)
    if language is PORTUGUESE:
        return re.sub(r"(\w+)=(\w+)", r"\2 em \1", text).replace("+", " e ")
    return text


def forms(language: Language, word: Message) -> Sequence[str]:
    """Return the forms of a word to type at a prompt, the English one among them."""
    with override_language(language):
        return [*translate(word).split("|"), str(word)]


def english_in(text: str) -> bool:
    """Return whether a sentence has words that no sentence in another language has.

    >>> english_in("Nothing is at this address"), english_in("Não há nada neste endereço")
    (True, False)
    """
    return _ENGLISH.search(text) is not None
