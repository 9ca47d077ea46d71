"""The columns that text takes on a screen, where Chinese characters and signs take two each."""

from __future__ import annotations

import re
import textwrap
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ELLIPSIS = "…"
"""The end of a text that was shortened."""

_CLOSING = "，。、：；！？」』）》…"
_OPENING = "「『（《"
# Text may be broken before and after each Chinese character, but neither before a closing sign nor
# after an opening one.
_PIECE = re.compile(
    rf"\s+|[{_OPENING}]*(?:(?![{_OPENING}{_CLOSING}])[\u2e80-\U0003fffd]"
    rf"|[^\s\u2e80-\U0003fffd]+)[{_CLOSING}]*|\S"
)

_LATIN = re.compile("[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2190-\u2319\u2500-\u25fc]*")
"""Text whose characters take one column each: letters, figures, dashes, and those of drawings."""


def width(text: str) -> int:
    """Return how many columns a text takes.

    >>> width("e5"), width("輪到 X")
    (2, 6)
    """
    # Nearly all text is Latin, and needs no look at each character.
    if is_latin(text):
        return len(text)
    # Its tables take a megabyte, which most capsules never need.
    from wcwidth import wcwidth  # noqa: PLC0415

    return sum(max(wcwidth(each), 0) for each in text)


def is_latin(text: str) -> bool:
    """Return whether a text needs as many columns as it has characters, as Latin ones do."""
    return text.isascii() or _LATIN.fullmatch(text) is not None


def is_wide(text: str) -> bool:
    """Return whether a text has characters of two columns."""
    return width(text) > len(text)


def left(text: str, columns: int) -> str:
    """Return a text at the left of a number of columns.

    >>> left("棋力", 6), left("club", 6)
    ('棋力  ', 'club  ')
    """
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """Return a text at the right of a number of columns.

    >>> right("棋力", 6), right("12", 6)
    ('  棋力', '    12')
    """
    return " " * (columns - width(text)) + text


def shortened(text: str, columns: int) -> str:
    """Return a text that takes at most a number of columns.

    >>> shortened("alice", 5), shortened("a former player", 9), shortened("已刪除的玩家", 9)
    ('alice', 'a former…', '已刪除的…')
    """
    if width(text) <= columns:
        return text
    while width(text) >= columns:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def wrapped(text: str, columns: int) -> list[str]:
    """Return a line of text as lines that take at most a number of columns, where words allow.

    >>> wrapped("three in a row", 8), wrapped("輪到你了。請下在右上。", 10)
    (['three in', 'a row'], ['輪到你了。', '請下在右', '上。'])
    >>> wrapped("O 的是 a1（o4）、a2（o2）", 11)
    ['O 的是 a1', '（o4）、a2', '（o2）']

    A word that is longer than a line is broken anywhere.
    """
    if not is_wide(text):
        return textwrap.wrap(text, columns, break_on_hyphens=False)
    return [line.rstrip() for line in _filled(text, columns)]


def _filled(text: str, columns: int) -> Iterator[str]:
    line = ""
    found = _PIECE.findall(text)
    pieces = ([each] if width(each) <= columns else each for each in found)
    for piece in chain.from_iterable(pieces):
        if line and width(f"{line}{piece}".rstrip()) > columns:
            yield line
            line = ""
        line += piece if line else piece.lstrip()
    if line:
        yield line
