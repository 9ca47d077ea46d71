"""Texts that people type for others to read: one line, not too long, not blank.

Templates also keep every value on its line. Here a text is reduced to its visible form, so that its
length is what its author would count, and so that every database can store it.
"""

import re
import unicodedata

from capsule.errors import OverLimit, Refused
from engine import message

MAX_TEXT_LENGTH = 280
"""Characters of a message, a note or a report."""

ROOM_FOR_TEXT = message(
    "At most {count} characters (about 150 in Cyrillic or Greek, 100 in Chinese).",
    count=MAX_TEXT_LENGTH,
)
"""The beginning of a prompt for such a text.

An address has at most 1024 bytes, and browsers write each byte of other scripts as three.
"""

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]+")
"""Characters that could begin a line or reverse one, or are not allowed in UTF-8 or XML.

They are control characters, line and paragraph separators, characters that change the direction of
text, surrogates, which UTF-8 excludes, and the last two characters below U+10000, which XML
excludes: a feed with one of them cannot be read.
"""

# These are letters and symbols by category, but look blank: many in a row could push the text that
# follows down until it looks like a line of its own.
_BLANK = re.compile("[\u115f\u1160\u2800\u3164\uffa0]+")


# Two texts that differ in these alone look the same: soft hyphens, zero-width spaces and joiners,
# marks of direction, selectors of variants, tags. They are what Unicode calls default ignorable,
# apart from those above, and the signs around annotations.
INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Characters that leave no trace on a page."""

MAX_MARKS = 2
"""Marks above and below one letter: languages need two, and a tower of them covers other lines."""


def is_blank(character: str) -> bool:
    """Return whether a character leaves no trace on a page."""
    return INVISIBLE.match(character) is not None or _BLANK.match(character) is not None


class TextRefused(Refused):
    """A text that is blank or too long, or one too many; `message` says which."""


class TextOverLimit(OverLimit, TextRefused):
    """A text that is one too many: it may be sent later as it is."""


def clean_line(text: str, max_length: int = MAX_TEXT_LENGTH) -> str:
    r"""Return a typed text as it will be seen: on one line, without spaces at either end.

    Characters that cannot be seen are dropped, and so are marks on nothing and those that are piled
    up on a letter. Raises `TextRefused` if nothing visible is left, or more than `max_length`
    characters.

    >>> clean_line("  well\r\n=> played ")
    'well => played'
    >>> clean_line("spring\u200b cu\u00adp")
    'spring cup'
    """
    line = visible_line(text)
    if not line:
        raise TextRefused(message("There is nothing to read in it"))
    if len(line) > max_length:
        raise TextRefused(
            message(
                "Your text has {length} characters, but only {limit} fit",
                length=len(line),
                limit=max_length,
            )
        )
    return line


def visible_line(text: str) -> str:
    """Return a typed text as it will be seen, "" if nothing in it can be."""
    visible = INVISIBLE.sub("", UNPRINTABLE.sub(" ", text))
    composed = unicodedata.normalize("NFC", _BLANK.sub(" ", visible))
    line = " ".join(_without_excess_marks(composed).split())
    return line if any(unicodedata.category(each)[0] in "LNPS" for each in line) else ""


def quotation(text: str) -> str:
    """Return a typed text as its author is shown it again: on one line, and not too long."""
    line = visible_line(text)
    return line if len(line) <= MAX_TEXT_LENGTH else f"{line[: MAX_TEXT_LENGTH - 1]}…"


def _without_excess_marks(text: str) -> str:
    """Return a text without marks that have no letter, or `MAX_MARKS` before them on theirs."""
    kept: list[str] = []
    marks = MAX_MARKS
    for character in text:
        is_mark = unicodedata.category(character) in ("Mn", "Me")
        if is_mark and marks >= MAX_MARKS:
            continue
        if is_mark:
            marks += 1
        else:
            marks = MAX_MARKS if character.isspace() else 0
        kept.append(character)
    return "".join(kept)
