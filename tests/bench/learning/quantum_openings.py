"""Work out the table of quantum's openings.

    python -m tests.bench.learning.quantum_openings

The table, `engine/bots/solvers/quantum_openings.bin`, holds the exact value of each position after
up to four moves that awaits no choice, so that a player who has it need not search before the
fifth. Unpacked by zlib it is one byte for each of the 46 ** 4 keys of `opening_key` in
`quantum_values`: X's points less O's, in half points, plus 3, hence 1 to 5; or 0 where no position
has that key. The positions after the fourth move are searched to the end, some minutes' work; the
earlier ones follow from them.
"""

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

from engine import Side
from engine.bots.solvers import quantum_values
from engine.bots.solvers.quantum_values import OPENING_MOVES, opening_key, searched
from engine.variants.quantum import QUANTUM, QuantumPosition

TABLE = Path(quantum_values.__file__).with_name("quantum_openings.bin")


def openings(most: int = OPENING_MOVES) -> list[dict[int, QuantumPosition]]:
    """Return for each number of moves from 0 to `most`, a position for each key."""
    start = QuantumPosition.of(QUANTUM.start)
    levels = [{opening_key(start): start}]
    for _ in range(most):
        level: dict[int, QuantumPosition] = {}
        for position in levels[-1].values():
            for move in position.legal_moves():
                for settled in _measured(position.play(move)):
                    level.setdefault(opening_key(settled), settled)
        levels.append(level)
    return levels


def _measured(position: QuantumPosition) -> Iterator[QuantumPosition]:
    """Yield what a position becomes by each choice that it may await."""
    if position.measuring:
        yield from map(position.play, position.choices)
    else:
        yield position


def generate() -> bytes:
    """Return the packed table."""
    levels = openings()
    values = {key: searched(position) for key, position in levels[-1].items()}
    for level in reversed(levels[:-1]):
        values |= {key: _looked_up(position, values) for key, position in level.items()}
    table = bytearray(46**4)
    for key, value in values.items():
        table[key] = value + 3
    return zlib.compress(bytes(table), 9)


def _looked_up(position: QuantumPosition, values: dict[int, int]) -> int:
    """Return the value of a position from those of the positions one move later."""
    best, other = (max, min) if position.turn is Side.X else (min, max)
    return best(
        other(values[opening_key(settled)] for settled in _measured(position.play(move)))
        for move in position.legal_moves()
    )


if __name__ == "__main__":
    sys.stdout.write(f"{TABLE.write_bytes(generate())} bytes in {TABLE.name}\n")
