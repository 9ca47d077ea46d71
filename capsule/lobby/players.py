"""The players, as anyone may know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import errors
from capsule.accounts import identity
from capsule.accounts.names import MAX_NAME_LENGTH
from capsule.lobby import profiles
from capsule.ratings import ladders
from capsule.ui import responses
from capsule.ui.routes import PLAYER
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


_QUESTION = message("A player's name, or how it begins:")


def all_players(context: AppContext, request: Request) -> Response:
    """Return the page of all players: the first of each ladder, and whom else to get to know."""
    return responses.page(
        identity.reader_of(context, request),
        "lobby/players.gmi",
        variants=VARIANTS,
        leaders=ladders.leaders(context),
        people=profiles.people(context),
    )


def find(context: AppContext, request: Request) -> Response:
    """Ask for a name, and lead to its player or to those whose names begin like it."""
    name = (request.query or "").strip()
    if not name:
        return responses.prompt(_QUESTION)
    found = profiles.find(context, name)
    if isinstance(found, str):
        return responses.redirect(f"/players/{found}")
    if not found:
        nobody = message("Nobody here is called {name}.", name=name[: MAX_NAME_LENGTH + 1])
        return responses.prompt(nobody, _QUESTION)
    return responses.page(
        identity.reader_of(context, request), "lobby/players_found.gmi", beginning=name, names=found
    )


def profile_page(context: AppContext, request: Request, name: str) -> Response:
    """Return the page of a player; a name in another case leads to the one as it is written."""
    found = profiles.profile(context, name)
    if found is None:
        raise errors.NotFound
    if found.player.name != name:
        return responses.redirect(f"/players/{found.player.name}")
    return responses.page(
        identity.reader_of(context, request),
        "lobby/player.gmi",
        profile=found,
        name=found.player.name,
        variants=VARIANTS,
        ranks_told=ladders.MAX_RANK,
    )


ROUTES: Routes = (
    ("/players/", all_players),
    ("/players/find", find),
    (f"/players/{PLAYER}", profile_page),
)
