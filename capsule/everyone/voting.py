"""Voting for the next move of everyone's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction, Refused
from capsule.everyone import queries
from capsule.everyone.model import Vote
from capsule.games.eligibility import is_eligible
from capsule.games.reading import load_game
from engine import MoveError
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import Transaction


class MayNotVote(Refused):
    """A player may not vote; `message` says why."""


NOT_YET = message(
    "To vote, first finish a game against a person, or three against bots. You can vote a day "
    "after you first played here"
)
NO_PROGRAMS = message("Programs do not vote: everyone's game is for people")
"""The reasons why a player may not vote."""


def vote(transaction: Transaction, player: Player, typed: str) -> None:
    """Store a player's vote for the move that they typed.

    Raises `Refused` if it cannot be played, `MayNotVote` if the player may not vote, and
    `OutdatedAction` if the votes have been counted.
    """
    context, connection = transaction.context, transaction.connection
    game = queries.newest_game(connection, to_change=True)
    if game is None:
        raise OutdatedAction
    game_id, ply = game.stored.id, game.stored.ply + 1
    now = context.clock.deadline_time()
    if not game.takes_votes(queries.ballot_of(connection, game_id, ply), now):
        raise OutdatedAction
    require_may_vote(transaction, player)
    try:
        move = load_game(context, connection, game.stored).position.parse(typed)
    except MoveError as error:
        raise Refused(error.message) from error
    last = queries.vote_of(connection, game_id, ply, player.id)
    changes = last.changes + 1 if last else 1
    # The same vote once more is no newer than it was.
    since = last.cast_at if last and last.move == move else now
    queries.save_vote(connection, game_id, ply, player.id, Vote(move, since, changes))


def require_may_vote(transaction: Transaction, player: Player) -> None:
    """Raise `MayNotVote` unless the player counts."""
    if player.is_program:
        raise MayNotVote(NO_PROGRAMS)
    if not is_eligible(transaction.connection, player, transaction.now):
        raise MayNotVote(NOT_YET)
