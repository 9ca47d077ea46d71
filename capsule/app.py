"""The application: the routes and personal data of all features, and the layers of requests."""

from collections.abc import Callable
from datetime import datetime
from functools import cache, partial

from capsule.accounts import personal_data as account_data
from capsule.accounts.pages import account as account_pages, devices as device_pages
from capsule.accounts.pages.account import redirect_for_former_name
from capsule.accounts.players import NewcomerLimit
from capsule.boards import pages as board_pages
from capsule.bots import pages as analysis_pages
from capsule.bots.service import NoBots, Opinions
from capsule.config import Config
from capsule.context import AppContext
from capsule.cups import pages as cup_pages, personal_data as cup_data
from capsule.db.changes import SharedChanges, game_changes
from capsule.db.claims import claims_of, new_holder
from capsule.db.database import Database, key_secret
from capsule.db.health import DatabaseHealth
from capsule.everyone import pages as everyone_pages, personal_data as vote_data
from capsule.games import personal_data as game_data
from capsule.games.reading import ReplayCache
from capsule.gemini.types import Application, Response
from capsule.learning import reading
from capsule.learning.lessons import pages as lesson_pages
from capsule.lobby.pages import help as help_pages, home, players as player_pages, public_games
from capsule.mail import pages as mail_pages, personal_data as mail_data
from capsule.mail.game_views import GameViews
from capsule.middleware import stack
from capsule.middleware.after_sign_in import after_sign_in
from capsule.middleware.bounded import bounded
from capsule.middleware.caching import caching
from capsule.middleware.database_faults import database_faults
from capsule.middleware.errors import errors
from capsule.middleware.from_address import from_address
from capsule.middleware.game_views import game_views
from capsule.middleware.measured import measured
from capsule.middleware.missing_pages import missing_pages
from capsule.middleware.moments import moments
from capsule.middleware.notices import notices
from capsule.middleware.routing import routing
from capsule.middleware.run import run
from capsule.middleware.waiting import waiting
from capsule.moderation import pages as notice_pages, personal_data as moderation_data
from capsule.news import pages as news_pages
from capsule.play.pages import (
    actions as game_actions,
    game as game_page,
    live as live_page,
    new_game,
    offered_terms,
    positions as position_pages,
    your_games,
)
from capsule.play.visits import followed_versions
from capsule.programs import pages as program_pages
from capsule.puzzles import personal_data as puzzle_data
from capsule.puzzles.pages import daily as daily_pages, mistakes as mistake_pages, puzzle
from capsule.ratings import pages as ladder_pages, personal_data as rating_data
from capsule.seasons import pages as season_pages, personal_data as season_data
from capsule.social import personal_data as social_data
from capsule.social.pages import messages, notes, relations
from capsule.timekeeping.queries import seen_time, upgrade_time
from capsule.timekeeping.trusted_clock import RunningTime, TrustedClock, running_time
from capsule.tournaments import personal_data as tournament_data
from capsule.tournaments.pages import announcement as announcement_pages, tournament
from capsule.tryout import pages as tryout_pages
from capsule.ui.page_cache import PageCache
from capsule.ui.responses import ExclusiveAccess, text
from capsule.ui.routes import Routes, RouteTable, compile_routes
from engine import VARIANTS

ROUTES: Routes = (
    *home.ROUTES,
    *help_pages.ROUTES,
    *lesson_pages.ROUTES,
    *reading.ROUTES,
    *notes.ROUTES,
    *public_games.ROUTES,
    *news_pages.ROUTES,
    *everyone_pages.ROUTES,
    *player_pages.ROUTES,
    *puzzle.ROUTES,
    *daily_pages.ROUTES,
    *season_pages.ROUTES,
    *mistake_pages.ROUTES,
    *ladder_pages.ROUTES,
    *your_games.ROUTES,
    *program_pages.ROUTES,
    *new_game.ROUTES,
    *offered_terms.ROUTES,
    *account_pages.ROUTES,
    *mail_pages.ROUTES,
    *notice_pages.ROUTES,
    *device_pages.ROUTES,
    *relations.ROUTES,
    *cup_pages.ROUTES,
    *tournament.ROUTES,
    *announcement_pages.ROUTES,
    *game_page.ROUTES,
    *position_pages.ROUTES,
    *live_page.ROUTES,
    *game_actions.ROUTES,
    *analysis_pages.ROUTES,
    *board_pages.ROUTES,
    *tryout_pages.ROUTES,
    *messages.ROUTES,
)
"""Every address of the capsule, with the page that answers there."""


