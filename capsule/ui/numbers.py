"""How pages write numbers."""

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
