"""The page that says why somebody cannot have another game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.ui import responses
from capsule.ui.render import translate

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.games.quota import TooManyGames
    from capsule.gemini.types import Response


def too_many_games(visitor: Visitor, error: TooManyGames, back: str) -> Response:
    """Return the page that says so, with a link to the page at `back`, which the visitor was on."""
    page = responses.page(
        visitor.preferences, "play/too_many_games.gmi", reason=error.message, back=back
    )
    return replace(page, reason=translate(error.message))
