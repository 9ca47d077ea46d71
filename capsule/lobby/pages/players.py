"""The pages of players: all of them, the search for one, and the profile of each."""

from capsule.accounts import activity, identity
from capsule.accounts.identity import Visitor
from capsule.accounts.names import MAX_NAME_LENGTH
from capsule.accounts.pages.account import SUBJECT as ACCOUNT
from capsule.context import Transaction, reading
from capsule.errors import NotFound
from capsule.gemini.types import Request, Response
from capsule.lobby import profiles
from capsule.lobby.profiles import Profile
from capsule.ratings import ladders
from capsule.ratings.model import INITIAL
from capsule.social.pages.messages import PEOPLE_SUBJECT
from capsule.ui import responses
from capsule.ui.routes import ANY, PLAYER, Routes
from engine.game import message

_ASK = message("The name of a player, or its beginning")


@reading
def all_players(transaction: Transaction, request: Request) -> Response:
    """Return the page of all players."""
    active = activity.active_players(transaction, profiles.MAX_ACTIVE)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "lobby/players.gmi",
        leaders=ladders.leaders(transaction),
        active=active,
        newest=profiles.newest_besides(transaction, active),
    )


@reading
def find(transaction: Transaction, request: Request) -> Response:
    """Ask for a name, and go to its player or to a list of names that begin like it."""
    typed = (request.typed or "").strip()
    if not typed:
        return responses.prompt(_ASK)
    meant, similar = profiles.search_name(transaction, typed)
    if meant is not None:
        return responses.redirect(f"/players/{meant}")
    if not similar:
        nobody = message("Nobody here is called {name}.", name=typed[: MAX_NAME_LENGTH + 1])
        return responses.prompt(nobody, _ASK)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "lobby/players_found.gmi",
        typed=typed,
        names=similar,
    )


@reading
def profile_page(transaction: Transaction, request: Request, name: str) -> Response:
    """Return the page of a player; a name in another case leads to the right one."""
    found = profiles.find_profile(transaction, name)
    if found is None:
        raise NotFound
    if found.player.name != name:
        return responses.redirect(f"/players/{found.player.name}")
    return _profile(identity.visitor_of(transaction, request), found)


@reading
def profile_for_reader(transaction: Transaction, request: Request, name: str) -> Response:
    """Return the page of a player with what is between that player and its reader."""
    visitor = identity.signed_in(transaction, request)
    found = profiles.find_profile(transaction, name, visitor.player)
    if found is None:
        raise NotFound
    if found.player.name != name:
        return responses.redirect(f"/play/players/{found.player.name}")
    context = transaction.context
    introduction_key = visitor.account_key(context, ACCOUNT)
    return _profile(visitor, found, introduction_key, visitor.account_key(context, PEOPLE_SUBJECT))


def _profile(
    visitor: Visitor, profile: Profile, introduction_key: str = "", people_key: str = ""
) -> Response:
    """Return a player's page: the public one, or with keys the one for its reader."""
    reader = visitor.player
    return responses.page(
        visitor.preferences,
        "lobby/player.gmi",
        profile=profile,
        newcomers_rating=INITIAL.number,
        plotted_from=profiles.MIN_PLOTTED_GAMES,
        is_own=reader is not None and reader.id == profile.player.id,
        is_player=reader is not None,
        introduction_key=introduction_key,
        people_key=people_key,
    )


ROUTES: Routes = (
    ("/players/", all_players),
    ("/players/find", find, ANY),
    (f"/players/{PLAYER}", profile_page),
    (f"/play/players/{PLAYER}", profile_for_reader),
)
