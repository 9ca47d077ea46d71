"""The weights of ultimate and extreme while they are learned: a step for each, and their table."""

# The inner functions take what they need as numbers.
# ruff: noqa: PLR0917
import math
from array import array
from collections.abc import MutableSequence, Sequence

from engine.bots.local_boards.bot import LOGIT, SearchBoard, board_count
from engine.bots.local_boards.compiled import compiled, flat
from engine.bots.local_boards.kernel.evaluation import sides_exchanged
from engine.bots.local_boards.kernel.layout import (
    BARS,
    BONUS,
    CODES,
    LINE,
    LIVES,
    LOCAL,
    ROAM,
    ROAM_BY_STAKES,
    SCALE,
    SENT,
    SENT_BY_STAKES,
)
from engine.bots.local_boards.tables import SHAPE, packed
from tests.bench.learning.self_play import SHARED_MEMORY
from tests.bench.learning.sharing import no_weights, sharing


@compiled("f8(i8[::1], i8, i8, i8, f8, f8[::1], f8[::1], i4[::1], i4[::1], f8)", keep=False)
def adjust(
    entries: Sequence[int],
    begin: int,
    end: int,
    lines: int,
    target: float,
    weights: MutableSequence[float],
    used: MutableSequence[float],
    which: Sequence[int],
    sign: Sequence[int],
    step: float,
) -> float:
    """Move the weights of a position towards its target; return by how much they missed it.

    The entries from `begin` to before `end` are the position's, `lines` those that are left, as the
    kernel's `lines_left` counts them. Without a step nothing moves.
    """
    value = 0.0
    for index in range(begin, end):
        entry = entries[index]
        value += sign[entry] * weights[which[entry]]
    if value < 0.0:
        lines = sides_exchanged(lines)
    scaling = which[SCALE + lines]
    scale = weights[scaling]
    off = target - 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, scale * value))))
    if step > 0.0:
        slope = off * scale
        for index in range(begin, end):
            entry = entries[index]
            place = which[entry]
            used[place] += slope * slope
            weights[place] += step * sign[entry] * slope / math.sqrt(used[place])
        # Who has no line left to complete cannot lead.
        if lines >= LIVES:
            slope = off * value
            used[scaling] += slope * slope
            weights[scaling] = max(0.0, scale + step * slope / math.sqrt(used[scaling]))
    return off


@compiled("void(i4[::1], f8[::1], i4[::1], i4[::1])", keep=False)
def write_out(
    table: MutableSequence[int], weights: Sequence[float], which: Sequence[int], sign: Sequence[int]
) -> None:
    """Write the weights into the kernel's table."""
    for entry in range(LOCAL, len(which)):
        if entry < BARS or entry >= SCALE:
            value = sign[entry] * weights[which[entry]] * 1000.0
            table[entry] = int(max(-32000.0, min(32000.0, value)))


class Trainer:
    """The weights of one variant while they are learned."""

    def __init__(self, variant: str, weights: "array[int] | None" = None) -> None:
        """Continue from some weights, or begin with none."""
        self.weights = flat([weight / LOGIT for weight in weights or no_weights()], "d")
        self.used = flat([1.0] * sum(SHAPE), "d")
        which, sign = sharing()
        self.which, self.sign = flat(which, "i"), flat(sign, "i")
        self.board = SearchBoard(no_weights(), board_count(variant), 1 << 14)
        self.record = flat([0] * (SHARED_MEMORY * 163), "q")
        self.refresh()

    def refresh(self) -> None:
        """Copy what was learned into the table of the search."""
        write_out(self.board.table, self.weights, self.which, self.sign)

    def packed(self) -> bytes:
        """Return the weights as the bytes of their file."""
        table = self.board.table
        weights = array("h")
        for first in (LOCAL, SENT):
            for board in (0, 1, 4):
                weights.extend(list(table[first + board * CODES : first + (board + 1) * CODES]))
        for first, size in (
            (SENT_BY_STAKES, SHAPE[2]),
            (ROAM_BY_STAKES, SHAPE[3]),
            (ROAM, 1),
            (BONUS, 1),
            (LINE, SHAPE[5]),
            (SCALE, SHAPE[6]),
        ):
            weights.extend(list(table[first : first + size]))
        return packed(weights)
