"""Routes: the addresses of a feature's pages, and the lookup of the page for a path.

A route is a pattern of paths and the page that answers them; the pattern's named groups are the
page's arguments. Each module of pages ends with its `ROUTES`, and `capsule.app` joins them.

>>> def rules_of(variant): ...
>>> ((pattern, page),) = compile_routes([(f"/rules/{VARIANT}", rules_of)], ["tinc", "ultimate"])
>>> pattern.fullmatch("/rules/tinc").groupdict()
{'variant': 'tinc'}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from capsule.gemini.types import Response

if TYPE_CHECKING:
    from collections.abc import Iterable

Page: TypeAlias = Callable[..., Response]
"""A function that answers requests, given the context, the request and its pattern's groups."""

Route: TypeAlias = tuple[str, Page]
Routes: TypeAlias = Sequence[Route]
"""The patterns are tried in order, each against the whole path; the first match decides."""

CompiledRoutes: TypeAlias = Sequence[tuple[re.Pattern[str], Page]]

VARIANT = "{variant}"
"""A placeholder for the variants' keys.

`compile_routes` fills it in when the application is built, since variants can be registered until
then.
"""

GAME = "(?P<game_id>[a-z2-7]{10})"
TOURNAMENT = "(?P<tournament_id>[a-z2-7]{10})"
PLAYER = "(?P<name>[A-Za-z0-9_-]+)"
KEY = "(?P<key>[^/]+)"
NUMBER = "(?P<number>[1-9][0-9]?)"
FEED = r"feed(?P<form>\.xml)?"


def one_of(group: str, words: Iterable[str]) -> str:
    """Return a pattern that matches one of the words, as a group of that name.

    >>> one_of("verb", ["mute", "block"])
    '(?P<verb>mute|block)'
    """
    return f"(?P<{group}>{'|'.join(words)})"


def compile_routes(routes: Routes, variants: Iterable[str]) -> CompiledRoutes:
    """Return the routes with their patterns compiled, and the keys of the `variants` filled in."""
    variant = one_of("variant", map(re.escape, variants))
    return [(re.compile(path.replace(VARIANT, variant)), page) for path, page in routes]


@cache
def page_name(page: Page) -> str:
    """Return the name by which a page is measured: its module's and its own.

    >>> from capsule.lobby.home import front
    >>> page_name(front)
    'lobby.home.front'
    """
    return f"{page.__module__.removeprefix('capsule.')}.{page.__name__}"
