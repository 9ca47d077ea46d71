"""Taking a vacation, and coming back from it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.errors import OutdatedAction
from capsule.games import vacations
from capsule.ui import responses
from capsule.ui.routes import ANY, KEY
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


SUBJECT = "vacation"
"""The subject of the action keys of these pages."""


def take(context: AppContext, request: Request, key: str) -> Response:
    """Ask for a number of days; given one, start the vacation and redirect to the games."""
    with suppress(OutdatedAction):
        player = identity.acting_player(context, request, SUBJECT, key)
        with context.database.reading() as connection:
            current, limit = vacations.vacation_of(context, connection, player)
        if current is not None:
            raise OutdatedAction
        ask = message("Days of vacation from now on, at most {limit}:", limit=limit)
        if not request.query:
            return responses.prompt(ask)
        try:
            vacations.take(context, player, request.query)
        except vacations.VacationRefused as error:
            return responses.prompt_again(error.message, ask)
    return responses.redirect("/play/")


def come_back(context: AppContext, request: Request, key: str) -> Response:
    """End the vacation and redirect to the player's games."""
    with suppress(OutdatedAction):
        vacations.come_back(context, identity.acting_player(context, request, SUBJECT, key))
    return responses.redirect("/play/")


ROUTES: Routes = (
    (f"/play/me/{KEY}/vacation", take, ANY),
    (f"/play/me/{KEY}/back", come_back),
)
