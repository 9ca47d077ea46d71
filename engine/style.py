"""The signs that boards are drawn with: plain ASCII for every terminal, and softer ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Style:
    r"""The signs that boards are drawn with; each of them takes one column.

    `free` is an empty cell open to the side to move, `empty` any other one if there are both.
    `large_x` and `large_o` are marks drawn over the three rows of a won 3×3 board. `ends` are the
    signs at both ends of a line that won, outside the board, by its direction. `frame` are the
    left, inner and right corners of the upper, inner and lower edges of boxes, whose edges are made
    of `across` and `down`. `arrow` is between a board and the next one, `brackets` are around what
    the last move has marked. `rulers` are the letters and numbers beside a board, and `columns`
    says how many columns of text a drawing may take.
    """

    free: str = "~"
    empty: str = "."
    large_x: tuple[str, str, str] = ("\\   /", "  X  ", "/   \\")
    large_o: tuple[str, str, str] = (" .-. ", "(   )", " '-' ")
    ends: Mapping[str, tuple[str, str]] = field(
        default_factory=lambda: {
            "row": (">", "<"),
            "column": ("v", "^"),
            "falling": ("\\", "\\"),
            "rising": ("/", "/"),
        },
        hash=False,
    )
    frame: tuple[str, str, str] = ("+++", "+++", "+++")
    across: str = "-"
    down: str = "|"
    arrow: str = "->"
    brackets: tuple[str, str] = ("[", "]")
    rulers: bool = True
    columns: int = 64


NARROW = 40
"""The columns of text of a small screen."""

ASCII = Style()
"""The style that every terminal can show."""

UNICODE = Style(
    free="◦",
    empty="·",
    large_x=("╲   ╱", "  X  ", "╱   ╲"),
    large_o=("╭───╮", "│   │", "╰───╯"),
    ends={"row": ("▸", "◂"), "column": ("▾", "▴"), "falling": ("╲", "╲"), "rising": ("╱", "╱")},
    frame=("┌┬┐", "├┼┤", "└┴┘"),
    across="─",
    down="│",
    arrow="→",
)
"""Lines that join and softer signs; none of them is a wide character."""
