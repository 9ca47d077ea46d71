"""The names of the eight lines of three by three cells, in sentences."""

from engine.messages import Message, in_context

_DIAGONALS = "a1 b2 c3", "c1 b2 a3"

LINE_NAMES: tuple[Message, ...] = (
    # Translators: a line as a subject or an object: “row 3 makes 15”, “blocks row 3, column c”.
    *(in_context("a line", "row {row}", row=row) for row in (1, 2, 3)),
    *(in_context("a line", "column {column}", column=column) for column in "abc"),
    # Translators: {cells} are three cells, such as “a1 b2 c3”.
    *(in_context("a line", "the diagonal {cells}", cells=cells) for cells in _DIAGONALS),
)
"""The names of the lines of `engine.boards.grid.LINES`, in the same order."""

IN_LINE: tuple[Message, ...] = (
    # Translators: a line that follows “in”: “makes 15 in row 2, column a”. If your language joins
    # “in” to an article, write it here and leave it out of these sentences.
    *(in_context("in a line", "row {row}", row=row) for row in (1, 2, 3)),
    *(in_context("in a line", "column {column}", column=column) for column in "abc"),
    # Translators: {cells} are three cells, such as “a1 b2 c3”; “in” stands before it.
    *(in_context("in a line", "the diagonal {cells}", cells=cells) for cells in _DIAGONALS),
)
"""The same names as they follow "in"."""
