"""A tournament's results as a table in monospace, at most 64 columns wide.

Each row is a player's, in the order of the standings; each column is that of the opponent in the
row of the same number. A cell has two results: that of the game in which the row's player is X,
then that of the game as O.
"""

from __future__ import annotations


def score(points: float) -> str:
    """Return points as a score is written.

    >>> [score(points) for points in (1, 0, 0.5, 20.5)]
    ['1', '0', '½', '20½']
    """
    whole, half = divmod(points, 1)
    if half == 0:
        return f"{whole:.0f}"
    return f"{whole:.0f}½" if whole > 0 else "½"
