"""The pages of the cups, for anyone and for those who have signed in, and their actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.cups import entering, feed, reading
from capsule.errors import NotFound, OutdatedAction
from capsule.tournaments.actions import TournamentRefused
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.months import MONTH, Month
from capsule.ui.routes import FEED, KEY, cacheable, one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

SUBJECT = "cups"
"""The subject of the keys to enter and to leave."""

PATH = "/cups/"
OWN_PATH = "/play/cups/"


@cacheable
def show(context: AppContext, request: Request) -> Response:
    """Return the page of all cups; the query is a month, before which it lists those past."""
    before = None if request.query is None else Month.parse(request.query)
    return responses.page(
        identity.preferences_of(context, request),
        "cups/cups.gmi",
        page=reading.page_of_cups(context, before),
    )


@cacheable
def show_cup(context: AppContext, request: Request, month: str) -> Response:
    """Return the page of a month's cup."""
    found = reading.find_cup(context, Month.parse(month))
    if found is None:
        raise NotFound
    return responses.page(
        identity.preferences_of(context, request), "cups/cup.gmi", page=found, cup=found.cup
    )


@cacheable
def show_own(context: AppContext, request: Request) -> Response:
    """Return the page with the reader's own part in the cups."""
    visitor = identity.signed_in(context, request)
    own = None
    if visitor.player is not None:
        with context.database.reading() as connection:
            own = reading.own_cups(context, connection, visitor.player)
    return responses.page(
        visitor.preferences,
        "cups/own.gmi",
        page=reading.page_of_cups(context, None),
        own=own,
        key=visitor.account_key(context, SUBJECT),
    )


def act(context: AppContext, request: Request, key: str, verb: str) -> Response:
    """Enter the cup that is open, or leave the one entered, and go to the reader's page."""
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        VERBS[verb](context, player)
    except TournamentRefused as error:
        preferences = identity.preferences_of(context, request)
        return responses.refusal(preferences, "cups/not_possible.gmi", error, OWN_PATH)
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        return late.answer(
            OWN_PATH, is_done=lambda player: late.is_before_last and _is_done(context, player, verb)
        )
    return responses.redirect(OWN_PATH)


VERBS: Mapping[str, Callable[[AppContext, Player], None]] = {
    "enter": entering.enter,
    "leave": entering.leave,
}
"""The actions, by the last part of their address."""


def _is_done(context: AppContext, player: Player, verb: str) -> bool:
    with context.database.reading() as connection:
        entered = entering.cup_entered(connection, player, context.clock())
    return (entered is not None) is (verb == "enter")


def show_feed(
    context: AppContext, request: Request, form: str | None, month: str | None = None
) -> Response:
    """Return the feed of all cups, or of the cup of a month."""
    found = feed.feed_of_cups(context, None if month is None else Month.parse(month))
    if found is None:
        raise NotFound
    preferences = identity.preferences_of(context, request)
    return feed_response(preferences, found, form, context.origin)


ROUTES: Routes = (
    (PATH, show, MONTH.replace("?P<month>", "?:")),
    (f"{PATH}{MONTH}", show_cup),
    (f"{PATH}{FEED}", show_feed),
    (f"{PATH}{MONTH}/{FEED}", show_feed),
    (OWN_PATH, show_own),
    (f"{OWN_PATH}{KEY}/{one_of('verb', VERBS)}", act),
)
