"""The rules pages; their boards are drawn by the engine, so that no example can be wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.ui import boards, responses
from capsule.ui.routes import VARIANT, quick
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


@quick
def index(context: AppContext, request: Request) -> Response:
    """Return the list of the games with a line about each."""
    return responses.page(
        identity.preferences_of(context, request),
        "lobby/rules/index.gmi",
        variants=VARIANTS.values(),
    )


@quick
def rules_of(context: AppContext, request: Request, variant: str) -> Response:
    """Return the rules of a variant."""
    preferences = identity.preferences_of(context, request)
    return responses.page(
        preferences,
        f"lobby/rules/{variant}.gmi",
        variant=VARIANTS[variant],
        variants=VARIANTS.values(),
        after=boards.after,
        board=partial(boards.board, style=preferences.style),
        before_after=partial(boards.before_after, style=preferences.style),
    )


ROUTES: Routes = (
    ("/rules/", index),
    (f"/rules/{VARIANT}", rules_of),
)
