"""Declarations of personal columns: how they are exported, and how they are erased.

Columns are personal that refer to a player or have what a player chose or wrote.
`capsule.db.personal` exports and erases by these declarations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa


@dataclass(frozen=True)
class Owner:
    """A column that refers to the player whose row it is.

    `place` is where the export has a list of the rows, such as "puzzles.days", or the details of
    the only row if it `is_single`; "" is the top, and None nowhere. The rows fulfil `where`, and
    are in the order of the columns `order`, a "-" before which turns it round. An erasure deletes
    the rows, or it says why each `stays`.
    """

    place: str | None
    order: Sequence[str] = ()
    where: Callable[[Any], sa.ColumnElement[bool]] | None = None
    is_single: bool = False
    stays: str = ""

    @property
    def info(self) -> "dict[str, Owner]":
        """The `info` of the column."""
        return {"personal": self}


@dataclass(frozen=True)
class Mention:
    """A column that refers to another player than the owner of the row, who gets it exported.

    The export has the player's name there as `name`; None: it has not. An erasure deletes the
    row, or it says why it `stays`.
    """

    name: str | None
    stays: str = ""


@dataclass(frozen=True)
class Detail:
    """Another column of a row that is a player's.

    The export has the value under `name`, or instead of the row if that is "". None says that it
    has not, and `why` says why. It has what `shown` makes of it, and nothing of one that is None
    and `is_optional`. An erasure resets one that `is_erased` to its default, where the row stays.
    """

    name: str | None
    shown: Callable[[Any], object] | None = None
    is_optional: bool = False
    is_erased: bool = False
    why: str = ""


def owner(
    place: str | None,
    *order: str,
    column: str = "player_id",
    where: Callable[[Any], sa.ColumnElement[bool]] | None = None,
    is_single: bool = False,
    stays: str = "",
    **how: Any,  # noqa: ANN401
) -> sa.Column[int]:
    """Return a column that is an `Owner`; `how` is as for `Column`."""
    info = Owner(place, order, where, is_single, stays).info
    return sa.Column(column, sa.ForeignKey("players.id"), info=info, **{"nullable": False, **how})


def mention(column: str, *, name: str | None = None, stays: str = "", **how: Any) -> sa.Column[int]:  # noqa: ANN401
    """Return a column that is a `Mention`; `how` is as for `Column`."""
    info = {"personal": Mention(name, stays)}
    return sa.Column(column, sa.ForeignKey("players.id"), info=info, **{"nullable": False, **how})


def detail(
    name: str,
    shown: Callable[[Any], object] | None = None,
    *,
    is_optional: bool = False,
    is_erased: bool = False,
) -> dict[str, Detail]:
    """Return the `info` of a column that is a `Detail` and exported."""
    return {"personal": Detail(name, shown, is_optional, is_erased)}


def left_out(why: str) -> dict[str, Detail]:
    """Return the `info` of a column that is a `Detail` and not exported by itself."""
    return {"personal": Detail(None, why=why)}


def personal_columns(table: sa.Table) -> Sequence[tuple[sa.Column[Any], Owner | Mention | Detail]]:
    """Return the columns of a table that are personal, each with what it says."""
    return [(each, each.info["personal"]) for each in table.columns if "personal" in each.info]
