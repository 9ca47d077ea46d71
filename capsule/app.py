"""The application: the features' routes joined, and the answer to each error."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import personal_data as account_data
from capsule.accounts.identity import (
    CertificateMissing,
    CertificateNotAuthorised,
    CertificateRefused,
)
from capsule.accounts.pages import account as account_pages
from capsule.accounts.pages import devices as device_pages
from capsule.accounts.pages import former_names
from capsule.accounts.pages import settings as settings_pages
from capsule.bots import pages as analysis_pages
from capsule.bots.service import NoBots
from capsule.context import AppContext
from capsule.db.database import key_secret
from capsule.errors import NotFound
from capsule.games import personal_data as game_data
from capsule.games.replay_cache import ReplayCache
from capsule.gemini.types import Response
from capsule.lobby import feed_pages, home, public_games
from capsule.lobby import help as help_pages
from capsule.lobby import players as player_pages
from capsule.lobby import rules as rules_pages
from capsule.moderation import personal_data as moderation_data
from capsule.moderation.pages import notices as notice_pages
from capsule.moderation.pages import reports as report_pages
from capsule.play import actions as game_actions
from capsule.play import (
    game_page,
    new_game,
    position_pages,
    record_pages,
    vacation_page,
    your_games,
)
from capsule.ratings import pages as ladder_pages
from capsule.ratings import personal_data as rating_data
from capsule.social import personal_data as social_data
from capsule.social.pages import messages as message_pages
from capsule.social.pages import notes as note_pages
from capsule.social.pages import relations as relation_pages
from capsule.tournaments import personal_data as tournament_data
from capsule.tournaments.pages import announcement as announcement_pages
from capsule.tournaments.pages import lists as tournament_lists
from capsule.tournaments.pages import tournament as tournament_pages
from capsule.ui import render
from capsule.ui.exclusive import RETRY_SECONDS, Busy, ExclusiveAccess
from capsule.ui.responses import redirect
from capsule.ui.routes import compile_routes
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.config import Config
    from capsule.db.database import Database
    from capsule.gemini.types import Application, Request
    from capsule.ui.routes import CompiledRoutes, Routes


ROUTES: Routes = (
    *home.ROUTES,
    *help_pages.ROUTES,
    *rules_pages.ROUTES,
    *public_games.ROUTES,
    *feed_pages.ROUTES,
    *player_pages.ROUTES,
    *ladder_pages.ROUTES,
    *your_games.ROUTES,
    *new_game.ROUTES,
    *account_pages.ROUTES,
    *vacation_page.ROUTES,
    *notice_pages.ROUTES,
    *settings_pages.ROUTES,
    *device_pages.ROUTES,
    *relation_pages.ROUTES,
    *tournament_lists.ROUTES,
    *announcement_pages.ROUTES,
    *tournament_pages.ROUTES,
    *game_page.ROUTES,
    *position_pages.ROUTES,
    *record_pages.ROUTES,
    *game_actions.ROUTES,
    *analysis_pages.ROUTES,
    *message_pages.ROUTES,
    *note_pages.ROUTES,
    *report_pages.ROUTES,
)
"""Every address of the capsule and the page that answers there."""


PERSONAL_DATA = (
    account_data.PERSONAL_DATA,
    moderation_data.PERSONAL_DATA,
    social_data.PERSONAL_DATA,
    rating_data.PERSONAL_DATA,
    game_data.PERSONAL_DATA,
    tournament_data.PERSONAL_DATA,
)
"""What each feature keeps about a player, in the order in which it is handed out.

It is erased in the reverse order. Tournaments come first then: they hold everything that ends, the
tournaments before the games, in the order in which everybody holds them, and end it. Ratings are
erased when no game of the player's can change them any more; they hold the counter that orders all
games that count, so that two players who are erased at once do not wait for each other in what
follows. The account goes last: everything refers to it.
"""


def compiled_routes() -> CompiledRoutes:
    """Return the routes for the variants that are registered now."""
    return compile_routes(ROUTES, VARIANTS)


def build_context(
    config: Config,
    database: Database,
    clock: Callable[[], datetime],
    random_bytes: Callable[[int], bytes],
) -> AppContext:
    """Return the surroundings of the pages, without bots.

    `clock` returns the time, aware and in UTC; `random_bytes` as many unguessable bytes as asked.
    """
    with database.reading() as connection:
        secret = key_secret(connection)
    return AppContext(
        database=database,
        clock=clock,
        random_bytes=random_bytes,
        origin=config.origin,
        secret=secret,
        replays=ReplayCache(),
        exclusive=ExclusiveAccess(),
        bots=NoBots(),
        personal_data=PERSONAL_DATA,
    )


def build_app(context: AppContext) -> Application:
    """Return the function that answers requests."""
    return partial(_answer, context, compiled_routes())


def _answer(context: AppContext, routes: CompiledRoutes, request: Request) -> Response:
    """Return the answer to a request; only a fault of ours is raised."""
    for pattern, page in routes:
        match = pattern.fullmatch(request.path)
        if match is None:
            continue
        try:
            return page(context, request, **match.groupdict())
        except CertificateMissing:
            return redirect("/play/")
        except (CertificateRefused, CertificateNotAuthorised) as error:
            status = 62 if isinstance(error, CertificateRefused) else 61
            return Response(status, render.meta(render.translate(error.message)))
        except Busy:
            return Response(44, str(RETRY_SECONDS))
        except NotFound:
            other = former_names.redirect_for_former_name(context, request.path)
            if other is not None:
                # For now, not for good: in a year the old name may be somebody else's.
                return redirect(other)
            break
    return _nearby(routes, request.path)


def _nearby(routes: CompiledRoutes, path: str) -> Response:
    # The same path with or without its last slash: a slip of the keyboard, not another page.
    other = path[:-1] if path.endswith("/") else f"{path}/"
    is_plain = re.fullmatch("(/[a-z0-9]+)+/?", other)
    if is_plain and any(pattern.fullmatch(other) for pattern, _ in routes):
        return redirect(other)
    return Response(51, render.translate(message("There is nothing at this address")))
