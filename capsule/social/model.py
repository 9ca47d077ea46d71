"""Messages, comments, notes, introductions, favourites, and relations in a game."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from capsule.accounts.activity import LastHere
from capsule.accounts.identity import NONE_YET
from capsule.accounts.model import Player, RelationKind
from capsule.games.model import StoredGame
from engine import Variant


@dataclass(frozen=True)
class Person:
    """One of the players of a game; a former player's name is ""."""

    id: int
    name: str


def number_of(reader: Player | Person | None) -> int:
    """Return the number by which queries know a reader; 0, which no player has, for a stranger."""
    return 0 if reader is None else reader.id


@dataclass(frozen=True)
class StoredLine:
    """A message, a comment or a note under a game; its text is "" if it has been removed."""

    id: int
    author_id: int
    text: str
    written_at: datetime


@dataclass(frozen=True)
class LinePage:
    """Some lines under a game in order, and the ids at which the neighbouring pages begin."""

    lines: Sequence[StoredLine] = ()
    earlier: int | None = None
    later: int | None = None


@dataclass(frozen=True)
class IncomingLine:
    """A message to a player, or a comment on their game: whose it is, but not its text."""

    id: int
    game_id: str
    variant: Variant
    author: str
    sent_at: datetime


@dataclass(frozen=True)
class MessagesAgreement:
    """The consent of a player and their opponent that visitors read the messages under a game."""

    own: bool
    opponents: bool

    @property
    def is_mutual(self) -> bool:
        """Whether both have agreed, so that visitors can read them."""
        return self.own and self.opponents

    @property
    def is_begun(self) -> bool:
        """Whether one of the two has agreed, or both."""
        return self.own or self.opponents


@dataclass(frozen=True, slots=True)
class Annotation:
    """The state of a player's notes on a game: how many are `public`, and how many `private`.

    `number` is that of the annotated game, None if the player has never published the notes.
    """

    number: int | None
    public: int
    private: int


@dataclass(frozen=True, slots=True)
class PublishedNote:
    """A published note on a move, or on the whole game if `ply` is None."""

    author: str
    ply: int | None
    text: str


# Full-width digits and signs are what they mean, and no space follows them.
_WITH_NUMBER = re.compile(r"([0-9０-９]{1,6})(?:[:.] +|[：．。] *)(?=\S)")


def split_number(text: str) -> tuple[int | None, str]:
    """Return the number of the move with which a note begins, if it does, and the rest.

    >>> split_number("12: a mistake"), split_number("１２：失誤")
    ((12, 'a mistake'), (12, '失誤'))
    """
    found = _WITH_NUMBER.match(text)
    return (None, text) if found is None else (int(found[1]), text[found.end() :])


@dataclass(frozen=True, slots=True)
class PublishedNotes:
    """The published notes of one player on a game."""

    game_id: str
    author: Person
    notes: Sequence[PublishedNote]


@dataclass(frozen=True, slots=True)
class AnnotatedGame:
    """A game in the list of annotated games, by its number there."""

    number: int
    published_at: datetime
    author: str
    game: StoredGame


@dataclass(frozen=True)
class Introduction:
    """A player's words about themselves: a line and a website, each "" if there is none."""

    line: str = ""
    website: str = ""


NO_INTRODUCTION = Introduction()
"""The introduction of a player who says nothing."""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A player, their introduction, and the reader's relation to them.

    A reader who has muted or blocked the player does not see the introduction.
    """

    player: Player
    introduction: Introduction = NO_INTRODUCTION
    is_favourite: bool = False
    relation: RelationKind | None = None

    @property
    def shown(self) -> Introduction:
        """The part of the introduction that the reader is shown."""
        return self.introduction if self.relation is None else NO_INTRODUCTION


@dataclass(frozen=True)
class SocialPanel:
    """One reader's messages, notes and relations under a game, as stored.

    `messages` are the last ones under the game that the reader is shown, the oldest first, and
    `last_sent` is the id of the reader's own last one. `notes` are the reader's own, with the
    empty ones that stand for cleared notes. `has_muted`, `has_blocked` and `is_blocked`
    are the relations between the reader and the opponent, and `takes_messages` is the opponent's
    setting. A ban of the opponent ends at `opponent_banned_until`, never if that is None.
    """

    messages: Sequence[StoredLine] = ()
    last_sent: int = NONE_YET
    notes: Sequence[StoredLine] = ()
    has_muted: bool = False
    has_blocked: bool = False
    is_blocked: bool = False
    takes_messages: bool = True
    is_opponent_banned: bool = False
    opponent_banned_until: datetime | None = None

    @property
    def is_apart(self) -> bool:
        """Whether one of the two has blocked the other."""
        return self.has_blocked or self.is_blocked


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A game in which a player offers a seat to anyone."""

    game_id: str
    variant: Variant


@dataclass(frozen=True, slots=True)
class Favourite:
    """One of a player's favourites, and what others know of them.

    `last_here` is None if they were here earlier or do not show it. `seat` is the first that they
    offer, None if the player could not take one.
    """

    player: Player
    last_here: LastHere | None
    seat: OpenSeat | None
