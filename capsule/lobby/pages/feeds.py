"""The addresses of feeds: for everybody, of a game, and a player's own at a secret address.

Each is a page and, with ".xml" behind its address, Atom: that is the argument `form`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.context import reading
from capsule.errors import NotFound
from capsule.lobby import feeds
from capsule.ui.atom import feed_response
from capsule.ui.routes import FEED, GAME, PLAYER, VARIANT

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.atom import Feed
    from capsule.ui.routes import Routes


@reading
def public_feed(
    transaction: Transaction, request: Request, form: str | None, variant: str | None = None
) -> Response:
    """Return the feed of the public games, of one variant or of all."""
    return _response(transaction, request, feeds.public_feed(transaction, variant), form)


@reading
def player_feed(
    transaction: Transaction, request: Request, form: str | None, name: str
) -> Response:
    """Return the feed of a player's public games."""
    return _response(transaction, request, feeds.player_feed(transaction, name), form)


@reading
def game_feed(
    transaction: Transaction, request: Request, form: str | None, game_id: str
) -> Response:
    """Return the feed of a game, listed or not, for anyone who knows its address."""
    return _response(transaction, request, feeds.game_feed(transaction, game_id), form)


@reading
def private_feed(
    transaction: Transaction, request: Request, form: str | None, address: str
) -> Response:
    """Return a player's private feed: its address opens it, since feed readers do not sign in."""
    return _response(transaction, request, feeds.private_feed(transaction, address), form)


def _response(
    transaction: Transaction, request: Request, feed: Feed | None, form: str | None
) -> Response:
    if feed is None:
        raise NotFound
    context = transaction.context
    preferences = identity.visitor_of(transaction, request).preferences
    return feed_response(preferences, feed, form, context.origin, context.upgraded_at)


ROUTES: Routes = (
    (f"/{FEED}", public_feed),
    (f"/games/{VARIANT}/{FEED}", public_feed),
    (f"/players/{PLAYER}/{FEED}", player_feed),
    (f"/play/{GAME}/{FEED}", game_feed),
    (r"/feed/(?P<address>[a-z2-7]{32})(?P<form>\.xml)?", private_feed),
)
