"""The application: the features, in order, and the layers of requests."""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, partial
from itertools import chain

from capsule.accounts.identity import has_key
from capsule.accounts.pages import account as accounts
from capsule.accounts.players import NewcomerLimit
from capsule.boards import pages as boards
from capsule.bots import pages as bots
from capsule.bots.service import BotService, EvaluationCache
from capsule.config import Config
from capsule.context import AppContext
from capsule.cups import pages as cups
from capsule.db.changes import GameChanges, SharedChanges
from capsule.db.database import Database, key_secret
from capsule.db.health import DatabaseHealth
from capsule.db.leases import leases_of, new_holder
from capsule.everyone import pages as everyone
from capsule.feature import Feature
from capsule.featured import choosing as featured
from capsule.games import feature as games
from capsule.games.reading import ReplayCache
from capsule.gemini.types import Application, Response
from capsule.learning.lessons import pages as learning
from capsule.lobby import feature as lobby
from capsule.mail import pages as mail
from capsule.mail.game_views import GameViews
from capsule.middleware import stack
from capsule.middleware.after_sign_in import after_sign_in
from capsule.middleware.bounded import bounded
from capsule.middleware.caching import caching
from capsule.middleware.database_faults import database_faults
from capsule.middleware.from_address import from_address
from capsule.middleware.game_views import game_views
from capsule.middleware.moments import moments
from capsule.middleware.notices import notices
from capsule.middleware.routing import routing
from capsule.middleware.run import run
from capsule.middleware.waiting import waiting
from capsule.moderation import pages as moderation
from capsule.news import pages as news
from capsule.play import feature as play
from capsule.play.pages.game import followed_versions
from capsule.programs import pages as programs
from capsule.puzzles import feature as puzzles
from capsule.ratings import pages as ratings
from capsule.seasons import pages as seasons
from capsule.social import feature as social
from capsule.timekeeping.trusted_clock import RunningTime, TrustedClock, running_time
from capsule.timekeeping.watching import seen_time, upgrade_time
from capsule.tournaments import pages as tournaments
from capsule.tryout import pages as tryout
from capsule.ui.missing_pages import missing_page
from capsule.ui.page_cache import PageCache
from capsule.ui.responses import ExclusiveAccess, text
from capsule.ui.routes import RouteTable, compile_routes
from engine import VARIANTS, plugins

FEATURES: Sequence[Feature] = (
    lobby.FEATURE,
    learning.FEATURE,
    news.FEATURE,
    programs.FEATURE,
    play.FEATURE,
    tryout.FEATURE,
    bots.FEATURE,
    tournaments.FEATURE,
    everyone.FEATURE,
    cups.FEATURE,
    puzzles.FEATURE,
    games.FEATURE,
    ratings.FEATURE,
    social.FEATURE,
    moderation.FEATURE,
    seasons.FEATURE,
    featured.FEATURE,
    boards.FEATURE,
    mail.FEATURE,
    accounts.FEATURE,
)
"""The capsule's features, in the order in which they change a player's rows.

`Database.writing` locks rows in the same order. Tournaments come first, since they end their games.
Ratings are erased once no game of the player can change them, and season points once the daily
solutions that may earn some are erased. The account comes last, since everything refers to it.
"""


def features() -> Sequence[Feature]:
    """Return the capsule's features, followed by the `FEATURES` of the plug-ins loaded so far."""
    modules = (sys.modules[name] for name in plugins.loaded())
    plugin_features = (getattr(module, "FEATURES", ()) for module in modules)
    return (*FEATURES, *chain.from_iterable(plugin_features))


def compiled_routes() -> RouteTable:
    """Return the routes compiled for the variants and features loaded so far."""
    return _compiled_for(tuple(VARIANTS), plugins.loaded())


@cache
def _compiled_for(variants: tuple[str, ...], _plugins: tuple[str, ...]) -> RouteTable:
    return compile_routes(
        [*chain.from_iterable(feature.routes for feature in features())], variants
    )


def build_context(
    config: Config,
    database: Database,
    clock: Callable[[], datetime],
    random_bytes: Callable[[int], bytes],
    running: RunningTime | None = None,
) -> AppContext:
    """Return the application context, with an empty `BotService`.

    `clock` returns the time in UTC, timezone-aware, and `random_bytes(n)` returns n unpredictable
    bytes. `running` measures the machine's uptime; by default, the system's is read.
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
        bots=BotService(),
        evaluations=EvaluationCache(),
        newcomers=NewcomerLimit(config.new_players_per_hour, running.seconds),
        leases=leases_of(database, clock, new_holder(random_bytes)),
        game_views=GameViews(),
        upgraded_at=upgraded_at,
        features=features(),
        mail_from=config.mail_from if config.mail else "",
    )


def build_app(context: AppContext, cache: PageCache | None = None) -> Application:
    """Return the application: the pages, inside the layers that each request passes in order.

    `cache` stores pages; by default it is a new one.
    """
    clock, table = context.clock, compiled_routes()
    engine = context.database.engine
    shared = None if engine.dialect.name == "sqlite" else SharedChanges(engine)
    cache = cache or PageCache(shared or GameChanges(engine))
    renamed = partial(accounts.redirect_for_former_name, context)
    missing = partial(missing_page, table=table, origin=context.origin, renamed=renamed)
    record_views = partial(game_views, record=context.game_views.record, clock=clock)
    handle = stack(
        from_address,
        partial(after_sign_in, clock=clock),
        waiting,
        notices,
        *([record_views] if context.mail_from else []),
        partial(moments, clock=clock),
        partial(routing, table=table),
        partial(bounded, clock=clock),
        database_faults,
        partial(caching, cache=cache, clock=clock, shared=shared),
        inside=partial(run, context, missing=missing),
    )
    return Application(
        handle,
        health=partial(_health, context),
        versions=partial(followed_versions, context),
        blocks=has_key,
    )


def _health(context: AppContext) -> Response:
    report = context.health.report(context.database.storage)
    return text(f"The capsule answers.\n{report}")
