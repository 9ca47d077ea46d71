"""The list of the reader's favourites, and the actions that add and remove one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.account import HERE as ACCOUNT
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.context import reading
from capsule.social import favourites
from capsule.social.pages.panel import SUBJECT
from capsule.ui import responses
from capsule.ui.routes import KEY, PLAYER, cacheable, one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.model import Player
    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


LIST = "/play/me/favourites"


@cacheable
@reading
def show(transaction: Transaction, request: Request) -> Response:
    """Return the list of the reader's favourites."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT)
    return responses.page(
        visitor.preferences,
        "social/favourites.gmi",
        favourites=favourites.favourites_of(transaction, visitor.player),
    )


_VERBS: Mapping[str, Callable[[Transaction, Player, str], Player]] = {
    "add": favourites.add,
    "remove": favourites.remove,
}
"""What is done with a player, by the last part of the address."""


def _page_of(name: str) -> str:
    return f"/play/players/{name}"


def _change(transaction: Transaction, attempt: Attempt) -> str:
    other = _VERBS[attempt["verb"]](transaction, attempt.player, attempt["name"])
    return _page_of(other.name)


CHANGE = Action(
    name="change",
    counter=ActionsOf(SUBJECT),
    back=lambda attempt: _page_of(attempt["name"]),
    does=_change,
)

ROUTES: Routes = (
    (LIST, show),
    (f"/play/me/{KEY}/favourite/{PLAYER}/{one_of('verb', _VERBS)}", CHANGE),
)
