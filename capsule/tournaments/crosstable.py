"""The crosstable of a tournament, in plain text.

The rows are in the order of the standings, and column 1 belongs to the player in row 1, and so on.
A cell has the two results of the row's player against the column's player: first as X, then as O.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.columns import is_wide, left, right, shortened, width
from capsule.ui.numbers import score
from capsule.ui.render import number, shown, translate
from engine.game import in_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capsule.tournaments.standings import Result, TournamentStanding


MAX_COLUMNS = 64
"""The width of a table, in columns of text, unless the caller passes a smaller one."""

RUNNING = "."
"""The sign for a game that is still being played."""

DIAGONAL = "##"
"""The cell of a player against themselves."""

# Translators: Latin letters, three at the most, since Chinese ones would not stand in the column.
_POINTS = in_context("the head of a column of points", "pts")

# Translators: for Sonneborn-Berger, a tie-break; Latin letters, since Chinese ones would not stand
# in the column.
_BERGER = in_context("the head of a column of tie-breaks", "SB")

_NUMBER_WIDTH, _CELL_WIDTH, _POINTS_WIDTH = 2, 2, 3
_MIN_NAME_WIDTH = 5


def crosstable(
    table: Sequence[TournamentStanding],
    results: Iterable[Result],
    names: Mapping[int, str],
    columns: int = MAX_COLUMNS,
) -> str:
    """Return the crosstable of `table`, its results and its players' names by seat; "" if empty.

    If the table would be wider than `columns`, names are shortened; if that is not enough, the
    tie-breaks are left out, then the names, then the points. Numbers and results always stay.
    Chinese names stand at the end of their rows, since fonts make them wider or narrower.
    """
    if not table:
        return ""
    names = {seat: str(shown(name)) for seat, name in names.items()}
    points = {(game.x, game.o): game.points for game in results}
    points_head, berger_head = translate(_POINTS), translate(_BERGER)
    berger_width = max(width(berger_head), *(len(number(each.sonneborn_berger)) for each in table))
    room = columns - _NUMBER_WIDTH - len(table) * (_CELL_WIDTH + 1)
    has_points = room > _POINTS_WIDTH
    room -= _POINTS_WIDTH + 1 if has_points else 0
    has_berger = room > berger_width + 1 + _MIN_NAME_WIDTH
    room -= berger_width + 1 if has_berger else 0
    longest = max(width(names[each.seat]) for each in table)
    names_are_last = any(is_wide(names[each.seat]) for each in table)
    name_width = min(longest, room - 1) if room > min(longest, _MIN_NAME_WIDTH) else 0

    def line(place: object, name: str, cells: Iterable[str], total: str, berger: str) -> str:
        named = [left(shortened(name, name_width), name_width)] if name_width else []
        parts = [f"{place:>{_NUMBER_WIDTH}}", *([] if names_are_last else named), *cells]
        parts += [right(total, _POINTS_WIDTH)] if has_points else []
        parts += [right(berger, berger_width)] if has_berger else []
        return " ".join([*parts, *(named if names_are_last else [])]).rstrip()

    def cell(own: int, other: int) -> str:
        if own == other:
            return DIAGONAL
        as_x, as_o = points.get((own, other)), points.get((other, own))
        return _result(as_x and as_x[0]) + _result(as_o and as_o[1])

    def row(place: int, each: TournamentStanding) -> str:
        return line(
            place,
            names[each.seat],
            (cell(each.seat, other.seat) for other in table),
            score(each.points) if each.counts else "-",
            number(each.sonneborn_berger) if each.counts else "-",
        )

    places = (f"{place:>{_CELL_WIDTH}}" for place in range(1, len(table) + 1))
    head = line("", "", places, points_head, berger_head)
    return "\n".join([head, *(row(place, each) for place, each in enumerate(table, start=1))])


def _result(points: float | None) -> str:
    return RUNNING if points is None else score(points)
