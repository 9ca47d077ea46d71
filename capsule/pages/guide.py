"""How to get a certificate in each browser, how moves are written, what is kept about a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, identity
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def help_page(site: Site, request: Request) -> Response:
    """Return the help page."""
    return answers.page(
        identity.reader_of(site, request),
        "help.gmi",
        origin=site.origin,
        host=site.origin.removeprefix("gemini://"),
        variants=VARIANTS.values(),
    )
