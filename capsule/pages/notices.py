"""What the operator has to say, on the page of a player's games, and that it was read."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule import answers, identity, notices
from capsule.game import OutdatedAction

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.identity import Visitor
    from capsule.site import Site

SUBJECT = "notices"
"""What the keys of these actions are for."""


def from_operator(site: Site, visitor: Visitor) -> dict[str, object]:
    """Return what the template shows of it to this visitor."""
    return {
        "notices": () if visitor.player is None else notices.notices_for(visitor.player),
        "notices_key": visitor.account_key(site, SUBJECT),
    }


def heard(site: Site, request: Request, key: str) -> Response:
    """Forget what the player has read, and go to their games."""
    player = identity.acting_player(site, request, SUBJECT, key)
    if player is not None:
        with suppress(OutdatedAction):
            notices.acknowledge(site, player)
    return answers.way_on("/play/")
