"""Voting for the next move of everyone's game: a key votes once, and leads back to the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts.pages.action import Action, Keys
from capsule.accounts.pages.outdated import StaleNotice
from capsule.errors import OutdatedAction
from capsule.everyone import queries, voting
from capsule.everyone.pages.game import VOTING, key_subject
from capsule.everyone.reading import last_places, shown_game
from capsule.ui.routes import ANY, KEY
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.ui.routes import Routes
    from engine import Message


@dataclass(frozen=True)
class _KeysToVote(Keys):
    """The keys for the next move, which each vote of the player for it outdates."""

    def fits(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether a key is for the next move, and the player has not voted since."""
        connection = transaction.connection
        game = queries.newest_game(connection, to_change=transaction.is_writing)
        if game is None:
            return False
        game_id, ply = game.stored.id, game.stored.ply + 1
        last = queries.vote_of(connection, game_id, ply, attempt.player.id)
        return attempt.visitor.fits(
            transaction.context,
            key_subject(game_id, ply),
            attempt.key,
            last.changes if last else 0,
        )

    def held(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether a key was lately for a vote in the newest game, or the one before."""
        connection, player = transaction.connection, attempt.visitor.player
        newest = queries.newest_game(connection)
        if newest is None or player is None:
            return False
        return any(
            attempt.visitor.fits(
                transaction.context, key_subject(game.stored.id, ply), attempt.key, changes
            )
            for game in (newest, *queries.games_before(connection, newest.number, 1))
            for ply, changes in last_places(connection, game, player)
        )

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Do nothing: the vote itself is counted."""


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    shown = shown_game(transaction)
    if shown is None or not shown.takes_votes:
        raise OutdatedAction
    voting.require_may_vote(transaction, attempt.player)
    game, position = shown.game, shown.game.position
    return [
        position.instruction(),
        message("For example {move}.", move=position.example()),
        message("Your vote, {side}", side=game.variant.side_name(position.turn)),
    ]


VOTE = Action(
    name="vote",
    counter=_KeysToVote(),
    back=VOTING,
    asks=_ask,
    does=lambda transaction, attempt: voting.vote(transaction, attempt.player, attempt.typed),
    notice=StaleNotice(
        message("You did not vote: that page was out of date."),
        message("That link was out of date: nothing was changed."),
        message("Your move was:"),
    ),
)

ROUTES: Routes = ((f"{VOTING}{KEY}/vote", VOTE, ANY),)
