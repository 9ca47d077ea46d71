"""Entangled squares of quantum tic-tac-toe: which they are, and what a measurement settles.

`spooky` has an entry for each move: the bitmask of the two squares of its marks, 0 once they have
settled. The entries are the edges of a graph whose nodes are the squares.
"""

from collections.abc import Sequence

from engine.boards.grid import places


def entangled(spooky: Sequence[int], squares: int) -> int:
    """Return the mask of `squares` and all that are entangled with them, also by way of others."""
    before = 0
    while before != squares:
        before = squares
        for pair in spooky:
            if pair & squares:
                squares |= pair
    return squares


def settling(spooky: Sequence[int], choice: int) -> Sequence[tuple[int, int]]:
    """Return the subscript and the place of each mark that settles once a cycle has been closed.

    `choice` is the place where the mark of the latest move settles, the first of them; the others
    follow as each forces the next.
    """
    left = [*spooky]
    left[-1] = 0
    settled = [(len(left), choice)]
    for _, taken in settled:  # grows while it is read: each mark drives others from its square
        for number, pair in enumerate(left, start=1):
            if pair >> taken & 1:
                left[number - 1] = 0
                settled.append((number, places(pair & ~(1 << taken))[0]))
    return settled


def latest_cycle(spooky: Sequence[int]) -> Sequence[int]:
    """Return the places of the cycle that the latest move closed, from one to the next."""
    *others, closing = spooky
    first, last = places(closing)
    trails: list[tuple[int, ...]] = [(first,)]
    for trail in trails:  # grows while it is read; without the closing move there is one way
        for pair in others:
            if pair >> trail[-1] & 1:
                (place,) = places(pair & ~(1 << trail[-1]))
                if place not in trail:
                    trails.append((*trail, place))
    return next(trail for trail in trails if trail[-1] == last)
