"""Reading a cell of a 3×3 grid and a number, in all the ways in which people type them."""

import re
from collections.abc import Collection

from engine.boards.grid import NINE
from engine.cells import DASHES

_BETWEEN = re.compile(r"[\s,;:=@/.、。在把放填下]+|\b(?:in|on|at|to|em)\b")
_DASH = re.compile(f"[{DASHES}]")
_NUMBER = r"(?P<sign>[+-]?)0*(?P<digits>[0-9]{1,20})"
_CELL = r"(?P<column>[a-z]{1,4}) ?(?P<row>[0-9]{1,6})"
_CELL_ROW_FIRST = r"(?P<row>[0-9]{1,6})(?P<column>[a-z]{1,4})"
_MOVES = (
    re.compile(f"{_CELL} {_NUMBER}"),
    re.compile(f"{_CELL_ROW_FIRST} {_NUMBER}"),
    re.compile(f"{_NUMBER} ?{_CELL}"),
    re.compile(f"{_NUMBER} {_CELL_ROW_FIRST}"),
    # With nothing between them the row is one digit, and the number is what follows.
    re.compile(r"(?P<column>[a-z])(?P<row>[1-9])(?P<sign>[+-]?)(?P<digits>[1-9][0-9]{0,19})"),
)
"""The ways to type a move, after all separators have been replaced by a single space."""


def cell_and_number(text: str, known: Collection[int | None]) -> tuple[str, str] | None:
    """Return the cell and the number that a text names, or None for any other text.

    A dash is a number's sign if the number is one of those `known` in the game, or follows an
    equals sign; otherwise it separates the parts.

    >>> cell_and_number("B2 - 5", [5]), cell_and_number("b2-5", [5, -5])
    (('b2', '5'), ('b2', '-5'))
    """
    typed = _DASH.sub("-", text.lower())
    read = _read(typed)
    if read is None or ("=" not in typed and read[1] not in map(str, known)):
        return _read(typed.replace("-", " ")) or read
    return read


def _read(typed: str) -> tuple[str, str] | None:
    """Return the cell and the number that a text names, or None for any other text.

    If it can be read in several ways, a reading with a cell on the board is preferred.
    """
    words = " ".join(_BETWEEN.sub(" ", typed).split())
    matches = [match for pattern in _MOVES if (match := pattern.fullmatch(words))]
    moves = [
        (
            match["column"] + match["row"],
            ("-" if match["sign"] == "-" and match["digits"] != "0" else "") + match["digits"],
        )
        for match in matches
    ]
    return next((move for move in moves if move[0] in NINE), moves[0] if moves else None)
