"""Waiting for bots: for the reply to a move or an offer, and for a hint."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts.pages.action import Then
from capsule.db.faults import DatabaseFault
from capsule.games.queries import game_by_id
from capsule.gemini.types import Wait
from capsule.ui import responses

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext, Transaction
    from capsule.games.model import StoredGame
    from capsule.gemini.types import Response

HINT_SECONDS = 5
"""Seconds after which a player who is already waiting for a hint may ask for another."""


def then_reply(
    transaction: Transaction, player: Player, game: StoredGame, page: str | None = None
) -> Then:
    """Return the redirect to a game, after a while if a bot is to move or to answer in it.

    The next page then shows the bot's reply. A visitor who waits elsewhere already is redirected at
    once, and the bot finds its turn in the database. While the game goes on, the redirect may lead
    to another `page`.
    """
    here = f"/play/{game.id}"
    goal = (page or here) if game.is_running else here
    if not game.awaits_bot:
        return Then(lambda: responses.redirect(goal), goal)
    return Then(partial(_when_replied, transaction.context, player, game, goal), goal)


def then_first_move(transaction: Transaction, player: Player, game_id: str) -> Then:
    """Return the redirect to a game that has just begun, as `then_reply` does."""
    game = game_by_id(transaction.connection, game_id)
    if game is None:
        raise LookupError(game_id)
    return then_reply(transaction, player, game)


def _when_replied(context: AppContext, player: Player, game: StoredGame, goal: str) -> Wait:
    redirect = responses.redirect(goal)

    def when_replied() -> Response:
        # What the bot replies to has been stored, whatever the database fails at now.
        with suppress(DatabaseFault):
            context.bots.request_reply(game.id, game.turn_counter, player.id)
        return redirect

    return Wait(player.id, when_replied, fallback=redirect)
