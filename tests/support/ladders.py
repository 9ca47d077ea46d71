"""The entries on the page of a ladder."""

import re

LADDER = "/players/ladder/ultimate"


def under(page: str, heading: str) -> str:
    """Return what stands under a heading of the second level."""
    _, _, rest = page.partition(f"## {heading}\n")
    return rest.partition("\n## ")[0]


def standings(part: str) -> list[str]:
    """Return the lines of the players on a part of a page, as "1. bob, 1500 ± 90, 40 games"."""
    return re.findall(r"^=> /players/[\w-]+ (.*\d games?)$", part, re.MULTILINE)


def holders(part: str) -> list[str]:
    """Return the names of the players that a part of a page links to."""
    return re.findall(r"^=> /players/(?!find )([\w-]+) ", part, re.MULTILINE)
