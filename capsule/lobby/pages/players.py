"""The pages of players: all of them, the search for one, and the profile of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.names import MAX_NAME_LENGTH
from capsule.errors import NotFound
from capsule.lobby import profiles
from capsule.ratings import ladders
from capsule.ui import responses
from capsule.ui.routes import PLAYER
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.lobby.profile_queries import ResultCounts
    from capsule.lobby.profiles import PlayersToMeet, Profile, ProfileRating, RatingPlot
    from capsule.ratings.ladders import LadderEntry
    from capsule.ui.routes import Routes
    from engine import Variant


_ASK = message("A player's name, or its beginning:")


@dataclass(frozen=True, slots=True)
class PlayersPage:
    """The page of all players: the leaders of each ladder, and players to get to know."""

    leaders: Mapping[str, Sequence[LadderEntry]]
    to_meet: PlayersToMeet

    @property
    def ladders(self) -> Iterator[tuple[Variant, Sequence[LadderEntry]]]:
        """Each variant and its leaders."""
        return ((VARIANTS[variant], leaders) for variant, leaders in self.leaders.items())


@dataclass(frozen=True, slots=True)
class ProfilePage:
    """The page of a player; `may_be_challenged` is False where the reader is that player."""

    profile: Profile
    may_be_challenged: bool

    @property
    def name(self) -> str:
        """The player's name."""
        return self.profile.player.name

    @property
    def ratings(self) -> Sequence[tuple[Variant, ProfileRating]]:
        """The ratings, with their variants."""
        return [(VARIANTS[key], rating) for key, rating in self.profile.ratings.items()]

    @property
    def plots(self) -> Sequence[tuple[Variant, RatingPlot]]:
        """The histories of ratings that are worth a plot, with their variants."""
        return [(variant, rating.plot) for variant, rating in self.ratings if rating.plot]

    @property
    def results(self) -> Sequence[tuple[Variant, ResultCounts]]:
        """The results, with their variants."""
        return [(VARIANTS[key], each) for key, each in self.profile.results.by_variant.items()]


def all_players(context: AppContext, request: Request) -> Response:
    """Return the page of all players."""
    page = PlayersPage(ladders.leaders(context), profiles.players_to_meet(context))
    return responses.page(identity.preferences_of(context, request), "lobby/players.gmi", page=page)


def find(context: AppContext, request: Request) -> Response:
    """Ask for a name, and go to its player or to a list of names that begin like it."""
    typed = (request.query or "").strip()
    if not typed:
        return responses.prompt(_ASK)
    found = profiles.search_name(context, typed)
    if found.name is not None:
        return responses.redirect(f"/players/{found.name}")
    if not found.similar:
        nobody = message("Nobody here is called {name}.", name=typed[: MAX_NAME_LENGTH + 1])
        return responses.prompt(nobody, _ASK)
    return responses.page(
        identity.preferences_of(context, request),
        "lobby/players_found.gmi",
        typed=typed,
        names=found.similar,
    )


def profile_page(context: AppContext, request: Request, name: str) -> Response:
    """Return the page of a player; a name in another case leads to the right one."""
    found = profiles.find_profile(context, name)
    if found is None:
        raise NotFound
    if found.player.name != name:
        return responses.redirect(f"/players/{found.player.name}")
    visitor = identity.visitor_of(context, request)
    is_reader = visitor.player is not None and visitor.player.id == found.player.id
    page = ProfilePage(found, may_be_challenged=not is_reader)
    return responses.page(visitor.preferences, "lobby/player.gmi", page=page)


ROUTES: Routes = (
    ("/players/", all_players),
    ("/players/find", find),
    (f"/players/{PLAYER}", profile_page),
)
