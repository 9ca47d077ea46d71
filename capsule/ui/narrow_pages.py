"""Narrow pages, for visitors who have no settings: `?narrow` in an address asks for one.

A page that is `narrowable` leads on to others as narrow as it is itself. `?wide`, which no page
reads, is the way back.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from capsule.ui.columns import width
from engine.style import NARROW as NARROW_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


NARROW = "narrow"
"""The query of a narrow page; one that the page reads itself follows an ampersand."""

WIDE = "wide"
"""The query of the same page as wide as all others."""

_FENCE = "```"

_leads_to: ContextVar[Callable[[str], bool] | None] = ContextVar("leads to", default=None)


def is_wide(*drawings: str | None) -> bool:
    r"""Return whether any of the drawings or blocks has a row that is too long for a narrow page.

    >>> is_wide("~ X\n~ O", None), is_wide("~ " * 21)
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
