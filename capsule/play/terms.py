"""The terms of a new game: whose side, how many days a move, listed or not, rated or casual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.games.clock import DAYS_PER_MOVE, DEFAULT_DAYS_PER_MOVE
from capsule.ui.query_terms import read_choices, write_choices

if TYPE_CHECKING:
    from collections.abc import Mapping


SIDES = ("x", "o", "draw")
"""What a player may ask for: to be X, to be O, or that it is drawn."""

NO_LIMIT = "none"


@dataclass(frozen=True)
class Terms:
    """What a player has chosen.

    `side` is one of SIDES; `days` is None where moves may take as long as they like; `listed` says
    whether the game is on the public lists once both seats are taken; `rated` whether it counts for
    ratings, which a game that is played alone never does.
    """

    side: str = "x"
    days: int | None = DEFAULT_DAYS_PER_MOVE
    listed: bool = False
    rated: bool = True

    @property
    def query(self) -> str:
        """The terms as they stand in a URL, without those that are as usual.

        >>> Terms().query, Terms(side="o", days=None, rated=False).query
        ('', 'side=o&days=none&rated=no')
        """
        return write_choices(_written(self), _written(Terms()))


def read(query: str | None) -> Terms:
    """Return the terms that `Terms.query` wrote; what is not said is as usual.

    Raises `TermsRefused` where something else is said, or something twice.

    >>> read("days=3&side=o")
    Terms(side='o', days=3, listed=False, rated=True)
    """
    values = _written(Terms()) | read_choices(query, _VALUES)
    days = values["days"]
    return Terms(
        side=values["side"],
        days=None if days == NO_LIMIT else int(days),
        listed=values["listed"] == "yes",
        rated=values["rated"] == "yes",
    )


_VALUES: Mapping[str, tuple[str, ...]] = {
    "side": SIDES,
    "days": (*(str(days) for days in DAYS_PER_MOVE), NO_LIMIT),
    "listed": ("yes", "no"),
    "rated": ("yes", "no"),
}


def _written(terms: Terms) -> dict[str, str]:
    return {
        "side": terms.side,
        "days": NO_LIMIT if terms.days is None else str(terms.days),
        "listed": "yes" if terms.listed else "no",
        "rated": "yes" if terms.rated else "no",
    }
