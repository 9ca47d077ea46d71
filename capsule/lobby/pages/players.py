"""The pages of players: all of them, the search for one, and the profile of each."""

from dataclasses import dataclass

from capsule.accounts import identity
from capsule.accounts.identity import Visitor
from capsule.accounts.names import MAX_NAME_LENGTH
from capsule.accounts.pages.account import SUBJECT as ACCOUNT
from capsule.context import Transaction, reading
from capsule.errors import NotFound
from capsule.gemini.types import Request, Response
from capsule.lobby import profiles
from capsule.lobby.profiles import Profile
from capsule.ratings import ladders
from capsule.social.pages.panel import PEOPLE_SUBJECT
from capsule.ui import responses
from capsule.ui.routes import ANY, PLAYER, Routes
from engine.game import message

_ASK = message("The name of a player, or its beginning")


@reading
def all_players(transaction: Transaction, request: Request) -> Response:
    """Return the page of all players."""
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "lobby/players.gmi",
        leaders=ladders.leaders(transaction),
        to_meet=profiles.players_to_meet(transaction),
    )


@reading
def find(transaction: Transaction, request: Request) -> Response:
    """Ask for a name, and go to its player or to a list of names that begin like it."""
    typed = (request.typed or "").strip()
    if not typed:
        return responses.prompt(_ASK)
    found = profiles.search_name(transaction, typed)
    if found.name is not None:
        return responses.redirect(f"/players/{found.name}")
    if not found.similar:
        nobody = message("Nobody here is called {name}.", name=typed[: MAX_NAME_LENGTH + 1])
        return responses.prompt(nobody, _ASK)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "lobby/players_found.gmi",
        typed=typed,
        names=found.similar,
    )


@reading
def profile_page(transaction: Transaction, request: Request, name: str) -> Response:
    """Return the page of a player; a name in another case leads to the right one."""
    found = profiles.find_profile(transaction, name)
    if found is None:
        raise NotFound
    if found.player.name != name:
        return responses.redirect(f"/players/{found.player.name}")
    return _profile(identity.visitor_of(transaction, request), found, None)


@reading
def profile_for_reader(transaction: Transaction, request: Request, name: str) -> Response:
    """Return the page of a player with what is between that player and its reader."""
    visitor = identity.signed_in(transaction, request)
    found = profiles.find_profile(transaction, name, visitor.player)
    if found is None:
        raise NotFound
    if found.player.name != name:
        return responses.redirect(f"/play/players/{found.player.name}")
    keys = ReadersKeys(
        introduction=visitor.account_key(transaction.context, ACCOUNT),
        people=visitor.account_key(transaction.context, PEOPLE_SUBJECT),
    )
    return _profile(visitor, found, keys)


@dataclass(frozen=True, slots=True)
class ReadersKeys:
    """The keys of the reader of a player's page.

    With one the reader changes their own line and website. With the other they report another
    player, or change whether that player is a favourite.
    """

    introduction: str
    people: str


def _profile(visitor: Visitor, profile: Profile, keys: ReadersKeys | None) -> Response:
    """Return a player's page: the public one, or with `keys` the one for its reader."""
    reader = visitor.player
    return responses.page(
        visitor.preferences,
        "lobby/player.gmi",
        profile=profile,
        is_own=reader is not None and reader.id == profile.player.id,
        is_player=reader is not None,
        keys=keys,
    )


ROUTES: Routes = (
    ("/players/", all_players),
    ("/players/find", find, ANY),
    (f"/players/{PLAYER}", profile_page),
    (f"/play/players/{PLAYER}", profile_for_reader),
)
