"""Feeds: for anyone, of one game, and a player's own at an address that nobody else knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import errors
from capsule.accounts import identity
from capsule.lobby import feeds as public_feeds
from capsule.ui import render, responses
from capsule.ui.atom import to_atom
from capsule.ui.routes import FEED, GAME, PLAYER, VARIANT

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.atom import Feed
    from capsule.ui.routes import Routes


ATOM = "application/atom+xml; charset=utf-8"


def public_feed(
    context: AppContext, request: Request, form: str | None, variant: str | None = None
) -> Response:
    """Return the feed of the public games, of one variant or of all."""
    place = f"/games/{variant or ''}"
    return written(context, request, public_feeds.public_feed(context, variant), form, place)


def player_feed(context: AppContext, request: Request, form: str | None, name: str) -> Response:
    """Return the feed of a player's public games."""
    return written(context, request, public_feeds.player_feed(context, name), form, "/games/")


def game_feed(context: AppContext, request: Request, form: str | None, game_id: str) -> Response:
    """Return the feed of a game; also of one that is not listed, for whoever knows its address."""
    return written(
        context, request, public_feeds.game_feed(context, game_id), form, f"/play/{game_id}"
    )


def private_feed(context: AppContext, request: Request, form: str | None, address: str) -> Response:
    """Return a player's private feed: its address is the key to it, since no reader signs in."""
    return written(context, request, public_feeds.private_feed(context, address), form, "/play/")


def written(
    context: AppContext, request: Request, feed: Feed | None, form: str | None, place: str
) -> Response:
    """Return a feed as a page, or as Atom where `form` says so; `place` is what it is about."""
    if feed is None:
        raise errors.NotFound
    if form == ".xml":
        return responses.text(to_atom(feed, context.origin, render.translate), ATOM)
    return responses.page(
        identity.reader_of(context, request), "ui/feed.gmi", feed=feed, place=place
    )


ROUTES: Routes = (
    (f"/{FEED}", public_feed),
    (f"/games/{VARIANT}/{FEED}", public_feed),
    (f"/players/{PLAYER}/{FEED}", player_feed),
    (f"/play/{GAME}/{FEED}", game_feed),
    (r"/feed/(?P<address>[a-z2-7]{32})(?P<form>\.xml)?", private_feed),
)
