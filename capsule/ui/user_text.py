"""What people type to be read by others: one line, not too long, with something in it.

Templates keep every value on its line as well. Here a text becomes what it will be seen as, so that
its length is counted as its writer would, and so that every database takes it.
"""

from __future__ import annotations

import re
import unicodedata

from capsule.errors import Refused
from engine.game import message

MAX_TEXT_LENGTH = 280
"""Characters of a message, a note or a report."""

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]+")
"""Whatever could begin a line or turn one around, or has no place in UTF-8 or XML.

Controls, line and paragraph separators, the characters that change the direction of text;
surrogates, which UTF-8 has not, and the two last characters below U+10000, which XML has not: with
one of them, no reader takes a feed.
"""

# Letters and symbols by their categories, and blank to the eye: many of them could push what
# follows down to where it looks like a line of its own.
_BLANK = re.compile("[\u115f\u1160\u2800\u3164\uffa0]+")


class TextRefused(Refused):
    """A text that is empty, too long or one too many; `message` says which."""


def clean_line(text: str, longest: int = MAX_TEXT_LENGTH) -> str:
    r"""Return a typed text as it will be seen: on one line, without spaces at its ends.

    Raises `TextRefused` where nothing is left to see, or more than `longest` characters.

    >>> clean_line("  well\r\n=> played ")
    'well => played'
    """
    line = " ".join(_BLANK.sub(" ", UNPRINTABLE.sub(" ", text)).split())
    if not any(unicodedata.category(each)[0] in "LNPS" for each in line):
        raise TextRefused(message("There is nothing to read in it"))
    if len(line) > longest:
        raise TextRefused(
            message(
                "That has {length} characters, and {longest} are the most",
                length=len(line),
                longest=longest,
            )
        )
    return line


def is_confirmed(typed: str | None, word: str) -> bool:
    """Tell whether somebody typed the word that they were asked for, in whichever case."""
    return (typed or "").strip().lower() == word
