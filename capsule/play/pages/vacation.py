"""Taking a vacation, and coming back from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.pages.action import Action, ActionsOf
from capsule.accounts.sign_in import AREA
from capsule.games import vacations
from capsule.ui.routes import ANY, KEY
from engine.game import message

if TYPE_CHECKING:
    from capsule.ui.routes import Routes


SUBJECT = "vacation"
"""The subject of the action keys of these pages."""

TAKE = Action(
    name="take",
    counter=ActionsOf(SUBJECT),
    back=AREA,
    asks=lambda transaction, attempt: [
        message(
            "Days of vacation from now on, at most {limit}",
            limit=vacations.limit(transaction, attempt.player),
        )
    ],
    does=lambda transaction, attempt: vacations.take(transaction, attempt.player, attempt.typed),
)

COME_BACK = Action(
    name="come_back",
    counter=ActionsOf(SUBJECT),
    back=AREA,
    does=lambda transaction, attempt: vacations.come_back(transaction, attempt.player),
)

ROUTES: Routes = (
    (f"/play/me/{KEY}/vacation", TAKE, ANY),
    (f"/play/me/{KEY}/back", COME_BACK),
)
