"""The openings of the masters of ultimate and extreme: moves that long searches found good.

The openings of a variant were found by `tests/bench/learning/opening_search.py` and are in
`data/<variant>.openings`, a line for each position: the moves that lead there, and the moves that
are about as good as the best, each with what it is worth to the side that plays it, from 0 (a loss)
to 1 (a win), the best first.

    e5 d4 | a1 0.582 c3 0.561 c2 0.559

Of positions that the symmetries of the game turn into one another only one is listed, and likewise
of moves.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path
from random import Random

from engine.boards.grid import FULL
from engine.boards.local_boards import LocalBoardsPosition, cells_of, name_of
from engine.variants import VARIANTS

PLIES = 3
"""Openings are known of positions with fewer cells taken than this.

Games then begin in enough ways, and nothing is lost by it. With one move more, O's second, the
master of ultimate scored ten points of a hundred less against a bot that always plays the move
it finds best: of the replies that long searches call as good, some draw most games there and others
lose them.
"""

TEMPERATURE = 0.03
"""A move worth this much less than another is played 1/e times as often."""


@dataclass(frozen=True)
class Opening:
    """The moves that lead to a position, and what the good moves there are worth.

    The worth of a move is what the side that plays it may expect of the game, from 0 to 1.
    """

    moves: tuple[str, ...]
    worths: Mapping[str, float]

    def line(self) -> str:
        """Return the line that stores the opening in the file."""
        good = (f"{move} {worth:.3f}" for move, worth in self.worths.items())
        return f"{' '.join(self.moves)} | {' '.join(good)}".strip()


def opening_of(line: str) -> Opening:
    """Return the opening that a line of the file holds; ValueError if it holds none."""
    moves, good = line.split("|")
    words = good.split()
    worths = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    return Opening(tuple(moves.split()), worths)


def openings_path(variant: str) -> Path:
    """Return the path of the openings of a variant."""
    return Path(__file__).parent / "data" / f"{variant}.openings"


class Openings:
    """The openings of a variant, for any image of their positions."""

    def __init__(self, variant: str, openings: Iterable[Opening]) -> None:
        """Take some openings; `IllegalMove` or `InvalidMove` if one cannot be played."""
        replay = VARIANTS[variant].replay
        self._openings = {replay(opening.moves): opening for opening in openings}

    def worths(self, position: LocalBoardsPosition) -> dict[str, float]:
        """Return the good moves of a position and what they are worth; nothing if none is known.

        Of moves that are images of each other, all are included.
        """
        if (position.x | position.o).bit_count() >= PLIES:
            return {}
        images = [(move, position.images(move)) for move in position.legal_moves()]
        worths = {}
        for number, image in enumerate(images_of(position)):
            if (opening := self._openings.get(image)) is not None:
                for move, around in images:
                    if around[number] in opening.worths:
                        worths[move] = opening.worths[around[number]]
        return worths


@cache
def openings_of(variant: str) -> Openings:
    """Return the openings of "ultimate" or "extreme"."""
    lines = openings_path(variant).read_text("ascii").splitlines()
    return Openings(variant, map(opening_of, lines))


def images_of(position: LocalBoardsPosition) -> Iterator[LocalBoardsPosition]:
    """Yield each symmetry's image of a position without closed local boards, itself first."""
    x, o = (_images(position, mask) for mask in (position.x, position.o))
    # A local board goes where the cell in its centre goes.
    boards = range(position.board_count)
    centres = sum(1 << 9 * board + 4 for board in boards if position.allowed >> board & 1)
    for x_image, o_image, centre in zip(x, o, _images(position, centres), strict=True):
        allowed = sum(1 << board for board in boards if centre >> 9 * board & FULL)
        yield type(position)(x_image, o_image, 0, 0, 0, allowed, position.turn)


def _images(position: LocalBoardsPosition, mask: int) -> list[int]:
    """Return what each symmetry of a position's game makes of a mask of cells, itself first."""
    cells = cells_of(position.board_count)
    images = [0] * len(position.images(name_of(0, 0)))
    for name, (board, place) in cells.items():
        if mask >> 9 * board + place & 1:
            for number, image in enumerate(position.images(name)):
                to_board, to_place = cells[image]
                images[number] |= 1 << 9 * to_board + to_place
    return images


def chosen(worths: Mapping[str, float], rng: Random) -> str:
    """Return one of the moves at random, the better ones more often."""
    moves = sorted(worths)
    (move,) = rng.choices(moves, [exp(worths[move] / TEMPERATURE) for move in moves])
    return move
