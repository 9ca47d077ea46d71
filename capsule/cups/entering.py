"""Entering cups, and reading them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.accounts.queries import blocked_ids
from capsule.context import AppContext, Transaction
from capsule.cups import queries
from capsule.cups.model import WHOLE_CUP, Cup, CupStatus, CupWinner, Entrant, first_month, new_cup
from capsule.cups.queries import GroupProgress
from capsule.errors import OutdatedAction, OverLimit
from capsule.games.eligibility import is_eligible
from capsule.games.player_queries import MAX_IN_CUP_GROUP
from capsule.languages.dates import Month
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.actions import TournamentRefused, require_room
from capsule.tournaments.model import StoredTournament
from engine import Message
from engine.game import message

MAX_AHEAD = 3
"""The number of cups ahead that are looked at: one is open, and one is to come."""

PROGRAMS_MAY_NOT = message("A cup is for people. Programs may not enter")
NOT_ELIGIBLE = message(
    "To enter, first finish a game against a person, or three against bots. You can enter a day "
    "after you first played here"
)
BLOCKED = message(
    "You cannot play against one of its entrants, since one of you has blocked the other"
)


def open_cup(connection: Connection, now: datetime) -> Cup | None:
    """Return the cup that may be entered at a time, or None."""
    found = queries.cups_with(connection, (CupStatus.ENTERING,), MAX_AHEAD)
    return next((cup for cup in found if cup.may_be_entered(now)), None)


def cup_entered(connection: Connection, player: Player, now: datetime) -> Cup | None:
    """Return the cup that has not begun and that a player has entered, or None."""
    entered = queries.cups_entered_ahead(connection, player.id, MAX_AHEAD)
    return next((cup for cup in entered if cup.may_be_left(now)), None)


def obstacle(connection: Connection, player: Player, cup: Cup, now: datetime) -> Message | None:
    """Return why a player may not enter a cup, or None if they may."""
    if player.is_program:
        return PROGRAMS_MAY_NOT
    if not is_eligible(connection, player, now):
        return NOT_ELIGIBLE
    blocked = blocked_ids(connection, player.id)
    if blocked and queries.have_entered(connection, cup.month, blocked):
        return BLOCKED
    try:
        require_room(connection, player, MAX_IN_CUP_GROUP, MAX_IN_CUP_GROUP, None)
    except TournamentRefused as error:
        return error.message
    return None


def enter(transaction: Transaction, player: Player) -> None:
    """Enter a player into the cup whose entry is open.

    Raises `OverLimit` if they may not enter at present, or `OutdatedAction` if no entry is open or
    the player is entered already.
    """
    connection, now = transaction.connection, transaction.now
    found = open_cup(connection, now)
    cup = found and queries.cup_of(connection, found.month, to_change=True)
    if cup is None or not cup.may_be_entered(now):
        raise OutdatedAction
    if queries.have_entered(connection, cup.month, [player.id]):
        raise OutdatedAction
    reason = obstacle(connection, player, cup, now)
    if reason is not None:
        raise OverLimit(reason)
    queries.add_entries(connection, cup.month, [player.id], now)


def leave(transaction: Transaction, player: Player) -> None:
    """Take back a player's entry to a cup that has not begun; raises `OutdatedAction`."""
    connection, now = transaction.connection, transaction.now
    found = cup_entered(connection, player, now)
    cup = found and queries.cup_of(connection, found.month, to_change=True)
    if cup is None or not cup.may_be_left(now):
        raise OutdatedAction
    queries.remove_entries(connection, cup.month, [player.id])


MAX_SHOWN_ENTRANTS = 100
"""The entrants, and the winners of groups, whose names a page shows."""

MAX_PARTS = 40
"""The groups of a cup that its page shows."""

PAST_CUPS = 24
"""The cups that are over on one page."""

MAX_PAST_WINNERS = 100
"""The winners of these whose names the page shows."""

MAX_WON = 50
"""The cups won that a profile shows."""

MAX_PRESENT = 4
"""The cups ahead, or being played, that a page shows."""


@dataclass(frozen=True, slots=True)
class PastCup:
    """A cup that is over and its winners, none if it was not played or nobody stayed."""

    cup: Cup
    winners: Sequence[CupWinner]


@dataclass(frozen=True, slots=True)
class CupPage:
    """A cup with its first entrants, its parts, and the winners of each group and of the cup.

    `progress` is by the ids of the parts, the final first among them.
    """

    cup: Cup
    entrants: Sequence[Entrant]
    parts: Sequence[StoredTournament]
    progress: Mapping[str, GroupProgress]
    winners: Sequence[CupWinner]
    is_due: bool

    def winners_of(self, part: StoredTournament) -> Sequence[CupWinner]:
        """Return the winners of a part that has ended."""
        group = WHOLE_CUP if part.cup is None else part.cup.group or WHOLE_CUP
        return [each for each in self.winners if each.group == group]

    @property
    def ends_at(self) -> datetime | None:
        """The time at which what is left of the games that are played now ends."""
        return next((part.ends_at for part in self.parts if part.is_playing), None)

    @property
    def cup_winners(self) -> Sequence[CupWinner]:
        """The winners of the whole cup."""
        return [each for each in self.winners if each.group == WHOLE_CUP]


