"""Words that visitors type at prompts, in the language of their pages or in English.

The translation of a word may have others after a "|", which are understood, too: other forms, or
the characters of another script. Prompts name the first one.
"""

import re
import unicodedata
from functools import cache

from capsule.ui.render import translate
from engine import Message, in_context

# All words stand in one place, so that translators choose them together.
# Translators: the first form is named in prompts. Others that are understood, too, follow without
# spaces: “認輸|认输”.
ABORT = in_context("a word to type at a prompt, and others after |", "abort")
BLOCK = in_context("a word to type at a prompt, and others after |", "block")
CANCEL = in_context("a word to type at a prompt, and others after |", "cancel")
CLAIM = in_context("a word to type at a prompt, and others after |", "claim")
CLEAR = in_context("a word to type at a prompt, and others after |", "clear")
ERASE = in_context("a word to type at a prompt, and others after |", "erase")
LEAVE = in_context("a word to type at a prompt, and others after |", "leave")
NONE = in_context("a word to type at a prompt, and others after |", "none")
PROGRAM = in_context("a word to type at a prompt, and others after |", "program")
REMOVE = in_context("a word to type at a prompt, and others after |", "remove")
RESIGN = in_context("a word to type at a prompt, and others after |", "resign")
REVOKE = in_context("a word to type at a prompt, and others after |", "revoke")

# Translators: these divide planned moves, as in “if d4 then e5”. Further forms follow, as above:
# “então|entao”.
IF = in_context("typed between planned moves, with others after |", "if")
THEN = in_context("typed between planned moves, with others after |", "then")


def is_typed(typed: str | None, word: Message) -> bool:
    """Return whether a visitor typed a word, in any case.

    >>> is_typed(" Resign ", RESIGN), is_typed("resign now", RESIGN), is_typed(None, RESIGN)
    (True, False, False)
    """
    return _plain(typed or "") in _forms(word)


def naming(prompt: Message, word: Message) -> Message:
    """Return a prompt that names a word to type, as its value `word`."""
    return prompt.filled(word=translate(word).split("|")[0].strip())


def between_moves(typed: str) -> list[str]:
    """Return the parts of a plan that is typed, which "if" and "then", arrows or signs divide.

    >>> between_moves("If e5 then d4; a1 -> c3")
    ['', 'e5', 'd4', 'a1', 'c3']
    """
    return [_bare(part) for part in _separators(translate(IF), translate(THEN)).split(typed)]


def in_a_row(typed: str) -> list[str]:
    """Return the parts of a list of moves that is typed as pages write it, in any language.

    >>> in_a_row("a1, c1+c2"), in_a_row("a1、c1+c2"), in_a_row("a1")
    (['a1', 'c1+c2'], ['a1', 'c1+c2'], ['a1'])
    """
    return [part for part in map(_bare, re.split("[,，、]", typed)) if part]


def _bare(part: str) -> str:
    return part.strip(" ,，、。")


def _forms(word: Message) -> set[str]:
    return {_plain(form) for form in (str(word), *translate(word).split("|"))}


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


@cache
def _separators(*own: str) -> re.Pattern[str]:
    words = {str(IF), str(THEN), *(form.strip() for each in own for form in each.split("|"))}
    patterns = sorted(map(_pattern, words), key=len, reverse=True)
    return re.compile(rf"{'|'.join(patterns)}|->|[;>→]", re.IGNORECASE)


def _pattern(word: str) -> str:
    # A script without capitals, such as Chinese, puts no space between a word and the move.
    has_capitals = word.upper() != word.lower()
    return rf"\b{re.escape(word)}\b" if has_capitals else re.escape(word)
