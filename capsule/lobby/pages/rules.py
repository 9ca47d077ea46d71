"""The rules pages; their boards are drawn by the engine, so that no example can be wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts.identity import reader_of
from capsule.accounts.static_pages import static_page
from capsule.learning.lessons.collection import lesson_in
from capsule.learning.reading.games import EXAMPLES
from capsule.ui import boards
from capsule.ui.render import first_template
from capsule.ui.routes import VARIANT, cacheable, narrowable
from capsule.ui.variant_order import easiest_first
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


@cacheable
@narrowable
def index(context: AppContext, request: Request) -> Response:
    """Return the list of the games with a line about each."""
    return static_page(
        context,
        reader_of(context, request),
        "lobby/rules/index.gmi",
        variants=easiest_first(),
        lessons={variant: lesson_in(variant) for variant in VARIANTS},
    )


@cacheable
@narrowable
def rules_of(context: AppContext, request: Request, variant: str) -> Response:
    """Return the rules of a variant; where it has no page of them, a page of its own words."""
    visitor = reader_of(context, request)
    style = visitor.preferences.style
    return static_page(
        context,
        visitor,
        first_template(f"lobby/rules/{variant}.gmi", "lobby/rules_of_plugin.gmi"),
        variant=VARIANTS[variant],
        reader=visitor,
        lesson=lesson_in(variant),
        read_about=EXAMPLES,
        after=boards.after,
        board=partial(boards.board, style=style),
        before_after=partial(boards.before_after, style=style),
    )


ROUTES: Routes = (
    ("/rules/", index),
    (f"/rules/{VARIANT}", rules_of),
)
