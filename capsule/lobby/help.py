"""The help page: certificates, devices, moves, boards, manners and privacy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.ui import responses
from capsule.ui.routes import quick
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


@quick
def help_page(context: AppContext, request: Request) -> Response:
    """Return the help page."""
    return responses.page(
        identity.preferences_of(context, request),
        "lobby/help.gmi",
        origin=context.origin,
        host=context.origin.removeprefix("gemini://"),
        variants=VARIANTS.values(),
    )


ROUTES: Routes = (("/help/", help_page),)
