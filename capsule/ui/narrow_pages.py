"""Narrow pages, for visitors who have no settings: `?narrow` in an address asks for one.

A page that is `narrowable` leads on to others as narrow as it is itself. `?wide`, which no page
reads, is the way back.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.ui.columns import width
from engine.style import NARROW as NARROW_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable

    from capsule.gemini.types import Response

NARROW = "narrow"
"""The query of a narrow page; one that the page reads itself follows an ampersand."""

WIDE = "wide"
"""The query of the same page as wide as all others."""

_FENCE = "```"

_LINK = re.compile(r"^=> (/[^\s?]*)(?:\?(\S+))?(?=\s)", re.MULTILINE)


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


def with_narrow_links(page: Response, is_narrowable: Callable[[str], bool]) -> Response:
    r"""Return a page whose links to pages at narrowable paths ask for narrow ones.

    >>> from capsule.gemini.types import Response
    >>> page = Response(20, "text/gemini", "=> /a?b1 Go\n=> /a?wide Wide\n=> /b Elsewhere\n")
    >>> print(with_narrow_links(page, lambda path: path == "/a").body, end="")
    => /a?narrow&b1 Go
    => /a?wide Wide
    => /b Elsewhere
    """

    def narrowed(link: re.Match[str]) -> str:
        path, query = link.groups()
        if query == WIDE or not is_narrowable(path):
            return link[0]
        return f"=> {path}?{NARROW}&{query}" if query else f"=> {path}?{NARROW}"

    return replace(page, body=_LINK.sub(narrowed, page.body))
