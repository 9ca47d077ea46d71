"""A made-up table of explored positions, as large as the games of a crowd would make it.

The boards that the benchmarks ask for, those of one game of each variant, have as many next moves
as that number of games would make, and lists of the same length in every crowd. The rest is never
read: it makes up the size.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from sqlalchemy import Connection, insert, text

from capsule.boards.explorer import MAX_MOVES, MAX_PLIES, number_of
from capsule.db.schema.games import explored_positions
from engine import VARIANTS
from engine.boards.canonical import CanonicalPosition, canonical_positions
from tests.support.stories import WON_GAMES

OWN_POSITIONS = 6
"""The positions of a game's first moves to which no other game comes, more or less."""

MOST_MOVES = 2_000
"""The next moves of a position, in a game that has countless ones, that anybody made."""

BRANCHING = 3
"""Of how many games that reach a position one goes on to the next one asked for."""

_REST = """
    INSERT INTO explored_positions (position, move, people, people_points, bots, bots_points)
    WITH RECURSIVE counted(number) AS (
        SELECT 0 UNION ALL SELECT number + 1 FROM counted WHERE number < :positions - 1
    )
    SELECT -9223372036854775807 + number * :distance, move, 1, 0.5, 0, 0
    FROM counted, (SELECT '' AS move UNION ALL SELECT 'e5')
"""


def fill_explored(connection: Connection, games: int) -> None:
    """Fill the table of explored positions as that many games would."""
    positions = OWN_POSITIONS * games
    # In their order, and all over the numbers that there are.
    rest = {"positions": positions, "distance": (2**64 - 2) // positions}
    connection.execute(text(_REST), rest)
    for variant in VARIANTS.values():
        line = WON_GAMES[variant.key].split()[:MAX_PLIES]
        for ply, position in enumerate(canonical_positions(variant.start, line)):
            if position.position.outcome is None:
                reached = max(games // BRANCHING**ply, 10 * MAX_MOVES)
                rows = [*_rows(number_of(variant, position), position, reached)]
                connection.execute(insert(explored_positions), rows)


def _rows(number: int, position: CanonicalPosition, reached: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of a position: its own, and those of next moves, each made less often."""
    legal = [*islice(position.position.legal_moves(), MOST_MOVES)]
    Random(number).shuffle(legal)
    images = [*dict.fromkeys(map(position.image, legal))]
    made = images[: max(reached // 50, MAX_MOVES + 1)]
    values = {"people_points": 0.25 * reached, "bots_points": 0.25, "x_value": None}
    yield {"position": number, "move": "", "people": reached, "bots": 1, **values}
    for place, image in enumerate(made, 2):
        people = max(reached // place**2, 1)
        yield {"position": number, "move": image, "people": people, "bots": 1, **values}
