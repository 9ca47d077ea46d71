"""The nine squares of quantum tic-tac-toe in words.

`spooky` and `settled` are as in `quantum_squares`.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_

from engine.boards.classical_marks import mark_name, settled_mask, side_of
from engine.boards.entanglement import entangled
from engine.boards.grid import FULL, NINE, names_of, places
from engine.messages import Message, message


def words_on_marks(spooky: Sequence[int], settled: Sequence[int]) -> Sequence[Message]:
    """Return each settled square and spooky mark, then what is entangled or empty, in sentences."""
    holding = (
        # Translators: {side} is the large mark X or O, {number} its subscript.
        message(
            "{cell} holds {side} with the number {number}.",
            cell=NINE[place],
            side=side_of(number),
            number=number,
        )
        for place, number in enumerate(settled)
        if number
    )
    spread = (
        # Translators: {mark} is a mark such as “x3”; {first} and {second} are cells.
        message(
            "{mark} is in {first} and {second} at once.",
            mark=mark_name(number),
            first=NINE[places(pair)[0]],
            second=NINE[places(pair)[1]],
        )
        for number, pair in enumerate(spooky, start=1)
        if pair
    )
    return (
        *holding,
        *spread,
        *_words_on_entanglement(spooky),
        *_words_on_empty_squares(spooky, settled),
    )


def _words_on_entanglement(spooky: Sequence[int]) -> Sequence[Message]:
    parts = {entangled(spooky, pair): None for pair in spooky if pair}
    return [
        # Translators: {marks} is a list of marks such as “x1, o2”, {cells} of cells.
        message(
            "{marks} entangle the cells {cells}.",
            marks=tuple(mark_name(number) for number, pair in enumerate(spooky, 1) if pair & part),
            cells=names_of(part),
        )
        for part in parts
        if part.bit_count() > 2
    ]


def _words_on_empty_squares(spooky: Sequence[int], settled: Sequence[int]) -> Sequence[Message]:
    cells = names_of(FULL & ~reduce(or_, spooky, settled_mask(settled)))
    return [message("Empty cells: {cells}.", cells=cells)] if cells else []
