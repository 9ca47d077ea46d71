"""Pages without data, such as rules: they are the same until a new version."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.gemini.types import Account, CachePolicy
from capsule.ui import responses

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Response

KEPT_FOR = timedelta(minutes=10)
"""The longest time for which such a page is reused."""


def static_page(context: AppContext, visitor: Visitor, template: str, **values: object) -> Response:
    """Return a page that depends on nothing but how its visitor wants pages."""
    page = responses.page(visitor.preferences, template, **values)
    player = visitor.player
    tags = frozenset[Account]() if player is None else frozenset({Account(player.id)})
    return replace(page, cache_policy=CachePolicy(context.clock() + KEPT_FOR, tags))
