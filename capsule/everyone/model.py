"""The rules of everyone's game: its variants, sides and levels, and when votes are counted.

All times are in UTC. Votes are counted at midnight, at least twelve hours after the people's turn
began: they have half a day even after the capsule was stopped for days.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from capsule.games.model import EVENT_VARIANTS, StoredGame
from engine import Side

VARIANTS_WITH_ONE_SIDE = ("numeric", "quantum")
"""The variants in which people always play the first side, which is the better one."""

FIRST_LEVEL = "expert"
"""The level of the bot in the first game of each variant."""

MIN_TIME_TO_VOTE = timedelta(hours=12)
"""The shortest time between the turn of the people and the count of their votes."""

PATIENCE = timedelta(days=7)
"""The time without a vote after which a game is abandoned."""


def variant_of(number: int) -> str:
    """Return the variant of the game with a number, from 1 upwards.

    >>> [variant_of(number) for number in (1, 3, 6)]
    ['tinc', 'numeric', 'tinc']
    """
    return EVENT_VARIANTS[(number - 1) % len(EVENT_VARIANTS)]


def side_of(number: int) -> Side:
    """Return the people's side in the game with a number.

    Where they may have either, it alternates from game to game, and so within each variant.

    >>> [side_of(number).value for number in range(1, 11)]
    ['X', 'O', 'X', 'X', 'X', 'O', 'X', 'X', 'X', 'O']
    """
    variant = variant_of(number)
    if variant in VARIANTS_WITH_ONE_SIDE:
        return Side.X
    alternating = [each for each in EVENT_VARIANTS if each not in VARIANTS_WITH_ONE_SIDE]
    rounds = (number - 1) // len(EVENT_VARIANTS)
    place = rounds * len(alternating) + alternating.index(variant)
    return Side.X if place % 2 == 0 else Side.O


def next_level(levels: Sequence[str], before: StoredGame | None) -> str:
    """Return the bot's level after the last game of a variant: one up or down, if there is one.

    `levels` are the variant's, from the weakest to the strongest. `before` is None in the first
    game.
    """
    level = before.bot_level if before is not None else None
    if before is None or level not in levels:
        return FIRST_LEVEL
    step = 0
    if before.winner is not None:
        step = 1 if before.winner is before.everyones_side else -1
    place = levels.index(level) + step
    return levels[min(max(place, 0), len(levels) - 1)]


@dataclass(frozen=True, slots=True)
class ResultTally:
    """The numbers of games that the people have won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def after(self, game: StoredGame) -> "ResultTally":
        """Return the score after a game; a running or abandoned one does not count."""
        if game.points is None:
            return self
        if game.winner is None:
            return replace(self, drawn=self.drawn + 1)
        if game.winner is game.everyones_side:
            return replace(self, won=self.won + 1)
        return replace(self, lost=self.lost + 1)


@dataclass(frozen=True, slots=True)
class VotedMove:
    """A move that people have voted for, the number of their votes, and the time of the oldest."""

    move: str
    votes: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Ballot:
    """All votes for one move of a game, by the moves voted for.

    The move with the most votes stands first; of equals, the one with the oldest vote.
    """

    choices: Sequence[VotedMove] = ()

    @property
    def votes(self) -> int:
        """The number of votes."""
        return sum(each.votes for each in self.choices)

    @property
    def first_vote(self) -> datetime | None:
        """The time of the oldest vote, None if there is none."""
        return min((each.since for each in self.choices), default=None)


@dataclass(frozen=True, slots=True)
class EveryonesGame:
    """One of everyone's games, with its number and the score before it."""

    number: int
    stored: StoredGame
    before: ResultTally

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/everyone/{self.number}"

    @property
    def is_peoples_turn(self) -> bool:
        """Whether the people are to move."""
        return self.stored.is_playing and self.stored.turn is self.stored.everyones_side

    @property
    def score(self) -> ResultTally:
        """The score with this game, if it is over."""
        return self.before.after(self.stored)

    @property
    def left_at(self) -> datetime:
        """The time at which the game is abandoned if nobody votes."""
        return self.stored.moved_at + PATIENCE

    def counts_at(self, first_vote: datetime) -> datetime:
        """Return when votes are counted if the oldest was cast at a time."""
        earliest = midnight_from(self.stored.moved_at + MIN_TIME_TO_VOTE)
        return max(earliest, midnight_after(first_vote))

    def due_at(self, ballot: Ballot) -> datetime:
        """Return when these votes are counted or, without any, the game is abandoned."""
        return self.left_at if ballot.first_vote is None else self.counts_at(ballot.first_vote)

    def is_due(self, ballot: Ballot, now: datetime) -> bool:
        """Return whether it is time to count the votes for a move, or to abandon the game."""
        return self.is_peoples_turn and now >= self.due_at(ballot)

    def takes_votes(self, ballot: Ballot, now: datetime) -> bool:
        """Return whether people may vote for the next move now."""
        return self.is_peoples_turn and now < self.due_at(ballot)


@dataclass(frozen=True, slots=True)
class Vote:
    """A player's vote; `changes` counts how often they have voted for this move of the game.

    The `move` of a withdrawn vote is "": it no longer counts, but its link still voted once.
    """

    move: str
    cast_at: datetime
    changes: int


def midnight_from(moment: datetime) -> datetime:
    """Return the first midnight that is not before a time.

    >>> from datetime import datetime
    >>> night = datetime(2026, 11, 20, tzinfo=UTC)
    >>> midnight_from(night).day, midnight_from(night + timedelta(seconds=1)).day
    (20, 21)
    """
    return midnight_after(moment - timedelta.resolution)


def midnight_after(moment: datetime) -> datetime:
    """Return the first midnight after a time.

    >>> from datetime import datetime
    >>> midnight_after(datetime(2026, 12, 31, tzinfo=UTC)).year
    2027
    """
    begun = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return begun + timedelta(days=1)
