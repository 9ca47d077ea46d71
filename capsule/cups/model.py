"""A monthly cup: its calendar, its states and its entrants.

Entry is open from the 20th of the month before until the cup begins. Its groups and its final are
tournaments. What happens by date has that date, however late the capsule notices.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from capsule.accounts.names import shown_name
from capsule.games.clock import DAY
from capsule.games.model import EVENT_VARIANTS, variant_called
from capsule.languages.dates import Month
from engine import Variant

MONTH_OF_NUMERIC = Month(2027, 1)
"""A month in which numeric is played, by which the variants of all others are counted."""

ENTRY_DAY = 20
"""The day of the month before on which entry opens."""

MIN_ENTRANTS = 3
"""The fewest entrants with whom a cup is played."""

DAYS_PER_MOVE = 3

GROUP_LIFETIME = timedelta(days=45)
"""The time after which what is left of a group's games ends, vacations included."""

FINAL_LIFETIME = timedelta(days=30)
"""The same for a final."""

LATE = timedelta(days=15)
"""The delay up to which the time of a group counts from its date, so that it ends on time.

A capsule that was stopped for longer than this gives its groups their whole time.
"""

WHOLE_CUP = 0
"""The number by which the winners of a cup are stored, beside those of its groups."""


class CupStatus(StrEnum):
    """The stored state of a cup."""

    COMING = "coming"
    """Entry has not opened."""

    ENTERING = "entering"
    GROUPS = "groups"
    FINAL = "final"
    FINISHED = "finished"
    NOT_PLAYED = "not played"
    """Fewer than `MIN_ENTRANTS` had entered."""


AHEAD = (CupStatus.COMING, CupStatus.ENTERING)
"""The states of a cup that has not begun."""

PLAYED = (CupStatus.GROUPS, CupStatus.FINAL)
"""The states of a cup that is being played."""


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup as stored, and the number of its `entrants`.

    `group_count` is None until these have been drawn into groups.
    """

    month: Month
    variant: Variant
    status: CupStatus
    group_count: int | None = None
    entrants: int = 0
    begun_at: datetime | None = None
    final_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/cups/{self.month.key}"

    @property
    def opens_at(self) -> datetime:
        """The time at which entry opens."""
        return opening_of(self.month)

    @property
    def begins_at(self) -> datetime:
        """The time at which entry closes and the groups begin."""
        return self.month.begins_at

    @property
    def is_ahead(self) -> bool:
        """Whether it has not begun."""
        return self.status in AHEAD

    def may_be_entered(self, now: datetime) -> bool:
        """Return whether players can enter at a time."""
        return self.status is CupStatus.ENTERING and now < self.begins_at

    def may_be_left(self, now: datetime) -> bool:
        """Return whether entrants can leave at a time without losing games."""
        return self.is_ahead and now < self.begins_at

    def groups_end_at(self, now: datetime) -> datetime:
        """Return when what is left of the games of groups that begin now ends."""
        begins_at = self.begins_at if now < self.begins_at + LATE else now
        return begins_at + GROUP_LIFETIME


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player who has entered a cup, perhaps `is_carried` over from an earlier one.

    `name` is "" for a former player, who was erased, and for one who `is_banned`.
    """

    player_id: int
    name: str
    entered_at: datetime
    is_carried: bool = False
    is_banned: bool = False
    is_program: bool = False

    @property
    def shown_name(self) -> str:
        """The name as lists show it."""
        return shown_name(self.name, is_struck_out=self.is_banned)

    @property
    def may_play(self) -> bool:
        """Whether a person still has the name."""
        return bool(self.name) and not self.is_program


@dataclass(frozen=True, slots=True)
class CupWinner:
    """A player who has won a cup or one of its groups, by the name that sentences show."""

    month: Month
    group: int
    player_id: int
    name: str


def new_cup(month: Month) -> Cup:
    """Return the cup of a month before its entry opens."""
    return Cup(month, variant_called(variant_of(month)), CupStatus.COMING)


def variant_of(month: Month) -> str:
    """Return the key of the variant that is played in a month's cup.

    >>> [variant_of(Month(2027, number)) for number in range(1, 5)]
    ['numeric', 'quantum', 'extreme', 'tinc']
    """
    since = month.count - MONTH_OF_NUMERIC.count + EVENT_VARIANTS.index("numeric")
    return EVENT_VARIANTS[since % len(EVENT_VARIANTS)]


def opening_of(month: Month) -> datetime:
    """Return when entry to the cup of a month opens.

    >>> opening_of(Month(2027, 1)).isoformat()
    '2026-12-20T00:00:00+00:00'
    """
    return month.before.begins_at + (ENTRY_DAY - 1) * DAY


def first_month(now: datetime) -> Month:
    """Return the month of the first cup if none has been before: its 20th is today or later.

    >>> from datetime import UTC, datetime
    >>> first_month(datetime(2026, 11, 20, 23, tzinfo=UTC)).key
    '2026-12'
    >>> first_month(datetime(2026, 11, 21, tzinfo=UTC)).key
    '2027-01'
    """
    following = Month.of(now).after
    return following if now < opening_of(following) + DAY else following.after


def has_missed_opening(cup: Cup, now: datetime) -> bool:
    """Return whether the day on which entry was to open has passed without being noticed."""
    return cup.status is CupStatus.COMING and now >= cup.opens_at + DAY
