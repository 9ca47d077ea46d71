"""The lists of public games."""

from capsule.accounts import identity
from capsule.context import Transaction, reading
from capsule.featured.choosing import featured_game
from capsule.games import public_lists
from capsule.games.list_queries import ListPlace
from capsule.games.model import DECIDED, GameStatus
from capsule.gemini.types import Request, Response
from capsule.ui import responses
from capsule.ui.routes import VARIANT, Routes, cacheable
from engine import VARIANTS

_STATUSES = {"playing": (GameStatus.PLAYING,), "waiting": (GameStatus.WAITING,), "ended": DECIDED}
"""The games of each list, by its name in addresses."""


@cacheable
@reading
def show(transaction: Transaction, request: Request, variant: str | None = None) -> Response:
    """Return the lists of public games, of one variant or of all: at first the newest of each.

    The query is a place in one of the lists, from a link of such a page; then the page has the rest
    of that list alone. Any other query counts as none.
    """
    kind, place = place_in(request.query or "") or (None, None)
    chosen = VARIANTS[variant] if variant else None
    is_first = kind is None
    pages = {
        each: public_lists.games_page(transaction, statuses, variant, place)
        for each, statuses in _STATUSES.items()
        if kind in {None, each}
    }
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "lobby/public_games.gmi",
        variant=chosen,
        path=f"/games/{variant or ''}",
        lists=pages,
        query_of=query_of,
        is_first=is_first,
        featured=featured_game(transaction) if is_first and chosen is None else None,
    )


def query_of(kind: str, place: ListPlace) -> str:
    """Return the query of a place in a list.

    >>> query_of(*place_in("playing-older-f4240-k3x7m2pqrt"))
    'playing-older-f4240-k3x7m2pqrt'
    """
    return f"{kind}-{public_lists.encode_place(place)}"


def place_in(query: str) -> tuple[str, ListPlace] | None:
    """Return the list and the place that a query names, or None.

    >>> place_in("playing-older-f4240-k3x7m2pqrt")[1].moved_at.isoformat()
    '1970-01-01T00:00:01+00:00'
    >>> place_in("playing-older-yesterday-k3x7m2pqrt") is None
    True
    """
    kind, _, written = query.partition("-")
    place = public_lists.decode_place(written)
    return None if place is None or kind not in _STATUSES else (kind, place)


_PLACE = f"(?:{'|'.join(_STATUSES)})-{public_lists.PLACE_PATTERN}"


ROUTES: Routes = (("/games/", show, _PLACE), (f"/games/{VARIANT}", show, _PLACE))
