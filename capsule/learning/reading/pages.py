"""The pages to read about a game, below its rules: an example, strategy, history and facts.

They are there for the variants whose games `capsule.learning.reading.games` has: the five.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.identity import reader_of
from capsule.accounts.static_pages import static_page
from capsule.learning.reading import figures
from capsule.learning.reading.annotated_game import annotated_game
from capsule.learning.reading.figures import Figures
from capsule.learning.reading.games import EXAMPLES, ILLUSTRATIONS
from capsule.ui.board_addresses import board_address
from capsule.ui.routes import cacheable, narrowable, one_of
from engine import VARIANTS
from engine.facts.model import facts_about

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

_VARIANT = one_of("variant", EXAMPLES)


@cacheable
@narrowable
def example(context: AppContext, request: Request, variant: str) -> Response:
    """Return a whole game, annotated move by move."""
    visitor = reader_of(context, request)
    game = annotated_game(variant, EXAMPLES[variant], visitor.preferences.style)
    return _page(context, visitor, "example", variant, game=game)


@cacheable
@narrowable
def strategy(context: AppContext, request: Request, variant: str) -> Response:
    """Return what good players of a game know, and what is proven."""
    visitor = reader_of(context, request)
    style = visitor.preferences.style
    shown = {
        name: annotated_game(variant, moves, style)
        for name, moves in ILLUSTRATIONS[variant].items()
    }
    known = facts_about(variant)
    found = None if known is None else Figures(known)
    return _page(context, visitor, "strategy", variant, shown=shown, figures=found)


@cacheable
@narrowable
def history(context: AppContext, request: Request, variant: str) -> Response:
    """Return where a game comes from."""
    return _page(context, reader_of(context, request), "history", variant)


@cacheable
@narrowable
def facts(context: AppContext, request: Request, variant: str) -> Response:
    """Return what can be counted of a game, and how it was."""
    known = facts_about(variant)
    if known is None:
        raise LookupError(f"No facts about {variant} have been computed")
    visitor, counted = reader_of(context, request), Figures(known)
    return _page(
        context, visitor, "facts", variant, facts=known, figures=counted, address=board_address
    )


def _page(
    context: AppContext, visitor: Visitor, kind: str, variant: str, **values: object
) -> Response:
    return static_page(
        context,
        visitor,
        f"learning/reading/{kind}/{variant}.gmi",
        variant=VARIANTS[variant],
        kind=kind,
        share=figures.share,
        chance=figures.chance,
        decimal=figures.decimal,
        **values,
    )


ROUTES: Routes = (
    (f"/rules/{_VARIANT}/example", example),
    (f"/rules/{_VARIANT}/strategy", strategy),
    (f"/rules/{_VARIANT}/history", history),
    (f"/rules/{_VARIANT}/facts", facts),
)
