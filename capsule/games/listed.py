"""The rule that says whether a game is listed once both seats are taken.

Listed games stand on the public lists, are told by feeds and counted by the explorer.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capsule.games.model import Seat


class PartyKind(Enum):
    """The kind of a game's player."""

    PERSON = auto()
    PROGRAM = auto()
    BOT = auto()


class Listing(StrEnum):
    """The games that a player wants listed; the values appear in addresses."""

    ALL = "yes"
    WITH_PEOPLE = "people"
    """Games with people, but not with programs and bots."""
    WITH_BOTS = "bots"
    """Games with programs and bots, but not with people."""
    NONE = "no"

    @property
    def with_people(self) -> bool:
        """Whether games with people are to be listed."""
        return self in {Listing.ALL, Listing.WITH_PEOPLE}

    @property
    def with_bots(self) -> bool:
        """Whether games with programs and bots are to be listed."""
        return self in {Listing.ALL, Listing.WITH_BOTS}


def listing_of(*, with_people: bool, with_bots: bool) -> Listing:
    """Return the listing with these properties.

    >>> listing_of(with_people=True, with_bots=False)
    <Listing.WITH_PEOPLE: 'people'>
    """
    if with_people:
        return Listing.ALL if with_bots else Listing.WITH_PEOPLE
    return Listing.WITH_BOTS if with_bots else Listing.NONE


@dataclass(frozen=True, slots=True)
class Party:
    """A player of a game, and the games that they want listed. A bot declines nothing."""

    kind: PartyKind
    listing: Listing = Listing.ALL


def party(seat: Seat, listing: Listing = Listing.ALL) -> Party:
    """Return the holder of a seat as a party."""
    if seat.bot is not None:
        return Party(PartyKind.BOT)
    return Party(PartyKind.PROGRAM if seat.is_program else PartyKind.PERSON, listing)


def is_listed(one: Party, other: Party | None) -> bool:
    """Return whether a game is listed; `other` is None if one player has both seats.

    A game between two people is listed unless either declines. A game with a bot or a program is
    listed only if its person wants that, and the program does not decline. A game that a person
    plays alone is listed if they want all games listed. A game without a person never is.
    """
    if one.kind is not PartyKind.PERSON:
        if other is None or other.kind is not PartyKind.PERSON:
            return False
        one, other = other, one
    if other is None:
        return one.listing is Listing.ALL
    if other.kind is PartyKind.PERSON:
        return one.listing.with_people and other.listing.with_people
    return one.listing.with_bots and (
        other.kind is PartyKind.BOT or other.listing is not Listing.NONE
    )
