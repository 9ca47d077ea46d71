"""The rules pages; their boards are drawn by the engine, so that no example can be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, examples
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def index(site: Site, request: Request) -> Response:
    """Return the list of the games with a line about each."""
    del site, request
    return answers.page("rules/index.gmi", variants=VARIANTS.values())


def rules_of(site: Site, request: Request, variant: str) -> Response:
    """Return the rules of a variant."""
    del site, request
    return answers.page(
        f"rules/{variant}.gmi",
        variant=VARIANTS[variant],
        variants=VARIANTS.values(),
        after=examples.after,
        board=examples.board,
        before_after=examples.before_after,
    )
