"""Parts of the pages of games: the way to the visitor's other games, which change more often."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import identity, player_queries
from capsule.gemini.types import AccountOf, Freshness, GamesOf
from capsule.play.desk import NextGame, next_game
from capsule.ui import responses
from capsule.ui.routes import cacheable

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

MAX_AGE = timedelta(minutes=10)
"""The maximum age of a part that is kept: everything on it that depends on the time is known."""


@cacheable
def next_game_links(context: AppContext, request: Request) -> Response:
    """Return the links to the game that the visitor should see next, and to all that wait."""
    return _part(context, request, "play/next_game.gmi")


@cacheable
def your_games_link(context: AppContext, request: Request) -> Response:
    """Return the link to the visitor's games, with the number of those that wait."""
    return _part(context, request, "play/your_games_link.gmi")


@cacheable
def your_other_games_link(context: AppContext, request: Request) -> Response:
    """Return the same link for the page of a game that waits, and does not count itself."""
    return _part(context, request, "play/your_games_link.gmi", shown=1)


def _part(context: AppContext, request: Request, template: str, shown: int = 0) -> Response:
    """Return a part that counts the games that wait without the `shown` one."""
    certificate = identity.valid_certificate(context, request)
    fingerprint = certificate.fingerprint if certificate else ""
    with context.database.reading() as connection:
        known = player_queries.player_by_certificate(connection, fingerprint)
        visitor = identity.visitor_with(context, request, certificate, known)
        player = visitor.player
        found = NextGame() if player is None else next_game(context, connection, player)
    until = context.clock() + MAX_AGE
    freshness = Freshness(
        until=until if found.until is None else min(until, found.until),
        subjects=frozenset({GamesOf(player.id), AccountOf(player.id)} if player else ()),
    )
    return replace(
        responses.page(
            visitor.preferences, template, next=replace(found, count=max(0, found.count - shown))
        ),
        freshness=freshness,
    )


ROUTES: Routes = (
    ("next-game", next_game_links),
    ("your-games", your_games_link),
    ("your-other-games", your_other_games_link),
)
