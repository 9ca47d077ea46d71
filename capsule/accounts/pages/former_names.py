"""Addresses with a former name of a player: they lead to those with the current one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capsule.accounts import players

if TYPE_CHECKING:
    from capsule.context import AppContext


_OF_PLAYER = re.compile(
    "(?P<area>(?:/play)?/players/)(?P<name>[A-Za-z0-9_-]+)(?P<rest>(?:/[A-Za-z0-9._-]+)*/?)"
)


def redirect_for_former_name(context: AppContext, path: str) -> str | None:
    """Return where the path of a missing page leads by a former name in it, or None."""
    address = _OF_PLAYER.fullmatch(path)
    if address is None:
        return None
    name = players.current_name(context, address["name"])
    return None if name is None else f"{address['area']}{name}{address['rest']}"
