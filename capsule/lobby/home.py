"""The front door, what the capsule is, and what machines ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.games import listing, reading
from capsule.games.status import GameStatus
from capsule.ui import responses
from capsule.ui.boards import FRONT_BOARD
from capsule.ui.time_zones import in_zone, zone_name
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


ROBOTS = """\
User-agent: *
Disallow: /play/new/
Disallow: /play/me/
"""

FAVICON = "\N{HEAVY LARGE CIRCLE}\n"


def front(context: AppContext, request: Request) -> Response:
    """Return the home page."""
    reader = identity.reader_of(context, request)
    played = listing.being_played(context)
    today = listing.today(context, in_zone(context.clock(), reader.time_zone), limit=3)
    position = played.position if played else VARIANTS["ultimate"].replay(FRONT_BOARD)
    return responses.page(
        reader,
        "lobby/home.gmi",
        played=played,
        variant=played.variant if played else VARIANTS["ultimate"],
        position=position,
        view=position.view(style=reader.style),
        ply=played.ply if played else len(FRONT_BOARD),
        waiting=reading.public_games(context, (GameStatus.WAITING,), limit=3),
        variants=VARIANTS,
        zone=zone_name(today.midnight),
        began=_counted(today.began),
        ended=_counted(today.ended),
        last_ended=today.last_ended,
    )


def _counted(number: int) -> str:
    return f"{number}+" if number == listing.MAX_COUNTED else str(number)


def about(context: AppContext, request: Request) -> Response:
    """Return the page about the capsule."""
    return responses.page(identity.reader_of(context, request), "lobby/about.gmi")


def robots(context: AppContext, request: Request) -> Response:
    """Return what crawlers should leave alone."""
    del context, request
    return responses.text(ROBOTS)


def favicon(context: AppContext, request: Request) -> Response:
    """Return the character that some browsers show beside the capsule's name."""
    del context, request
    return responses.text(FAVICON)


ROUTES: Routes = (
    ("/", front),
    ("/about", about),
    (r"/robots\.txt", robots),
    (r"/favicon\.txt", favicon),
)
