"""The home page, the pages about the capsule, and the character that browsers show beside it."""

from dataclasses import replace
from datetime import timedelta

from capsule.accounts import identity
from capsule.context import AppContext, Transaction, reading
from capsule.featured.choosing import featured_game
from capsule.games import list_queries, player_queries, public_lists
from capsule.games.model import GameStatus
from capsule.gemini.types import CachePolicy, Request, Response
from capsule.news.publishing import news_on_home
from capsule.puzzles import daily
from capsule.ui import boards, responses
from capsule.ui.routes import Routes, cacheable, narrowable
from engine import VARIANTS

FAVICON = "\N{HEAVY LARGE CIRCLE}\n"

CRASHES, MANY_CRASHES = 20, 200
"""The numbers of kills in the crash tests: with each change, and before a release."""

MAX_AGE = timedelta(seconds=10)
"""The maximum age of the cached page: the times on it may be that old."""

MAX_GAMES = 1
"""The numbers of open seats and of results on the page, which has few links."""


@cacheable
@narrowable
@reading
def front(transaction: Transaction, request: Request) -> Response:
    """Return the home page."""
    visitor = identity.visitor_of(transaction, request)
    preferences, now = visitor.preferences, transaction.now
    connection = transaction.connection
    featured = featured_game(transaction)
    game = public_lists.game_of_the_day(transaction, featured.stored if featured else None)
    # Until there is one, the page shows the game that the rules of ultimate explain.
    variant = game.variant if game else VARIANTS["ultimate"]
    position = game.position if game else variant.replay(boards.FAMOUS_GAME)
    board = position.view(style=preferences.style, latest=game.latest if game else ())
    response = responses.page(
        preferences,
        "lobby/home.gmi",
        game=game,
        variant=variant,
        position=position,
        board=board,
        visitor=visitor,
        ply=game.ply if game else len(boards.FAMOUS_GAME),
        waiting=public_lists.games_page(
            transaction, (GameStatus.WAITING,), None, size=MAX_GAMES
        ).games,
        week=player_queries.week_before(connection, now),
        results=list_queries.last_between_people(connection, MAX_GAMES),
        daily=daily.position_today(now),
        news=news_on_home(transaction),
        lines=[line for each in transaction.context.features if (line := each.home(transaction))],
        featured=featured,
    )
    # The position of the day changes at midnight, everything else at any time.
    until = min(now + MAX_AGE, daily.midnight_after(now))
    return replace(response, cache_policy=CachePolicy(until))


@cacheable
def about(context: AppContext, request: Request) -> Response:
    """Return the page about the capsule."""
    return responses.page(identity.preferences_of(context, request), "lobby/about.gmi")


@cacheable
def security(context: AppContext, request: Request) -> Response:
    """Return the page that says what is protected, how, and what is not."""
    return responses.page(
        identity.preferences_of(context, request),
        "lobby/security.gmi",
        crashes=CRASHES,
        many_crashes=MANY_CRASHES,
    )


@cacheable
def languages(context: AppContext, request: Request) -> Response:
    """Return the page that leads to the home page in every language."""
    return responses.page(identity.preferences_of(context, request), "lobby/languages.gmi")


@cacheable
def favicon(context: AppContext, request: Request) -> Response:
    """Return the character that some browsers show beside the capsule's name."""
    del context, request
    return responses.text(FAVICON)


ROUTES: Routes = (
    ("/", front),
    ("/about", about),
    ("/about/security", security),
    ("/languages", languages),
    (r"/favicon\.txt", favicon),
)
