"""The columns that text takes on a screen, where Chinese characters and signs take two each."""

import re
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain

from engine.style import NARROW as NARROW_COLUMNS

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


NARROW = "narrow"
"""The query of a narrow page; one that the page reads itself follows an ampersand."""

WIDE = "wide"
"""The query of the same page as wide as all others."""

_FENCE = "```"

_leads_to: ContextVar[Callable[[str], bool] | None] = ContextVar("leads to", default=None)


def is_wide_drawing(*drawings: str | None) -> bool:
    r"""Return whether any of the drawings or blocks has a row that is too long for a narrow page.

    >>> is_wide_drawing("~ X\n~ O", None), is_wide_drawing("~ " * 21)
    (False, True)
    """
    return any(
        width(row) > NARROW_COLUMNS and not row.startswith(_FENCE)
        for drawing in drawings
        if drawing is not None
        for row in drawing.splitlines()
    )


def without_narrow(query: str | None) -> tuple[str | None, bool]:
    """Return what else the query of a narrowable page asks for, and whether for a narrow one.

    >>> without_narrow("narrow&b12"), without_narrow("b12")
    (('b12', True), ('b12', False))
    """
    first, _, rest = (query or "").partition("&")
    return (rest or None, True) if first == NARROW else (query, False)


@contextmanager
def leading_to_narrow_pages(is_narrowable: Callable[[str], bool]) -> Iterator[None]:
    """Lead to narrow pages during the block, in this thread, where a path's page may be one."""
    token = _leads_to.set(is_narrowable)
    try:
        yield
    finally:
        _leads_to.reset(token)


def narrowed(address: str) -> str:
    """Return the address of a page as a page leads to it that is made now.

    >>> with leading_to_narrow_pages(lambda path: path == "/a"):
    ...     [narrowed(address) for address in ("/a", "/a?b1", "/a?wide", "/b")]
    ['/a?narrow', '/a?narrow&b1', '/a?wide', '/b']
    """
    is_narrowable = _leads_to.get()
    if is_narrowable is None:
        return address
    path, _, query = address.partition("?")
    if query == WIDE or not is_narrowable(path):
        return address
    return f"{path}?{NARROW}&{query}" if query else f"{path}?{NARROW}"
