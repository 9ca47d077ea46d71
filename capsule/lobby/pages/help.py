"""The help: a page for each topic, one for each browser's certificates, and one for the JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.identity import reader_of
from capsule.accounts.static_pages import static_page
from capsule.bots.turns import MAX_TOURNAMENT_PLIES
from capsule.games.model import MAX_EVENT_PLIES
from capsule.ui.routes import cacheable, one_of

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

TOPICS = (
    *("certificates", "moves", "boards", "account", "tournaments", "cups", "manners", "privacy"),
    "programs",
)
"""The topics of the help, as in the addresses of its pages and the names of their templates."""

BROWSERS = ("lagrange", "amfora", "kristall", "elpher", "offpunk", "astronomo", "openssl")
"""The browsers that have a page about their certificates, likewise."""


@cacheable
def contents(context: AppContext, request: Request) -> Response:
    """Return the page that leads to the others."""
    return topic(context, request, "index")


@cacheable
def programs_json(context: AppContext, request: Request) -> Response:
    """Return the page about the JSON that programs read."""
    return topic(context, request, "json")


@cacheable
def browser(context: AppContext, request: Request, browser: str) -> Response:
    """Return the page about the certificates of a browser."""
    return topic(context, request, browser)


@cacheable
def topic(context: AppContext, request: Request, topic: str) -> Response:
    """Return the page about a topic."""
    return static_page(
        context,
        reader_of(context, request),
        f"lobby/help/{topic}.gmi",
        origin=context.origin,
        host=context.origin.removeprefix("gemini://"),
        max_tournament_plies=MAX_TOURNAMENT_PLIES,
        max_cup_plies=MAX_EVENT_PLIES,
        sends_mail=bool(context.mail_from),
    )


ROUTES: Routes = (
    ("/help/", contents),
    (f"/help/{one_of('topic', TOPICS)}", topic),
    (f"/help/certificates/{one_of('browser', BROWSERS)}", browser),
    ("/help/programs/json", programs_json),
)
