"""The nine squares of quantum tic-tac-toe as boxes with spooky and classical marks.

`spooky` has for each move the bitmask of its two squares, 0 once it has settled, and `settled` has
for each square the subscript of its classical mark, 0 for none. The squares named in `latest` are
those of the last move, whose marks stand in brackets.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from engine.boards.classical_marks import mark_name, mask_of, side_of
from engine.boards.grid import LINE_MASKS, LINE_RUNS, NINE
from engine.drawing.text import Area, trimmed, with_ends
from engine.game import Side
from engine.style import Style


class _Layout(NamedTuple):
    """The layout of the drawn squares.

    `left` is the column of text where the first square begins, after its frame. `width` is that of
    a square in columns of text, `spots` are where marks stand in a row of it, and `middle` is its
    column in the middle, `letter` that below the ruler's letter.
    """

    left: int
    width: int
    spots: tuple[int, int, int]
    middle: int
    letter: int

    def columns(self) -> tuple[int, int, int]:
        """Return the columns of text of the ruler's letters."""
        first, step = self.left + self.letter, self.width + 1
        return first, first + step, first + 2 * step

    def area(self) -> Area:
        """Return where the squares are drawn."""
        return Area(top=1, bottom=13, left=self.left, right=self.left + 3 * self.width + 1)


_WIDE = _Layout(left=5, width=13, spots=(2, 6, 10), middle=6, letter=5)

_SLIM = _Layout(left=3, width=9, spots=(1, 4, 7), middle=4, letter=4)
"""33 columns in all: of 40, Amfora leaves no more beside its margin and its scroll bar.

Behind the last spot there is no column for a bracket, which takes the place of the frame there.
"""


def _layout(style: Style) -> _Layout:
    return _WIDE if style.columns >= _WIDE.left + 3 * (_WIDE.width + 1) + 1 else _SLIM


def drawn(
    spooky: Sequence[int], settled: Sequence[int], latest: Collection[str], style: Style
) -> str:
    """Return the squares as a drawing."""
    return trimmed(_drawing(spooky, settled, latest, style), _layout(style).left, style)


def drawn_with_lines(
    spooky: Sequence[int], settled: Sequence[int], latest: Collection[str], style: Style
) -> str:
    """Return the squares as a drawing, with both ends of every three in a row marked."""
    layout = _layout(style)
    text = {"row": (3, 7, 11), "column": layout.columns()}
    sides = [mask_of(settled, side) for side in Side]
    ends = [
        (run, text.get(run, (0,))[number])
        for (run, number), mask in zip(LINE_RUNS, LINE_MASKS, strict=True)
        if any(own & mask == mask for own in sides)
    ]
    drawing = with_ends(_drawing(spooky, settled, latest, style), layout.area(), ends, style)
    return trimmed(drawing, layout.left, style)


def _drawing(
    spooky: Sequence[int], settled: Sequence[int], latest: Collection[str], style: Style
) -> str:
    layout = _layout(style)
    edge, down = style.across * layout.width, style.down
    margin = layout.left - 1
    upper, inner, lower = (
        f"{'':{margin}}{corners[0]}{edge}{corners[1]}{edge}{corners[1]}{edge}{corners[2]}"
        for corners in style.frame
    )
    first, *_ = layout.columns()
    rows = [" " * first + (" " * layout.width).join("abc"), upper]
    for row in range(3):
        boxes = [_box(3 * row + column, spooky, settled, latest, style) for column in range(3)]
        for line in range(3):
            number = f"{row + 1}".rjust(margin - 2) if line == 1 else ""
            rows.append(f"{number:{margin}}{down}" + "".join(box[line] for box in boxes))
        rows.append(inner if row < 2 else lower)
    return "\n".join(rows)


def _box(
    place: int, spooky: Sequence[int], settled: Sequence[int], latest: Collection[str], style: Style
) -> Sequence[str]:
    """Return the three text rows of a square, with the frame at their right.

    What the last move marked there is in brackets.
    """
    layout, is_latest = _layout(style), NINE[place] in latest
    if number := settled[place]:
        mark = _large_mark(number, style, layout, is_latest=is_latest)
        return [f"{row}{style.down}" for row in mark]
    rows = [[*" " * layout.width, style.down] for _ in range(3)]
    for number, pair in enumerate(spooky, start=1):
        if pair >> place & 1:
            row, spot = rows[(number - 1) // 3], layout.spots[(number - 1) % 3]
            row[spot : spot + 2] = mark_name(number)
            if is_latest and number == len(spooky):
                row[spot - 1], row[spot + 2] = style.brackets
    return ["".join(row) for row in rows]


def _large_mark(number: int, style: Style, layout: _Layout, *, is_latest: bool) -> Sequence[str]:
    """Return the three text rows of a settled square: a large mark with its subscript."""
    if side_of(number) is Side.X:
        falling, rising = style.large_x[0][0], style.large_x[0][-1]
        mark = f"{falling}     {rising}", f" X {number} ", f"{rising}     {falling}"
    else:
        top, middle, bottom = style.large_o
        mark = top, f"{middle[:2]}{number}{middle[3:]}", bottom
    opening, closing = style.brackets if is_latest else "  "
    first, second, third = (row.center(7) for row in mark)
    rows = first, f"{opening}{second[1:-1]}{closing}", third
    return [f"{'':{layout.middle - 3}}{row}".ljust(layout.width) for row in rows]
