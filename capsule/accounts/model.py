"""Reading and writing players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.ui.preferences import Preferences

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True)
class Player:
    """Someone who plays: `actions` counts what they did outside a game.

    `warning` is what the operator has to say and the player has not acknowledged; `silenced_until`
    and `banned_for`, with `banned_until`, are what the operator has done.
    """

    id: int
    name: str
    actions: int
    created_at: datetime
    unicode_boards: bool = False
    rulers: bool = True
    words_first: bool = False
    time_zone: str = "UTC"
    takes_messages: bool = True
    warning: str | None = None
    silenced_until: datetime | None = None
    banned_for: str | None = None
    banned_until: datetime | None = None

    @property
    def reader(self) -> Preferences:
        """How the player wants pages."""
        return Preferences(self.unicode_boards, self.rulers, self.words_first, self.time_zone)

    def is_banned(self, now: datetime) -> bool:
        """Tell whether the operator has shut the player out, and that has not run out."""
        return self.banned_for is not None and (
            self.banned_until is None or self.banned_until > now
        )

    def is_silenced(self, now: datetime) -> bool:
        """Tell whether the operator lets the player send no messages."""
        return self.silenced_until is not None and self.silenced_until > now


@dataclass(frozen=True)
class FormerName:
    """A name that a player had, which is nobody else's until `kept_until`.

    Where the operator has `taken_away` the name, the player may not have it again either. Unless it
    `leads_on`, its addresses do not lead to the player.
    """

    name: str
    player_id: int
    kept_until: datetime
    taken_away: bool = False
    leads_on: bool = True


@dataclass(frozen=True)
class StoredCertificate:
    """A certificate of a player.

    `label` is what the player calls it, "" until it has a name. `last_used_at` is kept to the day:
    it is the first use on the last day of use. `valid_until` is what the certificate said then,
    None for one that has not been here since the capsule keeps it.
    """

    fingerprint: str
    label: str
    first_used_at: datetime
    last_used_at: datetime | None
    valid_until: datetime | None


@dataclass(frozen=True)
class StoredCode:
    """What is kept of a code: the part that tells whose it is, and how often it may be tried."""

    selector: str
    player_id: int
    made_at: datetime
    tries_left: int


MUTE, BLOCK = "mute", "block"


@dataclass(frozen=True)
class Relation:
    """That a player has muted or blocked another, who is called `name` now; `kind` says which."""

    other_id: int
    name: str
    kind: str
    since: datetime
