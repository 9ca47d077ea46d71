"""A walk along the links of the capsule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.support.client import links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capsule.gemini.types import Certificate
    from tests.support.client import Client

_KEY = re.compile("/[a-z2-7]{26}/")

_ENDLESS = re.compile("/board/[a-z]+/.+|/(play/)?puzzles/[a-z]+/(?![12](/|$))[0-9].*")


def is_endless(url: str) -> bool:
    """Tell whether a page is one of very many like it: boards with moves, and all but two puzzles.

    >>> is_endless("/board/tinc/a1"), is_endless("/board/tinc/"), is_endless("/puzzles/tinc/12")
    (True, False, True)
    """
    return _ENDLESS.match(url) is not None


def walk(client: Client, who: Certificate) -> Iterator[tuple[str, str]]:
    """Yield the address and the text of each page that somebody comes to by links."""
    seen, wanted = set(), ["/", "/play/", "/play/me/", "/games/", "/help/"]
    views = 0
    for path in wanted:  # grows while it is read
        if path in seen:
            continue
        seen.add(path)
        answer = client.ask(path, who)
        if answer.status != 20 or not answer.meta.startswith("text/gemini"):
            continue
        yield path, answer.body
        if path.startswith("/board/"):
            # From board to board there is no end.
            continue
        for found in links(answer.body).values():
            # A hint in a game is noted too, but on no page; that for a puzzle is told.
            is_hint = found.endswith("/hint") and "/puzzles/" not in found
            is_action = _KEY.search(found) and not is_hint
            views += "?" in found
            is_wanted = "?" not in found or views < 20
            if found.startswith("/") and not is_action and is_wanted and not is_endless(found):
                wanted.append(found)
