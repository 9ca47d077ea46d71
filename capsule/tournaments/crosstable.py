"""The crosstable of a tournament, in plain text at most 64 columns wide.

The rows are in the order of the standings, and each column belongs to the player in the row of the
same number. A cell has the row's two results against the column: first as X, then as O.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.numbers import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capsule.tournaments.standings import Result, TournamentStanding


MAX_COLUMNS = 64
"""The greatest width of a table."""

RUNNING = "."
"""The result of a game that is being played."""

DIAGONAL = "##"
"""The cell of a player against themselves."""

ELLIPSIS = "…"
"""The end of a name that was shortened."""

_NUMBER_WIDTH, _CELL_WIDTH, _POINTS_WIDTH = 2, 2, 3


def crosstable(
    table: Sequence[TournamentStanding], results: Iterable[Result], names: Mapping[int, str]
) -> str:
    """Return the crosstable of standings; `results` are theirs, and `names` are by seat."""
    points = {(game.x, game.o): game.points for game in results}
    berger_width = max(len("SB"), *(len(f"{each.sonneborn_berger:g}") for each in table))
    cells_width = len(table) * (_CELL_WIDTH + 1) - 1
    other_columns = (_NUMBER_WIDTH, cells_width, _POINTS_WIDTH, berger_width)
    room = MAX_COLUMNS - sum(width + 1 for width in other_columns)
    name_width = min(max(len(names[each.seat]) for each in table), room)

    def line(number: object, name: str, cells: Iterable[str], total: str, berger: str) -> str:
        return (
            f"{number:>{_NUMBER_WIDTH}} {name:<{name_width}} {' '.join(cells)} "
            f"{total:>{_POINTS_WIDTH}} {berger:>{berger_width}}"
        )

    def cell(own: int, other: int) -> str:
        if own == other:
            return DIAGONAL
        as_x, as_o = points.get((own, other)), points.get((other, own))
        return _result(as_x and as_x[0]) + _result(as_o and as_o[1])

    def row(number: int, each: TournamentStanding) -> str:
        return line(
            number,
            shortened(names[each.seat], name_width),
            (cell(each.seat, other.seat) for other in table),
            "-" if each.rank is None else score(each.points),
            "-" if each.rank is None else f"{each.sonneborn_berger:g}",
        )

    numbers = (f"{number:>{_CELL_WIDTH}}" for number in range(1, len(table) + 1))
    head = line("", "", numbers, "pts", "SB")
    return "\n".join([head, *(row(number, each) for number, each in enumerate(table, start=1))])


def shortened(name: str, width: int) -> str:
    """Return a name that is at most `width` characters long.

    >>> shortened("alice", 5), shortened("a former player", 9)
    ('alice', 'a former…')
    """
    return name if len(name) <= width else name[: width - 1].rstrip() + ELLIPSIS


def _result(points: float | None) -> str:
    return RUNNING if points is None else score(points)
