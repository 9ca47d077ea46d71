"""The public games: being played, waiting for an opponent, finished."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.games import listing
from capsule.games.list_queries import Place
from capsule.games.status import DECIDED, GameStatus
from capsule.ui import paging, responses
from capsule.ui.routes import VARIANT
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


SECTIONS: Mapping[str, Sequence[GameStatus]] = {
    "playing": (GameStatus.PLAYING,),
    "waiting": (GameStatus.WAITING,),
    "ended": DECIDED,
}
"""The lists on the page, each with the statuses of its games."""

_PLACE = re.compile(
    rf"({'|'.join(SECTIONS)})-(newer|older)-({paging.MOMENT_PATTERN})-([a-z2-7]{{10}})"
)


def games(context: AppContext, request: Request, variant: str | None = None) -> Response:
    """Return the lists of public games, of one variant or of all.

    The query is a place in one of the lists, from a link of such a page, and that list alone is
    shown from there on. Any other query counts as none.
    """
    found = place_in(request.query or "")
    if found is None:
        pages = {name: listing.page(context, which, variant) for name, which in SECTIONS.items()}
    else:
        section, place = found
        pages = {section: listing.page(context, SECTIONS[section], variant, place)}
    return responses.page(
        identity.reader_of(context, request),
        "lobby/public_games.gmi",
        variants=VARIANTS,
        variant=VARIANTS[variant] if variant else None,
        here=f"/games/{variant or ''}",
        pages=pages,
        query_of=query_of,
        is_whole=found is None,
    )


def query_of(section: str, place: Place) -> str:
    """Return the query that leads to a place in a list.

    >>> query_of("playing", Place(paging.decode_moment("f4240"), "k3x7m2pqrt", newer=False))
    'playing-older-f4240-k3x7m2pqrt'
    """
    way = "newer" if place.newer else "older"
    return f"{section}-{way}-{paging.encode_moment(place.moved_at)}-{place.game_id}"


def place_in(query: str) -> tuple[str, Place] | None:
    """Return the list and the place that a query leads to, None where it leads nowhere.

    >>> place_in("playing-older-f4240-k3x7m2pqrt")[1].moved_at.isoformat()
    '1970-01-01T00:00:01+00:00'
    >>> place_in("playing-older-yesterday-k3x7m2pqrt") is None
    True
    """
    match = _PLACE.fullmatch(query)
    if match is None:
        return None
    section, way, time, game_id = match.groups()
    return section, Place(paging.decode_moment(time), game_id, way == "newer")


ROUTES: Routes = (
    ("/games/", games),
    (f"/games/{VARIANT}", games),
)
