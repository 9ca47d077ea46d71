"""Signing in on the way to a page: the query of `/play/` that names the page.

A browser uses a certificate at the address that asked for one and below. So `/play/` alone asks,
and a visitor who is sent there on the way to a page below is then shown that page.
"""

from __future__ import annotations

import re

AREA = "/play/"
"""The address that asks for a certificate, and the beginning of those that need one."""

NEW_GAMES = "new/"
"""The end of the address of the page with the games that can be started."""

UNSENT_QUERY = "unsent"
UNSENT = f"{AREA}?{UNSENT_QUERY}"
"""The address that asks for a certificate and says that a text was not sent for lack of one."""

# Shorter than any key of an action: so nobody is ever taken on to an action.
_SEGMENT = r"(?:[a-z0-9]{1,12}(?:\.[a-z]{2,4})?|[0-9]{4}-[0-9]{2}-[0-9]{2})"
# So is any player's name.
_PROFILE = "players/[A-Za-z0-9_-]{2,24}"
_AREAS = "new|me|tournaments|cups|puzzles|daily|everyone|season|mistakes"
_CHOICES = re.compile(r"[A-Za-z0-9_=&,+.~-]{1,900}")
GOAL_PATTERN = (
    rf"(?:{_PROFILE}|(?:{_AREAS}|next|desk(?:\.json)?|[a-z2-7]{{10}})(?:/{_SEGMENT})*/?)"
    rf"(?:\?{_CHOICES.pattern})?"
)
"""The regular expression of a query of `/play/` that names a page below."""

_GOAL = re.compile(GOAL_PATTERN)


def way_to(path: str, query: str | None) -> str:
    """Return the address that asks for a certificate and then shows a page.

    >>> way_to("/play/new/ultimate", "side=o")
    '/play/?new/ultimate?side=o'
    >>> way_to("/play/k3x7m2pqrt/abcdefghijklmnopqrstuvwxyz/move", "e5")
    '/play/'
    >>> way_to("/play/new/", None)
    '/play/'
    """
    page = path.removeprefix(AREA)
    if page == NEW_GAMES and not query:
        # Somebody new is shown the same games there. Some browsers use a certificate at the whole
        # address that asked for it, query and all, so the fewer queries, the better.
        return AREA
    goal = f"{page}?{query}" if query and _CHOICES.fullmatch(query) else page
    return AREA if goal_of(goal) is None else f"{AREA}?{goal}"


def goal_of(query: str | None) -> str | None:
    """Return the address of the page that a query of `/play/` names, None if it names none.

    >>> goal_of("new/ultimate?side=o"), goal_of("//example.org")
    ('/play/new/ultimate?side=o', None)
    """
    if query is None or _GOAL.fullmatch(query) is None:
        return None
    return f"{AREA}{query}"
