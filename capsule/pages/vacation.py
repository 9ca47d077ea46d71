"""Taking a vacation, and coming back from it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule import answers, identity, vacations
from capsule.game import OutdatedAction
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site

SUBJECT = "vacation"
"""What the keys of these actions are for."""


def take(site: Site, request: Request, key: str) -> Response:
    """Ask for how many days; with a number, stop the player's clocks and go to their games."""
    player = identity.acting_player(site, request, SUBJECT, key)
    if player is None:
        return answers.way_on("/play/")
    current, most = vacations.vacation_of(site, player)
    if current is not None:
        return answers.way_on("/play/")
    ask = message("Days of vacation from now on, at most {most}:", most=most)
    if not request.query:
        return answers.question(ask)
    try:
        with suppress(OutdatedAction):
            vacations.take(site, player, request.query)
    except vacations.VacationRefused as error:
        return answers.question_again(error.message, ask)
    return answers.way_on("/play/")


def come_back(site: Site, request: Request, key: str) -> Response:
    """End the vacation and go to the player's games."""
    player = identity.acting_player(site, request, SUBJECT, key)
    if player is not None:
        with suppress(OutdatedAction):
            vacations.come_back(site, player)
    return answers.way_on("/play/")
