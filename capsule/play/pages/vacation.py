"""Taking a vacation, and coming back from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.accounts.sign_in import AREA
from capsule.errors import OutdatedAction
from capsule.games import vacations
from capsule.ui import responses
from capsule.ui.routes import ANY, KEY
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.clock import Vacation
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


SUBJECT = "vacation"
"""The subject of the action keys of these pages."""


def take(context: AppContext, request: Request, key: str) -> Response:
    """Ask for a number of days; given one, start the vacation and redirect to the games."""
    typed = request.typed or ""
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        limit = _days_to_take(context, player)
        ask = message("Days of vacation from now on, at most {limit}", limit=limit)
        if not typed:
            return responses.prompt(ask)
        try:
            vacations.take(context, player, typed)
        except vacations.VacationRefused as error:
            return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            AREA,
            typed=typed,
            is_done=lambda player: _is_away_for(context, player, typed),
        )
    return responses.redirect(AREA)


def come_back(context: AppContext, request: Request, key: str) -> Response:
    """End the vacation and redirect to the player's games."""
    try:
        vacations.come_back(context, identity.acting_player(context, request, SUBJECT, key))
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            AREA,
            is_done=lambda player: _vacation_of(context, player)[0] is None,
        )
    return responses.redirect(AREA)


def _days_to_take(context: AppContext, player: Player) -> int:
    """Return the days that the player may take; raises `OutdatedAction` if they are away."""
    current, limit = _vacation_of(context, player)
    if current is not None:
        raise OutdatedAction
    return limit


def _vacation_of(context: AppContext, player: Player) -> tuple[Vacation | None, int]:
    with context.database.reading() as connection:
        return vacations.vacation_of(context, connection, player)


def _is_away_for(context: AppContext, player: Player, typed: str) -> bool:
    """Return whether the player is on a vacation of as many days as they typed."""
    current, _ = _vacation_of(context, player)
    return current is not None and typed.strip() == str((current.ends - current.begins).days)


ROUTES: Routes = (
    (f"/play/me/{KEY}/vacation", take, ANY),
    (f"/play/me/{KEY}/back", come_back),
)
