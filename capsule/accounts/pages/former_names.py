"""Addresses with a name that a player has given up lead to those with the name of today."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capsule.accounts import players

if TYPE_CHECKING:
    from capsule.context import AppContext


_OF_PLAYER = re.compile("/players/(?P<name>[A-Za-z0-9_-]+)(?P<rest>(?:/[A-Za-z0-9._-]+)*/?)")


def redirect_for_former_name(context: AppContext, path: str) -> str | None:
    """Return what stands for the address of a page that is not there; None where nothing does."""
    address = _OF_PLAYER.fullmatch(path)
    if address is None:
        return None
    name = players.name_now(context, address["name"])
    return None if name is None else f"/players/{name}{address['rest']}"