@dataclass(frozen=True, slots=True)
class OwnCups:
    """The reader's part in the cups.

    `entered` is the cup ahead that they have entered. `obstacle` is why they may not enter the one
    that is open, None if they may or are entered. `playing` are the parts that they play in now.
    """

    entered: Cup | None
    is_carried: bool
    may_enter: bool
    obstacle: Message | None
    playing: Sequence[StoredTournament]

    @property
    def must_play(self) -> bool:
        """Whether they may enter once they have finished a game, or some against bots."""
        return self.obstacle is NOT_ELIGIBLE


@dataclass(frozen=True, slots=True)
class CupsPage:
    """The present cups, and a page of those that are over; `older` is the month it goes on with."""

    ahead: Sequence[Cup]
    playing: Sequence[CupPage]
    past: Sequence[PastCup]
    older: Month | None
    is_first: bool


def page_of_cups(transaction: Transaction, before: Month | None) -> CupsPage:
    """Return the present cups and those that are over: the last, or those before a month."""
    connection, now = transaction.connection, transaction.now
    statuses = (CupStatus.COMING, CupStatus.ENTERING)
    ahead = queries.cups_with(connection, statuses, MAX_PRESENT) if before is None else ()
    statuses = (CupStatus.GROUPS, CupStatus.FINAL)
    played = queries.cups_with(connection, statuses, MAX_PRESENT) if before is None else ()
    past = queries.last_cups(connection, before, PAST_CUPS + 1)
    shown = past[:PAST_CUPS]
    winners = queries.winners_of_cups(
        connection, [cup.month for cup in shown], now, MAX_PAST_WINNERS
    )
    parts = {
        cup.month: tournament_queries.parts_of_cup(connection, cup.month, MAX_PARTS)
        for cup in played[:2]
    }
    progress = queries.progress_of(
        connection, [part.id for found in parts.values() for part in found]
    )
    if before is None and not ahead:
        ahead = (new_cup(first_month(now)),)
    return CupsPage(
        # The one that is open, or else the next.
        ahead=ahead[:1],
        playing=[
            CupPage(cup, (), parts.get(cup.month, ()), progress, (), is_due=False) for cup in played
        ],
        past=[PastCup(cup, [each for each in winners if each.month == cup.month]) for cup in shown],
        older=shown[-1].month if len(past) > PAST_CUPS else None,
        is_first=before is None,
    )


def find_cup(transaction: Transaction, month: Month) -> CupPage | None:
    """Return the page of a month's cup, or None if there is none yet."""
    connection, now = transaction.connection, transaction.now
    cup = queries.cup_of(connection, month)
    if cup is None:
        return None
    parts = tournament_queries.parts_of_cup(connection, month, MAX_PARTS)
    return CupPage(
        cup,
        queries.entrants_of(connection, month, now, MAX_SHOWN_ENTRANTS),
        parts,
        queries.progress_of(connection, [part.id for part in parts]),
        queries.winners_in(connection, month, now, MAX_SHOWN_ENTRANTS),
        is_due=cup.is_ahead and now >= cup.begins_at,
    )


def own_cups(transaction: Transaction, player: Player) -> OwnCups:
    """Return a player's part in the cups."""
    connection, now = transaction.connection, transaction.now
    entered = cup_entered(connection, player, now)
    entry = None
    if entered is not None:
        entry = queries.entries_of(connection, player.id, MAX_AHEAD)[entered.month]
    cup = open_cup(connection, now)
    may_enter, reason = False, None
    if cup is not None and (entered is None or entered.month != cup.month):
        reason = obstacle(connection, player, cup, now)
        may_enter = reason is None
    playing = tournament_queries.tournaments_of_player(connection, player.id)
    return OwnCups(
        entered,
        is_carried=entry is not None and entry.is_carried,
        may_enter=may_enter,
        obstacle=reason,
        playing=[each for each in playing if each.cup is not None],
    )


def cups_won_by(connection: Connection, player: Player) -> Sequence[Cup]:
    """Return the last cups that a player has won, alone or with others."""
    return queries.cups_won_by(connection, player.id, MAX_WON)


def cup_to_tell(context: AppContext, connection: Connection) -> Cup | None:
    """Return the cup of which the home page tells: one that is open, or one being played."""
    now = context.clock()
    statuses = (CupStatus.ENTERING, CupStatus.GROUPS, CupStatus.FINAL)
    found = queries.cups_with(connection, statuses, MAX_PRESENT)
    return next((cup for cup in found if cup.may_be_entered(now)), found[0] if found else None)
