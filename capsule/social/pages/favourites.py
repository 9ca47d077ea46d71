"""The list of the reader's favourites, and the actions that add and remove one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.accounts.pages.account import HERE as ACCOUNT
from capsule.errors import OutdatedAction
from capsule.social import favourites
from capsule.social.favourites import FavouriteRefused
from capsule.social.pages.panel import SUBJECT
from capsule.ui import responses
from capsule.ui.routes import KEY, PLAYER, cacheable, one_of
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


LIST = "/play/me/favourites"


@cacheable
def show(context: AppContext, request: Request) -> Response:
    """Return the list of the reader's favourites."""
    visitor = identity.signed_in(context, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    return responses.page(
        visitor.preferences,
        "social/favourites.gmi",
        favourites=favourites.favourites_of(context, visitor.player),
    )


def change(context: AppContext, request: Request, key: str, name: str, verb: str) -> Response:
    """Add a player to the reader's favourites, or remove one, and go to that player's page."""
    other = favourites.player_with(context, name)
    path = LIST if other is None else f"/play/players/{other.name}"
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        _ACTIONS[verb](context, player, name)
    except FavouriteRefused as error:
        reason = message("Nothing was changed. {reason}.", reason=error.message)
        return outdated.page_below(LIST, outdated.always(reason))
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        return late.answer(
            ACCOUNT if late.player is None else path,
            is_done=lambda player: (
                other is not None
                and favourites.is_favourite(context, player, other) is (verb == "add")
            ),
        )
    return responses.redirect(path)


_ACTIONS: Mapping[str, Callable[[AppContext, Player, str], None]] = {
    "add": favourites.add,
    "remove": favourites.remove,
}
"""The actions, by the last part of their address."""

ROUTES: Routes = (
    (LIST, show),
    (f"/play/me/{KEY}/favourite/{PLAYER}/{one_of('verb', _ACTIONS)}", change),
)
