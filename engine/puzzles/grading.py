"""The difficulty of a puzzle: the depth to look ahead, and the tempting wrong moves.

The measure is `look + log2(1 + tempting) / 2`, where `look` is the number of own turns that one
must look ahead, and `tempting` the number of wrong moves that the next move of the other side does
not refute. One more turn counts as much as four times as many temptations.
"""

from math import log2

_LEAST = (2.5, 3.5, 4.5, 5.5)
"""The least measure of the grades 2 to 5."""


def grade(look: int, tempting: int) -> int:
    """Return the grade of a puzzle, from 1 to 5.

    >>> [grade(1, 0), grade(2, 3), grade(3, 3), grade(3, 15), grade(4, 15)]
    [1, 2, 3, 4, 5]
    """
    measure = look + log2(1 + tempting) / 2
    return 1 + sum(measure >= least for least in _LEAST)
