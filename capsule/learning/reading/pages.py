"""The pages to read about a game, below its rules: an example, strategy, history and facts.

They are there for the variants whose games `capsule.learning.reading.games` has: the five.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.static_pages import static_page
from capsule.learning.reading import figures
from capsule.learning.reading.figures import Figures
from capsule.learning.reading.games import EXAMPLES, ILLUSTRATIONS
from capsule.learning.reading.telling import telling
from capsule.ui.board_addresses import board_address
from capsule.ui.routes import cacheable, one_of
from engine import VARIANTS
from engine.facts.model import facts_about

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.preferences import Preferences
    from capsule.ui.routes import Routes

_VARIANT = one_of("variant", EXAMPLES)


@cacheable
def example(context: AppContext, request: Request, variant: str) -> Response:
    """Return a whole game, annotated move by move."""

    def values(preferences: Preferences) -> Mapping[str, object]:
        return {"game": telling(variant, EXAMPLES[variant], preferences.style)}

    return _page(context, request, "example", variant, values)


@cacheable
def strategy(context: AppContext, request: Request, variant: str) -> Response:
    """Return what good players of a game know, and what is proven."""

    def values(preferences: Preferences) -> Mapping[str, object]:
        shown = ILLUSTRATIONS[variant].items()
        figures = facts_about(variant)
        return {
            "shown": {name: telling(variant, moves, preferences.style) for name, moves in shown},
            "figures": None if figures is None else Figures(figures),
        }

    return _page(context, request, "strategy", variant, values)


@cacheable
def history(context: AppContext, request: Request, variant: str) -> Response:
    """Return where a game comes from."""
    return _page(context, request, "history", variant, lambda _: {})


@cacheable
def facts(context: AppContext, request: Request, variant: str) -> Response:
    """Return what can be counted of a game, and how it was."""

    def values(_: Preferences) -> Mapping[str, object]:
        known = facts_about(variant)
        if known is None:
            raise LookupError(f"No facts about {variant} have been computed")
        return {"facts": known, "figures": Figures(known), "address": board_address}

    return _page(context, request, "facts", variant, values)


def _page(
    context: AppContext,
    request: Request,
    kind: str,
    variant: str,
    values: Callable[[Preferences], Mapping[str, object]],
) -> Response:
    def all_values(preferences: Preferences) -> Mapping[str, object]:
        return {
            "variant": VARIANTS[variant],
            "kind": kind,
            "number": figures.number,
            "share": figures.share,
            "chance": figures.chance,
            "decimal": figures.decimal,
            **values(preferences),
        }

    return static_page(context, request, f"learning/reading/{kind}/{variant}.gmi", all_values)


ROUTES: Routes = (
    (f"/rules/{_VARIANT}/example", example),
    (f"/rules/{_VARIANT}/strategy", strategy),
    (f"/rules/{_VARIANT}/history", history),
    (f"/rules/{_VARIANT}/facts", facts),
)
