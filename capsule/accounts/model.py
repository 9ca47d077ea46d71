"""Players and their settings, sanctions, former names, certificates, link codes and relations."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import partial

from capsule.accounts.names import bot_name
from capsule.languages.model import DEFAULT, LANGUAGES
from capsule.ui.preferences import SWITCH, Preferences, setting

CODE_LIFETIME = timedelta(minutes=10)
"""The lifetime of a link code."""


class NewsKind(StrEnum):
    """A kind of news in a player's private feed."""

    TURNS = "turns"
    CHALLENGES = "challenges"
    OFFERS = "offers"
    MESSAGES = "messages"
    REMINDERS = "reminders"
    RESULTS = "results"
    TOURNAMENTS = "tournaments"


@dataclass(frozen=True)
class Settings(Preferences):
    """A player's choices about pages, messages and the private feed.

    `language` is the key of the language of their pages. `width_chosen` says that they have decided
    for or against narrow boards, and need not be asked. `disabled_news` are the kinds of news that
    the private feed leaves out. `declines` are the challenges that a program does not take:
    variants by their keys, days a move as terms have them, "rated" and "casual".
    `rated_against_bots` lets games against bots count for ratings. `shows_activity` lets others see
    the day on which the player was last here. `lists_games` puts games against people on the public
    lists unless their terms say otherwise, and `lists_bot_games` those against bots and programs.
    `may_be_featured` lets a game of the player be the game of the week.
    """

    language: str = setting("language", {key: key for key in LANGUAGES}, default=DEFAULT)
    takes_messages: bool = setting("messages", default=True)
    rated_against_bots: bool = setting("rated-bots", default=False)
    shows_activity: bool = setting("activity", default=True)
    lists_games: bool = setting("lists", default=True)
    lists_bot_games: bool = setting("lists-bots", default=False)
    may_be_featured: bool = setting("featured", default=True)
    width_chosen: bool = False
    disabled_news: tuple[NewsKind, ...] = ()
    declines: tuple[str, ...] = ()

    @property
    def enabled_news(self) -> Collection[NewsKind]:
        """The kinds of news in the private feed."""
        return [kind for kind in NewsKind if kind not in self.disabled_news]


def _with_news(kind: NewsKind, is_enabled: bool, settings: Settings) -> Settings:  # noqa: FBT001 - a switch
    others = {*settings.disabled_news} - {kind}
    disabled = others if is_enabled else {*others, kind}
    return replace(settings, disabled_news=tuple(each for each in NewsKind if each in disabled))


CHOICES: Mapping[str, Mapping[str, Callable[[Settings], Settings]]] = {
    **{
        each.metadata["name"]: {
            word: partial(replace, **{each.name: value}, **each.metadata["also"])
            for word, value in each.metadata["values"].items()
        }
        for each in fields(Settings)
        if each.metadata
    },
    **{
        f"news-{kind}": {
            word: partial(_with_news, kind, is_enabled) for word, is_enabled in SWITCH.items()
        }
        for kind in NewsKind
    },
}
"""The change to a player's settings for each value of each setting, by their names in addresses."""


@dataclass(frozen=True)
class Sanctions:
    """The operator's measures against a player.

    `notices` are those that the player has not acknowledged, as `capsule.moderation.actions` writes
    them. A player with a `ban_reason` is banned: for good if `banned_until` is None.
    """

    notices: str | None = None
    muted_until: datetime | None = None
    ban_reason: str | None = None
    banned_until: datetime | None = None


@dataclass(frozen=True)
class Player:
    """A player. `actions` counts what they did outside games.

    `program_since` is when they declared themselves a program, None for people. `active_on` is the
    last day on which they were here, as far as others may know. It is stored from the day
    `activity_shown_from` on, which is None until they have seen the notice.
    """

    id: int
    name: str
    actions: int
    created_at: datetime
    settings: Settings = Settings()
    sanctions: Sanctions = Sanctions()
    program_since: datetime | None = None
    active_on: date | None = None
    activity_shown_from: date | None = None

    @property
    def is_program(self) -> bool:
        """Whether they have declared themselves a program."""
        return self.program_since is not None

    @property
    def shown_name(self) -> str:
        """The name on pages: a program's name says that it is a bot."""
        return bot_name(self.name) if self.is_program else self.name

    def is_banned(self, now: datetime) -> bool:
        """Return whether the operator has banned the player, and the ban has not run out."""
        until = self.sanctions.banned_until
        return self.sanctions.ban_reason is not None and (until is None or until > now)

    def is_present(self, now: datetime) -> bool:
        """Return whether the player has a name and is not banned; `queries.is_present` is its SQL.

        Only such players stand on lists, and are offered games.
        """
        return bool(self.name) and not self.is_banned(now)

    def is_muted(self, now: datetime) -> bool:
        """Return whether the operator has muted the player."""
        until = self.sanctions.muted_until
        return until is not None and until > now


@dataclass(frozen=True)
class FormerName:
    """A name that a player has given up, which nobody else can have until `kept_until`.

    If the operator has `taken_away` the name, the player cannot have it again either. Its addresses
    lead to the player if it `leads_on`.
    """

    name: str
    player_id: int
    kept_until: datetime
    taken_away: bool = False
    leads_on: bool = True


@dataclass(frozen=True)
class PlayerCertificate:
    """A certificate of a player.

    `label` is the player's name for it, "" until it has one. `last_used_at` is the time of the
    first use on the last day of use. `valid_until` is the certificate's end at that time. Both are
    None for a certificate that has not been used since the capsule began to store them.
    """

    fingerprint: str
    label: str
    first_used_at: datetime
    last_used_at: datetime | None
    valid_until: datetime | None


@dataclass(frozen=True)
class LinkCode:
    """A code that adds a certificate to its player, as stored: without its secret part.

    `selector` identifies the player, and `tries_left` counts the remaining tries.
    """

    selector: str
    player_id: int
    made_at: datetime
    tries_left: int

    @property
    def valid_until(self) -> datetime:
        """The time at which it expires."""
        return self.made_at + CODE_LIFETIME

    def is_over(self, now: datetime) -> bool:
        """Return whether its time or its tries have run out."""
        return now >= self.valid_until or self.tries_left <= 0


class RelationKind(StrEnum):
    """A player's measure against another: muting hides messages, blocking ends all contact."""

    MUTE = "mute"
    BLOCK = "block"


@dataclass(frozen=True)
class Relation:
    """A mute or block of another player, whose name is `name`."""

    other_id: int
    name: str
    kind: RelationKind
    since: datetime
