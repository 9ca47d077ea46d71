"""A tournament's results as a table in monospace, at most 64 columns wide.

Each row is a player's, in the order of the standings; each column is that of the opponent in the
row of the same number. A cell has two results: that of the game in which the row's player is X,
then that of the game as O.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.numbers import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capsule.tournaments.standings import Result, TournamentStanding


MAX_COLUMNS = 64
"""Columns that a table has at most."""

RUNNING = "."
"""The result of a game that goes on."""

ONESELF = "##"
"""The cell where a player would meet themselves."""

CUT = "…"
"""The end of a name that has no room."""

_NUMBER, _CELL, _POINTS = 2, 2, 3


def crosstable(
    table: Sequence[TournamentStanding], results: Iterable[Result], names: Mapping[int, str]
) -> str:
    """Return the table of the standings and the results they are made of; `names` are by seat."""
    met = {(game.x, game.o): game.points for game in results}
    berger = max(len("SB"), *(len(f"{each.sonneborn_berger:g}") for each in table))
    rest = _NUMBER + 1 + len(table) * (1 + _CELL) + 1 + _POINTS + 1 + berger
    width = min(max(len(names[each.seat]) for each in table), MAX_COLUMNS - rest)

    def cell(own: int, other: int) -> str:
        if own == other:
            return ONESELF
        as_x, as_o = met.get((own, other)), met.get((other, own))
        return _result(as_x and as_x[0]) + _result(as_o and as_o[1])

    def row(number: int, each: TournamentStanding) -> str:
        cells = " ".join(cell(each.seat, other.seat) for other in table)
        points = "-" if each.rank is None else score(each.points)
        weighed = "-" if each.rank is None else f"{each.sonneborn_berger:g}"
        name = shortened(names[each.seat], width)
        return (
            f"{number:>{_NUMBER}} {name:<{width}} {cells} {points:>{_POINTS}} {weighed:>{berger}}"
        )

    numbers = " ".join(f"{number:>{_CELL}}" for number in range(1, len(table) + 1))
    head = f"{'':{_NUMBER}} {'':{width}} {numbers} {'pts':>{_POINTS}} {'SB':>{berger}}"
    return "\n".join([head, *(row(number, each) for number, each in enumerate(table, start=1))])


def shortened(name: str, width: int) -> str:
    """Return a name that has room in so many columns.

    >>> shortened("alice", 5), shortened("a former player", 9)
    ('alice', 'a former…')
    """
    return name if len(name) <= width else name[: width - 1].rstrip() + CUT


def _result(points: float | None) -> str:
    return RUNNING if points is None else score(points)
