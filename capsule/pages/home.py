"""The front door, what the capsule is, and what machines ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, games, identity, lists
from capsule.game import WAITING
from capsule.pages.game import shown
from capsule.time_zones import in_zone, zone_name
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site

ROBOTS = """\
User-agent: *
Disallow: /play/new/
Disallow: /play/me/
"""

FAVICON = "\N{HEAVY LARGE CIRCLE}\n"

FRONT_BOARD = "d7 c3 h8 e4 e2 e6 e7 d3 a9 b7 e3 e9 f7 i3 g9 c9".split()
"""The game of ultimate on the home page while nobody plays one."""


def front(site: Site, request: Request) -> Response:
    """Return the home page."""
    reader = identity.reader_of(site, request)
    played = lists.being_played(site)
    today = lists.today(site, in_zone(site.clock(), reader.time_zone), most=3)
    position = played.position if played else VARIANTS["ultimate"].replay(FRONT_BOARD)
    return answers.page(
        reader,
        "home.gmi",
        played=played and shown(site, played),
        variant=played.variant if played else VARIANTS["ultimate"],
        position=position,
        view=position.view(style=reader.style),
        ply=played.ply if played else len(FRONT_BOARD),
        variants_by_key=VARIANTS,
        waiting=games.public_games(site, (WAITING,), most=3),
        zone=zone_name(today.midnight),
        began=_counted(today.began),
        ended=_counted(today.ended),
        last_ended=today.last_ended,
    )


def _counted(number: int) -> str:
    return f"{number}+" if number == lists.MOST_COUNTED else str(number)


def about(site: Site, request: Request) -> Response:
    """Return the page about the capsule."""
    return answers.page(identity.reader_of(site, request), "about.gmi")


def robots(site: Site, request: Request) -> Response:
    """Return what crawlers should leave alone."""
    del site, request
    return answers.text(ROBOTS)


def favicon(site: Site, request: Request) -> Response:
    """Return the character that some browsers show beside the capsule's name."""
    del site, request
    return answers.text(FAVICON)
