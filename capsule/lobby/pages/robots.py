"""`/robots.txt`: addresses without end, and those that give puzzles away, are not for crawlers.

Gemini's convention for robots.txt knows beginnings of paths alone. Some crawlers take these as they
are, some only up to a slash; some know `*`, and others pass a line over that has one in its middle.
So a beginning that ends within a name stands there twice, with and without `*`; and what no
beginning can tell apart, such as the positions of a game and the game, has a line with `*`. No line
ends in `?`, since some drop that, and would leave alone all that is there. Every line stands there
once for each language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.learning.lessons.collection import lesson_in
from capsule.ui import languages, responses
from capsule.ui.narrow_pages import NARROW, WIDE
from capsule.ui.routes import cacheable
from engine import VARIANTS
from engine.puzzles.collection import puzzles_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Variant

PERSONAL = (
    "/mail/",
    "/play/cups/",
    "/play/desk",
    "/play/me/",
    "/play/new/",
    "/play/next",
    "/play/players/",
    "/play/puzzles/",
    "/play/tournaments/new",
    "/players/find",
)
"""Beginnings of addresses of pages that are made for one person, or ask for something."""

WITHIN_A_GAME = (
    *(f"/play/*/{digit}" for digit in range(10)),
    "/play/*/live",
    "/play/*at-",
)
"""The positions of a game, the page that stays open, and the game's own page at other times."""

OF_OTHER_WIDTH = tuple(
    f"{area}/*{width}" for area in ("/play", "/rules") for width in (NARROW, WIDE)
)
"""The same pages for narrow screens, and the ways back from these."""


@cacheable
def robots(context: AppContext, request: Request) -> Response:
    """Return the addresses that crawlers should skip."""
    del context, request
    prefixes = [language.prefix for language in languages.OFFERED.values()]
    lines = [f"Disallow: {prefix}{start}" for start in _disallowed() for prefix in prefixes]
    # For crawlers that know `Allow`: a tournament is no position of a game.
    return responses.text("\n".join(["User-agent: *", *lines, "Allow: /play/tournaments/", ""]))


def _disallowed() -> Iterator[str]:
    yield from PERSONAL
    yield from WITHIN_A_GAME
    yield from OF_OTHER_WIDTH
    for variant in VARIANTS.values():
        yield from _beyond_the_start(variant)
        lesson = lesson_in(variant.key)
        for number in range(1, len(lesson.steps) + 1 if lesson else 1):
            yield f"/rules/{variant.key}/try/{number}/"
        for puzzle in puzzles_of(variant.key):
            yield f"/puzzles/{variant.key}/{puzzle.number}/"


def _beyond_the_start(variant: Variant) -> Iterator[str]:
    """Yield the beginnings of all boards but the first: the letters of the first moves.

    >>> [*_beyond_the_start(VARIANTS["tinc"])][:4]
    ['/board/tinc/?engine', '/board/tinc/move', '/board/tinc/a', '/board/tinc/a*']
    """
    start = f"/board/{variant.key}/"
    yield f"{start}?engine"
    yield f"{start}move"
    for letter in sorted({"~", *(move[0] for move in variant.start.legal_moves())}):
        yield f"{start}{letter}"
        yield f"{start}{letter}*"


ROUTES: Routes = ((r"/robots\.txt", robots),)
