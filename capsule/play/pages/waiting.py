"""Waiting for bots: for the reply to a move or an offer, and for a hint."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule.db.faults import DatabaseFault
from capsule.gemini.types import Wait
from capsule.ui import responses

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.gemini.types import Response

HINT_SECONDS = 5
"""Seconds after which a player who is already waiting for a hint may ask for another."""


def for_bot(
    context: AppContext, player: Player, game: StoredGame, page: str | None = None
) -> Response | Wait:
    """Return the redirect to a game, after a while if a bot is to move or to answer in it.

    The next page then shows the bot's reply. A visitor who waits elsewhere already is redirected at
    once, and the bot finds its turn in the database. While the game goes on, the redirect may lead
    to another `page`.
    """
    here = f"/play/{game.id}"
    redirect = responses.redirect((page or here) if game.is_running else here)
    if not game.awaits_bot:
        return redirect

    def when_replied() -> Response:
        # What the bot replies to has been stored, whatever the database fails at now.
        with suppress(DatabaseFault):
            context.bots.request_reply(game.id, game.turn_counter, player.id)
        return redirect

    return Wait(player.id, when_replied, otherwise=redirect)


def too_many_hints() -> Response:
    """Return the response to a player who asks for a hint while waiting for another."""
    return responses.slow_down(HINT_SECONDS)
