"""`/robots.txt`: addresses without end, and those that give puzzles away, are not for crawlers.

Gemini's convention for robots.txt knows beginnings of paths alone. So what is without end stands
there by its beginning; what no beginning can tell apart, such as the positions of a game and the
game, or the answers to a puzzle and the puzzle, has a line with `*`. Crawlers that pass such lines
over come to an end all the same, and meet answers. No line ends in `?`, since some drop that, and
would leave alone all that is there. Every line stands there once for each language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui import languages, responses
from capsule.ui.narrow_pages import NARROW, WIDE
from capsule.ui.routes import cacheable
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

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

WITH_ANSWERS = ("/puzzles/*/*/", "/rules/*/try/*/")
"""The answers to puzzles and lessons, their hints and their solutions."""

BOARDS = "/board/"
"""The beginning of the addresses of boards, each of which leads on to others."""

NOTE = """\
# Lines with a star inside are for crawlers that know it. The others will meet prompts,
# and pages that answer puzzles."""


@cacheable
def robots(context: AppContext, request: Request) -> Response:
    """Return the addresses that crawlers should skip."""
    del context, request
    prefixes = [language.prefix for language in languages.OFFERED.values()]
    lines = [f"Disallow: {prefix}{start}" for start in _disallowed() for prefix in prefixes]
    # For crawlers that know `Allow`: a tournament is no position of a game.
    return responses.text(
        "\n".join([NOTE, "User-agent: *", *lines, "Allow: /play/tournaments/", ""])
    )


def _disallowed() -> Iterator[str]:
    yield from PERSONAL
    yield from WITHIN_A_GAME
    yield from OF_OTHER_WIDTH
    yield from WITH_ANSWERS
    yield BOARDS
    yield from (f"/try/{variant}/" for variant in VARIANTS)


ROUTES: Routes = ((r"/robots\.txt", robots),)
