"""A pseudo-language: every translated text comes out in «», so that what stands outside is not.

A page in this language shows which of its words translators would never get to see.
"""

import gettext
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from capsule.languages import model
from capsule.languages.model import DEFAULT, Language
from engine.game import ENGLISH as AS_WRITTEN

_PREFIX = re.compile(r"=> \S+|#{1,3} |\* |>|```")
_TRANSLATED = re.compile("«[^«»]*»")
_ADDRESS = re.compile(r"gemini://\S+|(?<!\S)/\S+")
_MOVE = re.compile(r"\b[a-z]{1,2}[0-9]{1,2}(?:\+[a-z]{1,2}[0-9]{1,2}|=[0-9]+)?\b")
_SIDE = re.compile(r"\b[XO]\b")
_GAME = re.compile(r"\([a-z2-7]{10}\)$")
_HEXADECIMAL = re.compile(r"\b[0-9a-f]{4}(?:[0-9a-f]{60})?\b")
_CODE = re.compile(r"\b[A-Z2-9]{4}-[A-Z2-9]{4}\b")
_DURATION = re.compile(r"\b[0-9]+ (?:day|hour|minute)s?\b")
_SIGN = re.compile(r"[,;]|(?<! ):")
_TERM = re.compile(r"^[a-z]+=[a-z0-9|]+$")


class PseudoTranslations(gettext.NullTranslations):
    """The translations of English into English between guillemets."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"«{msgid1 if n == 1 else msgid2}»"

    def pgettext(self, context: str, message: str) -> str:
        del context
        return self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        del context
        return self.ngettext(msgid1, msgid2, n)


PSEUDO = PseudoTranslations()


@contextmanager
def pseudo_translated() -> Iterator[None]:
    """Render every page in the pseudo-language during the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Language, "translations", PSEUDO)
        yield


@contextmanager
def all_languages_offered() -> Iterator[None]:
    """Offer every language during the block, each of which but English is the pseudo-language."""

    def translations(language: Language) -> gettext.NullTranslations:
        return AS_WRITTEN if language.key == DEFAULT else PSEUDO

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "OFFERED", model.LANGUAGES)
        patch.setattr(Language, "translations", property(translations))
        yield


def untranslated(page: str, names: Iterable[str] = ()) -> list[str]:
    """Return the lines of a page in the pseudo-language with words that nobody can translate.

    Nor may signs stand outside, such as the comma between two facts. Moves, the sides X and O,
    addresses and their terms, games' ids, fingerprints, codes and `names` (of players, variants,
    programs) are no words, nor are durations, which Babel puts into words. Of a preformatted block
    only its title is looked at.
    """
    found = []
    in_block = False
    for line in page.splitlines():
        fence = line.startswith("```")
        if not in_block and _is_left(line, names):
            found.append(line)
        in_block ^= fence
    return found


@cache
def _pattern_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds names, the longest first."""
    any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{any_name})(?!\w)")


def _is_left(line: str, names: Iterable[str]) -> bool:
    """Return whether a line has words or signs of English outside of what is translated."""
    prefix = _PREFIX.match(line)
    text = line[prefix.end() :] if prefix else line
    while _TRANSLATED.search(text):
        text = _TRANSLATED.sub("", text)
    text = _pattern_of(tuple(names)).sub("", text)
    for harmless in (_ADDRESS, _MOVE, _SIDE, _GAME, _HEXADECIMAL, _CODE, _TERM, _DURATION):
        text = harmless.sub("", text)
    return any(character.isalpha() for character in text) or _SIGN.search(text) is not None
