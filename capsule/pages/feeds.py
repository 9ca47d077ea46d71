"""Feeds: for anyone, of one game, and a player's own at an address that nobody else knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, identity, news, render
from capsule.feeds import atom

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.feeds import Feed
    from capsule.site import Site

ATOM = "application/atom+xml; charset=utf-8"


def of_everybody(
    site: Site, request: Request, form: str | None, variant: str | None = None
) -> Response:
    """Return the feed of the public games, of one variant or of all."""
    place = f"/games/{variant or ''}"
    return written(site, request, news.of_everybody(site, variant), form, place)


def of_player(site: Site, request: Request, form: str | None, name: str) -> Response:
    """Return the feed of a player's public games."""
    return written(site, request, news.of_player(site, name), form, "/games/")


def of_game(site: Site, request: Request, form: str | None, game_id: str) -> Response:
    """Return the feed of a game; also of one that is not listed, for whoever knows its address."""
    return written(site, request, news.of_game(site, game_id), form, f"/play/{game_id}")


def for_player(site: Site, request: Request, form: str | None, address: str) -> Response:
    """Return a player's private feed: its address is the key to it, since no reader signs in."""
    return written(site, request, news.for_player(site, address), form, "/play/")


def written(
    site: Site, request: Request, feed: Feed | None, form: str | None, place: str
) -> Response:
    """Return a feed as a page, or as Atom where `form` says so; `place` is what it is about."""
    if feed is None:
        raise answers.NotThere
    if form == ".xml":
        return answers.text(atom(feed, site.origin, render.words), ATOM)
    return answers.page(identity.reader_of(site, request), "feed.gmi", feed=feed, place=place)
