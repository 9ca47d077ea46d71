"""The operator's notices on the page of a player's games, and acknowledging them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.accounts.sign_in import AREA
from capsule.errors import OutdatedAction
from capsule.moderation import notices
from capsule.ui import responses
from capsule.ui.routes import KEY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.moderation.model import Notice
    from capsule.ui.routes import Routes


SUBJECT = "notices"
"""The subject of the keys of these actions."""


@dataclass(frozen=True)
class NoticeSection:
    """The notices that a player has not acknowledged, and the key with which they do so."""

    unread: Sequence[Notice]
    key: str


def notice_section(context: AppContext, visitor: Visitor) -> NoticeSection | None:
    """Return the notices for a visitor, None if there are none."""
    found = () if visitor.player is None else notices.notices_for(visitor.player)
    return NoticeSection(found, visitor.account_key(context, SUBJECT)) if found else None


def acknowledge(context: AppContext, request: Request, key: str) -> Response:
    """Delete the notices that the player has read, and go to their games."""
    try:
        notices.acknowledge(context, identity.acting_player(context, request, SUBJECT, key))
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            AREA,
            is_done=lambda player: not notices.notices_for(player),
        )
    return responses.redirect(AREA)


ROUTES: Routes = ((f"/play/me/{KEY}/heard", acknowledge),)
