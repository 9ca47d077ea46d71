"""What the operator has to say, on the page of a player's games, and that it was read."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.errors import OutdatedAction
from capsule.moderation import notices
from capsule.ui import responses
from capsule.ui.routes import KEY

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


SUBJECT = "notices"
"""What the keys of these actions are for."""


def from_operator(context: AppContext, visitor: Visitor) -> dict[str, object]:
    """Return what the template shows of it to this visitor."""
    return {
        "notices": () if visitor.player is None else notices.notices_for(visitor.player),
        "notices_key": visitor.account_key(context, SUBJECT),
    }


def acknowledge(context: AppContext, request: Request, key: str) -> Response:
    """Forget what the player has read, and go to their games."""
    player = identity.acting_player(context, request, SUBJECT, key)
    if player is not None:
        with suppress(OutdatedAction):
            notices.acknowledge(context, player)
    return responses.redirect("/play/")


ROUTES: Routes = ((f"/play/me/{KEY}/heard", acknowledge),)
