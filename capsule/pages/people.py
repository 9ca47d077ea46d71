"""The players, as anyone may know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import answers, identity, ladders, profiles
from capsule.names import LONGEST
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site

_QUESTION = message("A player's name, or how it begins:")


def everybody(site: Site, request: Request) -> Response:
    """Return the page of all players: the first of each ladder, and whom else to get to know."""
    return answers.page(
        identity.reader_of(site, request),
        "players.gmi",
        variants=VARIANTS,
        leaders=ladders.leaders(site),
        people=profiles.people(site),
    )


def find(site: Site, request: Request) -> Response:
    """Ask for a name, and lead to its player or to those whose names begin like it."""
    name = (request.query or "").strip()
    if not name:
        return answers.question(_QUESTION)
    found = profiles.find(site, name)
    if isinstance(found, str):
        return answers.way_on(f"/players/{found}")
    if not found:
        nobody = message("Nobody here is called {name}.", name=name[: LONGEST + 1])
        return answers.question(nobody, _QUESTION)
    return answers.page(
        identity.reader_of(site, request), "players_found.gmi", beginning=name, names=found
    )


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
        ranks_told=ladders.RANKS_TOLD,
    )
