"""The rules pages; their boards are drawn by the engine, so that no example can be wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule import answers, examples, identity
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def index(site: Site, request: Request) -> Response:
    """Return the list of the games with a line about each."""
    return answers.page(
        identity.reader_of(site, request), "rules/index.gmi", variants=VARIANTS.values()
    )


def rules_of(site: Site, request: Request, variant: str) -> Response:
    """Return the rules of a variant."""
    reader = identity.reader_of(site, request)
    return answers.page(
        reader,
        f"rules/{variant}.gmi",
        variant=VARIANTS[variant],
        variants=VARIANTS.values(),
        after=examples.after,
        board=partial(examples.board, style=reader.style),
        before_after=partial(examples.before_after, style=reader.style),
    )
