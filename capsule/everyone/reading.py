"""Everyone's game as its pages show it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from capsule.accounts.action_keys import REMEMBERED
from capsule.everyone import queries
from capsule.everyone.model import (
    MIN_TIME_TO_VOTE,
    Ballot,
    EveryonesGame,
    midnight_after,
    midnight_from,
)
from capsule.everyone.voting import MayNotVote, require_may_vote
from capsule.games.reading import load_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime, timedelta

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.everyone.model import Score, Vote
    from capsule.games.game import Game
    from capsule.games.model import StoredMove
    from engine import Message

GAMES_LISTED = 10
"""The number of earlier games that a page lists."""


@dataclass(frozen=True, slots=True)
class Voter:
    """A player who reads the page: their own vote, and why they may not vote, if they may not.

    `changes` counts how often they have voted for the next move.
    """

    vote: Vote | None
    changes: int
    refusal: Message | None


@dataclass(frozen=True, slots=True)
class ShownGame:
    """One of everyone's games with its position, and the votes for its next and its last move.

    `deadline_now` is the time by which votes are counted. `last_move` is the last move that people
    have voted for, None before the first. `is_newest` says that no later game has begun.
    """

    numbered: EveryonesGame
    game: Game
    deadline_now: datetime
    ballot: Ballot
    last_move: StoredMove | None
    last_ballot: Ballot
    earlier: Sequence[EveryonesGame]
    is_newest: bool

    @property
    def score(self) -> Score:
        """The people's score, with this game if it is over."""
        return self.numbered.score

    @property
    def takes_votes(self) -> bool:
        """Whether people may vote now."""
        return self.numbered.takes_votes(self.ballot, self.deadline_now)

    @property
    def is_being_counted(self) -> bool:
        """Whether the time to vote is up and the move has not been played yet."""
        return self.numbered.is_due(self.ballot, self.deadline_now)

    @property
    def voting_ends_at(self) -> datetime:
        """The time at which the votes are counted, or would be if somebody voted now."""
        if self.ballot.first_vote is not None:
            return self.numbered.counts_at(self.ballot.first_vote)
        earliest = midnight_from(self.game.stored.moved_at + MIN_TIME_TO_VOTE)
        return max(earliest, midnight_after(self.deadline_now))

    @property
    def time_left(self) -> timedelta:
        """The time that is left to vote."""
        return self.voting_ends_at - self.deadline_now


def shown_game(transaction: Transaction, number: int | None = None) -> ShownGame | None:
    """Return the game with a number or, without one, the newest; None if there is none."""
    context, connection = transaction.context, transaction.connection
    newest = queries.newest_game(connection)
    if newest is None:
        return None
    numbered = newest
    if number not in (None, newest.number):
        found = queries.game_of_number(connection, number or 0)
        if found is None:
            return None
        numbered = found
    game = load_game(context, connection, numbered.stored)
    side = game.stored.everyones_side
    last_move = next((move for move in reversed(game.recent) if move.side is side), None)
    return ShownGame(
        numbered=replace(numbered, stored=game.stored),
        game=game,
        deadline_now=context.clock.deadline_time(),
        ballot=queries.ballot_of(connection, game.id, game.ply + 1)
        if numbered.is_peoples_turn
        else Ballot(),
        last_move=last_move,
        last_ballot=queries.ballot_of(connection, game.id, last_move.ply)
        if last_move
        else Ballot(),
        earlier=queries.games_before(connection, numbered.number, GAMES_LISTED),
        is_newest=numbered.number == newest.number,
    )


def voter(transaction: Transaction, shown: ShownGame, player: Player | None) -> Voter | None:
    """Return the reader as one who may vote or not; None for those who are no players yet."""
    if player is None:
        return None
    last = queries.vote_of(transaction.connection, shown.game.id, shown.game.ply + 1, player.id)
    changes = last.changes if last is not None else 0
    vote = last if last is not None and last.move else None
    try:
        require_may_vote(transaction, player)
    except MayNotVote as error:
        return Voter(vote, changes, error.message)
    return Voter(vote, changes, None)


def last_places(
    connection: Connection, game: EveryonesGame, player: Player
) -> Sequence[tuple[int, int]]:
    """Return the moves and the numbers of votes for which the player last had keys.

    The newest comes first, and there are at most `REMEMBERED`.
    """
    next_ply = game.stored.ply + 1
    changes = queries.changes_of(connection, game.stored.id, player.id, next_ply - REMEMBERED)

    def all_places() -> Iterator[tuple[int, int]]:
        for ply in range(next_ply, max(next_ply - REMEMBERED, 0), -1):
            for count in range(changes.get(ply, 0), -1, -1):
                yield ply, count

    return tuple(islice(all_places(), REMEMBERED))
