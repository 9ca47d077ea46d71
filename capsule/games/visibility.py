"""The rule that says whether a game is listed, by who plays it and what they want."""

from dataclasses import dataclass, replace
from enum import StrEnum

from capsule.accounts.model import Player, Settings
from capsule.games.model import Seat, StoredGame


class Listing(StrEnum):
    """The games that a player wants listed; the values appear in addresses."""

    ALL = "yes"
    WITH_PEOPLE = "people"
    """Games with people, but not with programs and bots."""
    WITH_BOTS = "bots"
    """Games with programs and bots, but not with people."""
    NONE = "no"
    SEAT = "seat"
    """No games, but the open seat until it is taken."""

    @property
    def with_people(self) -> bool:
        """Whether the player wants games with people listed."""
        return self in {Listing.ALL, Listing.WITH_PEOPLE}

    @property
    def with_bots(self) -> bool:
        """Whether the player wants games with programs and bots listed."""
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
    """A person, or a program or bot, with a seat, and the games that they want listed."""

    is_person: bool
    listing: Listing = Listing.ALL


def party(seat: Seat, listing: Listing = Listing.ALL) -> Party:
    """Return the holder of a seat as a party."""
    return Party(seat.bot is None and not seat.is_program, listing)


def is_listed(one: Party, other: Party | None) -> bool:
    """Return whether a game is listed; `other` is None if one player has both seats.

    A game between two people is listed unless either declines. A game with a bot or a program is
    listed only if its person wants that, and the program does not decline. A game that a person
    plays alone is listed if they want all games listed. A game without a person never is.
    """
    if not one.is_person:
        if other is None or not other.is_person:
            return False
        one, other = other, one
    if other is None:
        return one.listing is Listing.ALL
    if other.is_person:
        return one.listing.with_people and other.listing.with_people
    return one.listing.with_bots and (other.listing.with_people or other.listing.with_bots)


def usual_listing(player: Player | None) -> Listing:
    """Return the listing that a player has set; `player` is None for a new visitor."""
    settings = Settings() if player is None else player.settings
    return listing_of(with_people=settings.lists_games, with_bots=settings.lists_bot_games)


def host_of(game: StoredGame) -> Party:
    """Return the party who offers the empty seat of a game."""
    side = game.vacant_side
    if side is None:
        raise ValueError(game.id)
    listing = listing_of(with_people=game.lists_when_joined, with_bots=game.lists_with_bots)
    return party(game.seat(side.other), listing)


def guest(player: Player | None, listing: Listing | None = None) -> Party:
    """Return a player as a party, with what they have set unless a listing is given."""
    return Party(player is None or not player.is_program, listing or usual_listing(player))


@dataclass(frozen=True, slots=True)
class ListingChoice:
    """The choice of a visitor who may take a seat: whether the game is then listed.

    It is listed `usually` if they do not choose, and `may_be` listed if they ask for it.
    """

    may_be: bool
    usually: bool

    @property
    def usual(self) -> str:
        """The term of the link that comes first."""
        return f"listed={Listing.ALL if self.usually else Listing.NONE}"

    @property
    def other(self) -> str:
        """The term of the second link."""
        return f"listed={Listing.NONE if self.usually else Listing.ALL}"


def choice_of(game: StoredGame, player: Player | None) -> ListingChoice:
    """Return the choice that a player has who may take the empty seat of a game."""
    host, visitor = host_of(game), guest(player)
    may_be = is_listed(host, replace(visitor, listing=Listing.ALL))
    return ListingChoice(may_be, is_listed(host, visitor))
