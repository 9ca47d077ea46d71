"""Links to a game that name an event, so that browsers know them for new."""

import re

EVENT = r"\?(?:end|challenge|(?:turn|draw|takeback|at)-[0-9-]+)"
"""The pattern of such a query."""


def without_events(page: str) -> str:
    """Return a page whose links to games name no events."""
    return re.sub(rf"^(=> /play/[a-z2-7]{{10}}){EVENT} ", r"\1 ", page, flags=re.MULTILINE)
