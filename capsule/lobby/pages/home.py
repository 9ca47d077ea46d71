"""The home page, the pages about the capsule, and the character that browsers show beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.games import listing
from capsule.gemini.types import Freshness
from capsule.puzzles import daily
from capsule.puzzles.schedule import midnight_after
from capsule.ui import responses
from capsule.ui.boards import FAMOUS_GAME
from capsule.ui.routes import cacheable
from capsule.ui.time_zones import in_zone, zone_name
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.context import AppContext
    from capsule.games.listing import ListedGame, Today
    from capsule.games.model import Game
    from capsule.gemini.types import Request, Response
    from capsule.puzzles.daily import DailyPosition
    from capsule.ui.routes import Routes
    from engine import Position, Variant


FAVICON = "\N{HEAVY LARGE CIRCLE}\n"

CRASHES, MANY_CRASHES = 20, 200
"""The numbers of kills in the crash tests: with each change, and before a release."""

KEPT_FOR = timedelta(seconds=10)
"""The maximum age of the cached page: the times on it may be that old."""

MAX_GAMES = 3
"""The numbers of open games and of recently ended games on the page."""


@dataclass(frozen=True, slots=True)
class HomePage:
    """The home page: a game, games that wait for an opponent, today's numbers and position.

    `game` is the public game that was moved in last, else the last one to end. Until there is one,
    the page shows the game that the rules of ultimate explain.
    """

    game: Game | None
    waiting: Sequence[ListedGame]
    today: Today
    daily: DailyPosition | None

    @property
    def is_being_played(self) -> bool:
        """Whether the game on the board goes on."""
        return self.game is not None and self.game.is_running

    @property
    def variant(self) -> Variant:
        """The variant of the board."""
        return self.game.variant if self.game else VARIANTS["ultimate"]

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.game.position if self.game else self.variant.replay(FAMOUS_GAME)

    @property
    def ply(self) -> int:
        """The number of moves that led to the position."""
        return self.game.ply if self.game else len(FAMOUS_GAME)

    @property
    def zone(self) -> str:
        """The time zone of the day that the numbers are of."""
        return zone_name(self.today.midnight)

    @property
    def began(self) -> str:
        """The number of public games that have begun today."""
        return _counted(self.today.began)

    @property
    def ended(self) -> str:
        """The number of public games that have ended today."""
        return _counted(self.today.ended)


def _counted(number: int) -> str:
    """Return a number of games, with "+" where counting has stopped."""
    return f"{number}+" if number == listing.MAX_COUNTED else str(number)


@cacheable
def front(context: AppContext, request: Request) -> Response:
    """Return the home page."""
    preferences = identity.preferences_of(context, request)
    now = in_zone(context.clock(), preferences.time_zone)
    page = HomePage(
        listing.game_to_watch(context),
        waiting=listing.open_seats(context, limit=MAX_GAMES),
        today=listing.today(context, now, limit=MAX_GAMES),
        daily=daily.position_on(context, daily.today(context)),
    )
    response = responses.page(preferences, "lobby/home.gmi", page=page)
    # The position of the day changes at midnight, and what else is here at any time.
    until = min(context.clock() + KEPT_FOR, midnight_after(context.clock()))
    return replace(response, freshness=Freshness(until))


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
def favicon(context: AppContext, request: Request) -> Response:
    """Return the character that some browsers show beside the capsule's name."""
    del context, request
    return responses.text(FAVICON)


ROUTES: Routes = (
    ("/", front),
    ("/about", about),
    ("/about/security", security),
    (r"/favicon\.txt", favicon),
)
