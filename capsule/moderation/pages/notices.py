"""The operator's notices on the page of a player's games, and acknowledging them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts.pages.action import Action, ActionsOf
from capsule.accounts.sign_in import AREA
from capsule.moderation import notices
from capsule.ui.routes import KEY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
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


ACKNOWLEDGE = Action(
    name="acknowledge",
    counter=ActionsOf(SUBJECT),
    back=AREA,
    does=lambda transaction, attempt: notices.acknowledge(transaction, attempt.player),
)


ROUTES: Routes = ((f"/play/me/{KEY}/heard", ACKNOWLEDGE),)
