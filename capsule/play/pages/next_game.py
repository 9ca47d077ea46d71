"""The way from one game to the next: an address that leads to whichever game waits first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.context import reading
from capsule.play.desk import next_game
from capsule.ui import responses
from capsule.ui.fresh_addresses import fresh

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

NEXT_GAME = "/play/next"
"""The address of the way; the id of a game as its query passes that game over."""


@reading
def lead_on(transaction: Transaction, request: Request) -> Response:
    """Lead to the first game that waits for the player, or to their games if none does.

    Some browsers keep pages by their addresses, so it leads to one that is new.
    """
    player = identity.signed_in(transaction, request).player
    found = None if player is None else next_game(transaction, player, passed_over=request.query)
    page = "/play/" if found is None else f"/play/{found.id}"
    return responses.redirect(fresh(page, transaction.now))


ROUTES: Routes = ((NEXT_GAME, lead_on, "[a-z2-7]{10}"),)
