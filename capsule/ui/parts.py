"""Parts of pages that change more often than the rest, and are kept by themselves.

A template names a part where its text belongs, and whoever answers the request puts it there: what
the Web calls an edge-side include. A part has a route of its own, without a slash, so that nobody
can ask for it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from capsule.gemini.types import Response

if TYPE_CHECKING:
    from capsule.gemini.types import Answer

A = TypeVar("A", bound="Answer")

_PLACE = re.compile("\x1d([a-z-]+)\x1d")
"""The place of a part and its name; no text from anybody else keeps a control character."""


def place_of(name: str) -> str:
    """Return what stands in a page where the text of a part belongs."""
    return f"\x1d{name}\x1d"


def missing_part(page: Response) -> str | None:
    """Return the name of the part that a page lacks, None if it is complete."""
    found = _PLACE.search(page.body)
    return found and found[1]


def with_part(page: Response, part: A) -> Response | A:
    """Return a page with the part that it lacks, or what came in the place of that part."""
    if not isinstance(part, Response) or part.status != page.status:
        return part
    text = part.body.removesuffix("\n")
    return replace(page, body=_PLACE.sub(lambda _: text, page.body, count=1))
