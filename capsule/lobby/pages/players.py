"""The pages of players: all of them, the search for one, and the profile of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.names import MAX_NAME_LENGTH
from capsule.errors import NotFound
from capsule.lobby import profiles
from capsule.ratings import ladders
from capsule.ui import responses
from capsule.ui.routes import ANY, PLAYER
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


_ASK = message("The name of a player, or its beginning")


def all_players(context: AppContext, request: Request) -> Response:
    """Return the page of all players."""
    return responses.page(
        identity.preferences_of(context, request),
        "lobby/players.gmi",
        leaders=ladders.leaders(context),
        to_meet=profiles.players_to_meet(context),
    )


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
    return responses.page(
        visitor.preferences, "lobby/player.gmi", profile=found, may_be_challenged=not is_reader
    )


ROUTES: Routes = (
    ("/players/", all_players),
    ("/players/find", find, ANY),
    (f"/players/{PLAYER}", profile_page),
)
