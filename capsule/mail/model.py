"""Subscriptions to e-mail, letters, and the notifications in them."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from capsule.games.clock import HOUR
from capsule.games.model import StoredGame
from engine import Message

CODE_LIFETIME = timedelta(days=1)
"""The time within which a code must be typed."""

MAX_TRIES = 5
"""The number of tries to type a code."""

MAX_LETTERS_A_DAY = 6
"""Letters to a player within a day, the summary among them; codes have other limits."""


def random_key(random_bytes: Callable[[int], bytes]) -> str:
    """Return a key that nobody can guess: 32 characters of lower-case base32."""
    return base64.b32encode(random_bytes(20)).decode().lower()


class TurnMail(StrEnum):
    """The time at which a turn is mailed to a player."""

    DAILY = "daily"
    AFTER_1 = "1"
    AFTER_4 = "4"
    AFTER_12 = "12"
    OFF = "off"

    @property
    def delay(self) -> timedelta | None:
        """The time after which a turn is sent, unless the game was viewed; None for never."""
        return int(self) * HOUR if self.isdigit() else None


class MailKind(StrEnum):
    """A kind of notification, apart from turns, that a player may want in letters."""

    TIME = "time"
    OFFERS = "offers"
    MESSAGES = "messages"
    RESULTS = "results"
    EVENTS = "events"


@dataclass(frozen=True)
class Subscription:
    """A player's subscription to e-mail: the confirmed address, and what is sent there when.

    `confirmed_at` is when the first address was confirmed; another one takes its place without a
    gap. `hour` is that of the daily summary in the player's time zone. `refusal` has the relay's
    words if it has refused the address for good; nothing is sent then.
    """

    player_id: int
    address: str
    confirmed_at: datetime
    stop_key: str
    turns: TurnMail = TurnMail.DAILY
    hour: int = 8
    kinds: tuple[MailKind, ...] = (MailKind.TIME,)
    refusal: str = ""

    @property
    def wants_letters(self) -> bool:
        """Whether there may be anything to send."""
        return not self.refusal and (self.turns is not TurnMail.OFF or bool(self.kinds))


@dataclass(frozen=True)
class PendingAddress:
    """An address that a player has typed and not confirmed, as stored: without its code."""

    player_id: int
    address: str
    made_at: datetime
    tries_left: int
    stop_key: str
    refusal: str = ""

    @property
    def valid_until(self) -> datetime:
        """The time at which its code expires."""
        return self.made_at + CODE_LIFETIME

    def is_over(self, now: datetime) -> bool:
        """Return whether the code's time or its tries have run out."""
        return now >= self.valid_until or self.tries_left <= 0


class LetterKind(StrEnum):
    """A kind of letter."""

    CODE = "code"
    SUMMARY = "summary"
    NEWS = "news"


class LetterState(StrEnum):
    """The state of a letter."""

    WAITING = "waiting"
    SENDING = "sending"
    DONE = "done"


@dataclass(frozen=True)
class Letter:
    """A letter to a player. `message_key` begins its Message-ID, the same at each attempt.

    `tries` counts the attempts so far, and `crashes` those during which a process died.
    """

    id: int
    player_id: int
    kind: LetterKind
    state: LetterState
    message_key: str
    made_at: datetime
    tries: int
    crashes: int


@dataclass(frozen=True)
class Notification:
    """An event for a player, which happened at `at`, and is sent from `due_at` on.

    `key` identifies it, so that it is not sent twice. With `due_at` None, it waits for the next
    summary. `path` leads to its page, and `game` is the game that it is about, if any. `is_turn`
    says that the player is to move there, until `deadline` if there is one.
    """

    key: str
    at: datetime
    due_at: datetime | None
    title: Message
    path: str
    game: StoredGame | None = None
    is_turn: bool = False
    deadline: datetime | None = None

    @property
    def turn_in(self) -> str | None:
        """The id of the game in which it is the player's turn, if that is what it is about."""
        return self.game.id if self.is_turn and self.game is not None else None
