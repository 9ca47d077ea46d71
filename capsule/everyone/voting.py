"""Everyone's game: reading it, voting, and counting the votes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice

import sqlalchemy as sa

from capsule.accounts.identity import REMEMBERED
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction, reading, writing
from capsule.errors import OutdatedAction, Refused
from capsule.everyone import model, queries
from capsule.games import creation, model as games
from capsule.games.eligibility import is_eligible
from capsule.games.finish import finish
from capsule.games.game import Game
from capsule.games.moves import make_move
from capsule.games.reading import load_game
from engine import VARIANTS, Message, MoveError, Side, message
from engine.bots import levels_of

NOT_YET = message(
    "To vote, first finish a game against a person, or three against bots. You can vote a day "
    "after you first played here"
)
NO_PROGRAMS = message("Programs do not vote: everyone's game is for people")
"""The reasons why a player may not vote."""


def vote(transaction: Transaction, player: Player, typed: str) -> None:
    """Store a player's vote for the move that they typed.

    Raises `Refused` if it cannot be played or the player may not vote, and `OutdatedAction` if the
    votes have been counted.
    """
    connection = transaction.connection
    game = queries.newest_game(connection, to_change=True)
    if game is None:
        raise OutdatedAction
    game_id, ply = game.stored.id, game.stored.ply + 1
    now = transaction.deadline_time
    if not game.takes_votes(queries.ballot_of(connection, game_id, ply), now):
        raise OutdatedAction
    require_may_vote(transaction, player)
    try:
        move = load_game(transaction, game.stored).position.parse(typed)
    except MoveError as error:
        raise Refused(error.message) from error
    last = queries.vote_of(connection, game_id, ply, player.id)
    changes = last.changes + 1 if last else 1
    # The same vote once more is no newer than it was.
    since = last.cast_at if last and last.move == move else now
    queries.save_vote(connection, game_id, ply, player.id, model.Vote(move, since, changes))


def obstacle(transaction: Transaction, player: Player) -> Message | None:
    """Return why a player may not vote: programs, and people who have not played enough."""
    if player.is_program:
        return NO_PROGRAMS
    return None if is_eligible(transaction.connection, player, transaction.now) else NOT_YET


def require_may_vote(transaction: Transaction, player: Player) -> None:
    """Raise `Refused` if there is an obstacle."""
    reason = obstacle(transaction, player)
    if reason is not None:
        raise Refused(reason)


def advance(context: AppContext) -> None:
    """Do what is due in everyone's game, if anything is."""
    while _has_due(context) and _take_step(context):
        pass


@reading
def _has_due(transaction: Transaction) -> bool:
    return _is_due(transaction, queries.newest_game(transaction.connection))


@writing
def _take_step(transaction: Transaction) -> bool:
    """Do one step that is due; return whether there was one."""
    newest = queries.newest_game(transaction.connection, to_change=True)
    if not _is_due(transaction, newest):
        return False
    if newest is None or not newest.stored.is_running:
        _begin_next(transaction, newest)
    else:
        _count_or_leave(transaction, newest)
    return True


def _is_due(transaction: Transaction, newest: model.EveryonesGame | None) -> bool:
    if newest is None or not newest.stored.is_running:
        return not transaction.clock_doubt
    ballot = queries.ballot_of(transaction.connection, newest.stored.id, newest.stored.ply + 1)
    return newest.is_due(ballot, transaction.deadline_time)


def _count_or_leave(transaction: Transaction, newest: model.EveryonesGame) -> None:
    """Play the move with the most votes; without votes, end the game as abandoned."""
    connection, stored = transaction.connection, newest.stored
    choices = queries.ballot_of(connection, stored.id, stored.ply + 1).choices
    if choices:
        game = load_game(transaction, stored)
        make_move(transaction, game, choices[0].move)
    else:
        finish(
            connection,
            stored,
            stored.ended(games.Ending.aborted(games.EndReason.NO_VOTES), newest.left_at),
        )


def _begin_next(transaction: Transaction, last: model.EveryonesGame | None) -> None:
    connection = transaction.connection
    number, score = (1, model.ResultTally()) if last is None else (last.number + 1, last.score)
    variant = VARIANTS[model.variant_of(number)]
    before = queries.game_of_number(connection, number - len(games.EVENT_VARIANTS))
    level = model.next_level(tuple(levels_of(variant.key)), before.stored if before else None)
    seats = {
        model.side_of(number): games.EVERYONES_SEAT,
        model.side_of(number).other: games.Seat(bot=level),
    }
    game = creation.new_game(
        transaction.context, variant, seats[Side.X], seats[Side.O], games.GameStatus.PLAYING
    )
    game_id = creation.create_game(connection, replace(game, listed=True))
    queries.add_game(connection, number, game_id, score)


GAMES_LISTED = 10
"""The number of earlier games that a page lists."""


@dataclass(frozen=True, slots=True)
class ShownGame:
    """One of everyone's games with its position, and the votes for its next and its last move.

    `deadline_now` is the time by which deadlines are judged. `last_move` is the people's last move,
    None before their first. `is_newest` says that no later game has begun.
    """

    numbered: model.EveryonesGame
    game: Game
    deadline_now: datetime
    ballot: model.Ballot
    last_move: games.StoredMove | None
    last_ballot: model.Ballot
    earlier: Sequence[model.EveryonesGame]
    is_newest: bool

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
        """The time at which the votes are counted, or would be after a vote now."""
        return self.numbered.counts_at(self.ballot.first_vote or self.deadline_now)

    @property
    def time_left(self) -> timedelta:
        """The time that is left to vote."""
        return self.voting_ends_at - self.deadline_now


def shown_game(transaction: Transaction, number: int | None = None) -> ShownGame | None:
    """Return the game with a number or, without one, the newest; None if there is none."""
    connection = transaction.connection
    newest = numbered = queries.newest_game(connection)
    if newest is not None and number not in (None, newest.number):
        numbered = queries.game_of_number(connection, number or 0)
    if newest is None or numbered is None:
        return None
    game = load_game(transaction, numbered.stored)
    side = game.stored.everyones_side
    last_move = next((move for move in reversed(game.recent) if move.side is side), None)
    return ShownGame(
        numbered=replace(numbered, stored=game.stored),
        game=game,
        deadline_now=transaction.deadline_time,
        ballot=queries.ballot_of(connection, game.id, game.ply + 1)
        if numbered.is_peoples_turn
        else model.Ballot(),
        last_move=last_move,
        last_ballot=queries.ballot_of(connection, game.id, last_move.ply)
        if last_move
        else model.Ballot(),
        earlier=queries.newest_games(connection, GAMES_LISTED, before=numbered.number),
        is_newest=numbered.number == newest.number,
    )


def last_places(
    connection: sa.Connection, game: model.EveryonesGame, player: Player
) -> Sequence[tuple[int, int]]:
    """Return the moves and counts of votes for which the player last had keys, the newest first.

    There are at most `REMEMBERED`.
    """
    next_ply = game.stored.ply + 1
    votes = queries.votes_since(connection, game.stored.id, next_ply - REMEMBERED, player.id)

    places = (
        (ply, count)
        for ply in range(next_ply, max(next_ply - REMEMBERED, 0), -1)
        for count in range(votes[ply].changes if ply in votes else 0, -1, -1)
    )
    return tuple(islice(places, REMEMBERED))
