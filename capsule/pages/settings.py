"""What a player can choose: how boards and times are shown, and whether messages come."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule import answers, identity, settings, time_zones
from capsule.examples import board
from capsule.game import OutdatedAction
from capsule.pages.home import FRONT_BOARD
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site

SUBJECT = "settings"
"""What the keys of these actions are for."""

_HERE = "/play/me/settings"


def overview(site: Site, request: Request) -> Response:
    """Return the page that says what the player has chosen, with a link to each other choice."""
    visitor = identity.signed_in(site, request)
    player = visitor.player
    return answers.page(
        visitor.reader,
        "settings.gmi",
        player=player,
        takes_messages=player is None or player.takes_messages,
        now=site.clock(),
        position=VARIANTS["ultimate"].replay(FRONT_BOARD),
        board=board,
        key=visitor.account_key(site, SUBJECT),
    )


def choose(site: Site, request: Request, key: str, choice: str) -> Response:
    """Keep a choice, a name and a value with a slash between them, and show all that is chosen."""
    visitor = identity.signed_in(site, request)
    if visitor.may_act(site, SUBJECT, key):
        name, _, value = choice.partition("/")
        with suppress(OutdatedAction):
            settings.choose(site, identity.player_of(site, visitor), name, value)
    return answers.way_on(_HERE)


def choose_time_zone(site: Site, request: Request, key: str) -> Response:
    """Ask for a city or a time zone; with one, keep it and show all that is chosen."""
    visitor = identity.signed_in(site, request)
    if not visitor.may_act(site, SUBJECT, key):
        return answers.way_on(_HERE)
    ask = message("Your time zone, as a large city or a name like Europe/Vienna:")
    typed = (request.query or "").strip()
    if not typed:
        return answers.question(ask)
    try:
        zone = time_zones.find(typed)
    except time_zones.ZoneRefused as error:
        return answers.question_again(error.message, ask)
    with suppress(OutdatedAction):
        settings.choose_time_zone(site, identity.player_of(site, visitor), zone)
    return answers.way_on(_HERE)
