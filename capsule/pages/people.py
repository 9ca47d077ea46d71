"""The players, as anyone may know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, identity, profiles
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def of_name(site: Site, request: Request, name: str) -> Response:
    """Return the page of a player; a name in another case leads to the one as it is written."""
    found = profiles.profile(site, name)
    if found is None:
        raise answers.NotThere
    if found.player.name != name:
        return answers.way_on(f"/players/{found.player.name}")
    return answers.page(
        identity.reader_of(site, request),
        "player.gmi",
        profile=found,
        name=found.player.name,
        variants=VARIANTS,
    )
