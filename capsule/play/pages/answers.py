"""The answers to actions in games: a refusal, or a wait for a bot's reply."""

from contextlib import suppress
from functools import partial

from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player
from capsule.accounts.pages.action import Then
from capsule.context import AppContext, Transaction
from capsule.db.faults import DatabaseFault
from capsule.errors import Refused
from capsule.games.eligibility import TooManyGames
from capsule.games.model import StoredGame
from capsule.games.queries import game_by_id
from capsule.gemini.types import Response, Wait
from capsule.ui import responses


def refused(visitor: Visitor, error: Refused, back: str, typed: str | None = None) -> Response:
    """Return the page with the reason of a refusal, and a link to the visitor's page at `back`.

    One game too many has another title than other refusals. The page repeats what was `typed` with
    the visitor's own key.
    """
    is_one_too_many = isinstance(error, TooManyGames)
    template = f"play/{'too_many_games' if is_one_too_many else 'not_possible'}.gmi"
    return responses.refusal(visitor.preferences, template, error, back, typed)


HINT_SECONDS = 5
"""Seconds after which a player who is already waiting for a hint may ask for another."""


def then_reply(
    transaction: Transaction, player: Player, game: StoredGame, page: str | None = None
) -> Then:
    """Return the redirect to a game, which waits for the bot's reply if the bot owes one.

    The next page then shows the reply. A visitor who waits elsewhere already is redirected at once,
    and the bot finds its turn in the database. While the game is running, the redirect may lead to
    another `page`.
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
        # The visitor's move or offer has been stored, even if the database fails now.
        with suppress(DatabaseFault):
            context.bots.request_reply(game.id, game.turn_counter, player.id)
        return redirect

    return Wait(player.id, when_replied, fallback=redirect)
