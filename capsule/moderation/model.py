"""Reports, the operator's actions, and the notices about them to players."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ActionKind(StrEnum):
    """An action of the operator."""

    CLOSE = "close"
    WARN = "warn"
    MUTE = "mute"
    UNMUTE = "unmute"
    BAN = "ban"
    UNBAN = "unban"
    RENAME = "rename"
    REMOVE_MESSAGE = "remove-message"
    REMOVE_COMMENT = "remove-comment"
    REMOVE_NOTES = "remove-notes"
    CLEAR_PROFILE = "clear-profile"
    CANCEL_TOURNAMENT = "cancel-tournament"
    RETITLE_TOURNAMENT = "retitle-tournament"
    NEWS = "news"
    FEATURE = "feature"
    MAIL_STOP = "mail-stop"
    ERASE = "erase"


class NoticeKind(StrEnum):
    """The subject of a notice."""

    WARNING = "warned"
    RENAME = "renamed"
    MUTE = "silenced"
    REMOVAL = "removed"
    COMMENT_REMOVAL = "comment removed"
    NOTES_REMOVAL = "notes removed"
    CLEARED_PROFILE = "cleared"
    CANCELLATION = "called off"
    NEW_TITLE = "retitled"


@dataclass(frozen=True)
class Notice:
    """The operator's notice to a player of an action and its reason, until it is acknowledged.

    `old` and `new` are the names of a rename. `until` is the end of a mute, `game_id` the game
    of which a message, a comment or notes were removed, and `tournament_id` the player's tournament
    that was called off or has `new` as its title.
    """

    kind: NoticeKind
    reason: str
    old: str = ""
    new: str = ""
    until: datetime | None = None
    game_id: str = ""
    tournament_id: str = ""


class LineKind(StrEnum):
    """A kind of lines that people write under games; its name in the operator's sentences."""

    MESSAGE = "message"
    COMMENT = "comment"


@dataclass(frozen=True)
class ReportedEvent:
    """The subject of a report, by its id: a game, a comment or notes on it, or a tournament.

    Without any of these, the subject is a player's page.
    """

    game_id: str | None = None
    comment_id: int | None = None
    tournament_id: str | None = None
    annotation_number: int | None = None

    @property
    def is_profile(self) -> bool:
        """Whether it is the page of the player who is reported."""
        return self == ReportedEvent()

    @property
    def line_kind(self) -> LineKind:
        """The kind of the lines under the game that the operator reads."""
        return LineKind.MESSAGE if self.comment_id is None else LineKind.COMMENT


@dataclass(frozen=True)
class Report:
    """A report to the operator about an opponent, a comment, notes, a tournament or a profile.

    A name is "" if the player was erased. `title` is a tournament's, None in other reports.
    """

    id: int
    made_at: datetime
    reporter_name: str
    reported_id: int
    reported_name: str
    event: ReportedEvent
    title: str | None
    text: str
    closed_at: datetime | None


@dataclass(frozen=True)
class LoggedLine:
    """A message or a comment under a game as the operator sees it, regardless of mutes.

    `text` is "" if it was removed, and `author_name` is "" if the author was erased.
    """

    id: int
    game_id: str
    author_id: int
    author_name: str
    sent_at: datetime
    text: str
    is_removed: bool


@dataclass(frozen=True)
class OperatorAction:
    """An action that the operator took, mostly about a player.

    `name_then` and `name_now` are the player's names at that time and now, None and "" for a player
    who was erased. An action about no player has no `player_id`.
    """

    taken_at: datetime
    kind: ActionKind
    player_id: int | None
    name_then: str | None
    name_now: str | None
    detail: str
