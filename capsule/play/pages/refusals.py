"""The pages that say why somebody cannot have another game, or do something in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.play.challenges import ChallengeRefused, require_opponent
from capsule.ui import responses

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import Transaction
    from capsule.errors import Refused
    from capsule.games.quota import TooManyGames
    from capsule.gemini.types import Response


def too_many_games(
    visitor: Visitor, error: TooManyGames, back: str, typed: str | None = None
) -> Response:
    """Return the page that says so, with a link to the page at `back`, which the visitor was on.

    The text that they `typed` with a key of their own is shown again.
    """
    return responses.refusal(visitor.preferences, "play/too_many_games.gmi", error, back, typed)


def not_possible(visitor: Visitor, error: Refused, game: str) -> Response:
    """Return the page that says why something cannot be done in the game at an address."""
    return responses.refusal(visitor.preferences, "play/not_possible.gmi", error, game)


def no_opponent(transaction: Transaction, visitor: Visitor, name: str | None) -> Response | None:
    """Return the page that says why a visitor cannot challenge a player, None if they can try.

    `name` is None where the page of a new game has no opponent.
    """
    if name is None:
        return None
    try:
        require_opponent(transaction, visitor.player, name)
    except ChallengeRefused as error:
        template = "play/no_opponent.gmi"
        return responses.refusal(visitor.preferences, template, error, "/play/new/")
    return None