PERSONAL_DATA = (
    account_data.PERSONAL_DATA,
    mail_data.PERSONAL_DATA,
    season_data.PERSONAL_DATA,
    moderation_data.PERSONAL_DATA,
    social_data.PERSONAL_DATA,
    rating_data.PERSONAL_DATA,
    game_data.PERSONAL_DATA,
    puzzle_data.PERSONAL_DATA,
    vote_data.PERSONAL_DATA,
    cup_data.PERSONAL_DATA,
    tournament_data.PERSONAL_DATA,
)
"""The personal data that each feature keeps about a player, in the order of their export.

They are erased in the reverse order, in which `Database.writing` holds rows. Tournaments go first,
with their games, which they end. Ratings are erased once no game of the player can change them, and
points of the season once the days are erased that may earn some. The account goes last, since
everything refers to it.
"""


def compiled_routes() -> RouteTable:
    """Return the routes compiled for the variants registered so far."""
    return _compiled_for(tuple(VARIANTS))


@cache
def _compiled_for(variants: tuple[str, ...]) -> RouteTable:
    return compile_routes(ROUTES, variants)


def build_context(
    config: Config,
    database: Database,
    clock: Callable[[], datetime],
    random_bytes: Callable[[int], bytes],
    running: RunningTime | None = None,
) -> AppContext:
    """Return the context of the pages, without bots.

    `clock` returns the time, aware and in UTC; `random_bytes` returns that many unguessable bytes.
    `running` is the machine's running time, read from the system by default.
    """
    running = running or running_time()
    with database.reading() as connection:
        secret = key_secret(connection)
        seen, upgraded_at = seen_time(connection), upgrade_time(connection)
    trusted_clock = TrustedClock(clock, running, seen)
    return AppContext(
        database=database,
        health=DatabaseHealth(database, trusted_clock),
        clock=trusted_clock,
        random_bytes=random_bytes,
        origin=config.origin,
        secret=secret,
        replays=ReplayCache(),
        exclusive=ExclusiveAccess(),
        bots=NoBots(),
        opinions=Opinions(),
        newcomers=NewcomerLimit(config.new_players_per_hour, running.seconds),
        claims=claims_of(database, clock, new_holder(random_bytes)),
        game_views=GameViews(),
        upgraded_at=upgraded_at,
        personal_data=PERSONAL_DATA,
        mail_from=config.mail_from if config.mail else "",
    )


def build_app(context: AppContext, cache: PageCache | None = None) -> Application:
    """Return the application: the layers that requests pass, in order, around the pages.

    Pages are kept in the `cache`, a new one by default.
    """
    clock, table = context.clock, compiled_routes()
    engine = context.database.engine
    shared = None if engine.dialect.name == "sqlite" else SharedChanges(engine)
    cache = cache or PageCache(shared or game_changes(context.database))
    renamed = partial(redirect_for_former_name, context)
    record_views = partial(game_views, record=context.game_views.record, clock=clock)
    handle = stack(
        from_address,
        partial(after_sign_in, clock=clock),
        waiting,
        notices,
        *([record_views] if context.mail_from else []),
        partial(moments, clock=clock),
        partial(routing, table=table),
        database_faults,
        partial(caching, cache=cache, clock=clock, shared=shared),
        partial(bounded, clock=clock),
        measured,
        partial(missing_pages, table=table, origin=context.origin, renamed=renamed),
        errors,
        inside=partial(run, context),
    )
    return Application(
        handle, health=partial(_health, context), versions=partial(followed_versions, context)
    )


def _health(context: AppContext) -> Response:
    report = context.health.report(context.database.storage)
    return text(f"The capsule answers.\n{report}")
