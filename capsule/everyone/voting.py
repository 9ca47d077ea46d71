"""Voting for the next move of everyone's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.actions import require_active
from capsule.errors import OutdatedAction, Refused
from capsule.everyone import queries
from capsule.everyone.model import Vote
from capsule.games import queries as game_queries
from capsule.games.eligibility import is_eligible
from capsule.games.reading import load_game
from engine.game import message

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.action_keys import ActionKey
    from capsule.accounts.model import Player
    from capsule.context import AppContext


class MayNotVote(Refused):
    """A player may not vote; `message` says why."""


NOT_YET = message(
    "To vote, first finish a game against a person, or three against bots. You can vote a day "
    "after you first played here"
)
NO_PROGRAMS = message("Programs do not vote: everyone's game is for people")
"""The reasons why a player may not vote."""


def vote(context: AppContext, player: Player, game_id: str, key: ActionKey, text: str) -> None:
    """Store a player's vote for the move that they typed.

    Raises the engine's `InvalidMove` or `IllegalMove` if it cannot be played, `MayNotVote` if the
    player may not vote, and `OutdatedAction` if the votes have been counted or the player has voted
    since `key` was made.
    """
    with context.database.writing() as connection:
        require_active(context, connection, player)
        stored = game_queries.game_by_id(connection, game_id, to_change=True)
        game = queries.newest_game(connection)
        if game is None or stored is None or game.stored.id != game_id:
            raise OutdatedAction
        ply = stored.ply + 1
        last = queries.vote_of(connection, game_id, ply, player.id)
        now = context.clock.deadline_time()
        is_taken = game.takes_votes(queries.ballot_of(connection, game_id, ply), now)
        if not (is_taken and key.fits(last.changes if last else 0)):
            raise OutdatedAction
        require_may_vote(context, connection, player)
        move = load_game(context, connection, stored).position.parse(text)
        changes = last.changes + 1 if last else 1
        # The same vote once more is no newer than it was.
        since = last.cast_at if last and last.move == move else now
        queries.save_vote(connection, game_id, ply, player.id, Vote(move, since, changes))


def require_may_vote(context: AppContext, connection: Connection, player: Player) -> None:
    """Raise `MayNotVote` unless the player counts."""
    if player.is_program:
        raise MayNotVote(NO_PROGRAMS)
    if not is_eligible(connection, player, context.clock()):
        raise MayNotVote(NOT_YET)
