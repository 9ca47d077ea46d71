"""The pages that say why somebody cannot have another game, or do something in one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.ui import responses
from capsule.ui.render import translate

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.errors import Refused
    from capsule.games.quota import TooManyGames
    from capsule.gemini.types import Response


def too_many_games(visitor: Visitor, error: TooManyGames, back: str) -> Response:
    """Return the page that says so, with a link to the page at `back`, which the visitor was on."""
    return _page("play/too_many_games.gmi", visitor, error, back)


def not_possible(visitor: Visitor, error: Refused, game: str) -> Response:
    """Return the page that says why something cannot be done in the game at an address."""
    return _page("play/not_possible.gmi", visitor, error, game)


def _page(template: str, visitor: Visitor, error: Refused, back: str) -> Response:
    page = responses.page(visitor.preferences, template, reason=error.message, back=back)
    return replace(page, reason=translate(error.message))
