"""The pages of the cups, for anyone and for those who have signed in, and their actions."""

from capsule.accounts import identity
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.context import Transaction, reading
from capsule.cups import entering
from capsule.cups.entering import find_cup, own_cups, page_of_cups
from capsule.cups.feed import feed_of_cups
from capsule.errors import NotFound
from capsule.gemini.types import Request, Response
from capsule.languages.dates import MONTH, Month
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import FEED, KEY, Routes, cacheable, named

SUBJECT = "cups"
"""The subject of the keys to enter and to leave."""

PATH = "/cups/"
OWN_PATH = "/play/cups/"


@cacheable
@reading
def show(transaction: Transaction, request: Request) -> Response:
    """Return the page of all cups; the query is a month, before which it lists those past."""
    before = None if request.query is None else Month.parse(request.query)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "cups/cups.gmi",
        page=page_of_cups(transaction, before),
    )


@cacheable
@reading
def show_cup(transaction: Transaction, request: Request, month: str) -> Response:
    """Return the page of a month's cup."""
    preferences = identity.visitor_of(transaction, request).preferences
    found = find_cup(transaction, Month.parse(month))
    if found is None:
        raise NotFound
    return responses.page(preferences, "cups/cup.gmi", page=found, cup=found.cup)


@cacheable
@reading
def show_own(transaction: Transaction, request: Request) -> Response:
    """Return the page with the reader's own part in the cups."""
    visitor = identity.signed_in(transaction, request)
    return responses.page(
        visitor.preferences,
        "cups/own.gmi",
        page=page_of_cups(transaction, None),
        own=visitor.player and own_cups(transaction, visitor.player),
        key=visitor.account_key(transaction.context, SUBJECT),
    )


@reading
def show_feed(
    transaction: Transaction, request: Request, form: str | None, month: str | None = None
) -> Response:
    """Return the feed of all cups, or of the cup of a month."""
    preferences = identity.visitor_of(transaction, request).preferences
    found = feed_of_cups(transaction, None if month is None else Month.parse(month))
    if found is None:
        raise NotFound
    return feed_response(preferences, found, form, transaction.context.origin)


ENTER = Action(
    name="enter",
    counter=ActionsOf(SUBJECT),
    back=OWN_PATH,
    does=lambda transaction, attempt: entering.enter(transaction, attempt.player),
)

LEAVE = Action(
    name="leave",
    counter=ActionsOf(SUBJECT),
    back=OWN_PATH,
    does=lambda transaction, attempt: entering.leave(transaction, attempt.player),
)


ROUTES: Routes = (
    *named(
        "cups.pages.cups",
        (
            (PATH, show, MONTH.replace("?P<month>", "?:")),
            (f"{PATH}{MONTH}", show_cup),
            (f"{PATH}{FEED}", show_feed),
            (f"{PATH}{MONTH}/{FEED}", show_feed),
            (OWN_PATH, show_own),
            (f"{OWN_PATH}{KEY}/enter", ENTER),
            (f"{OWN_PATH}{KEY}/leave", LEAVE),
        ),
    ),
)
