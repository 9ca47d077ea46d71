"""The draw of a cup's groups: pure functions from entrants to groups."""

from collections.abc import Sequence
from typing import TypeVar

from capsule.games.player_queries import MAX_IN_CUP_GROUP

Entered = TypeVar("Entered")


def group_sizes(entrants: int) -> Sequence[int]:
    """Return the sizes of the groups: as few as can be, and as equal as can be.

    Up to six play in one group. More play in groups of four to six, apart from seven, who cannot.

    >>> [group_sizes(entrants) for entrants in (3, 6, 7, 12, 23)]
    [[3], [6], [4, 3], [6, 6], [6, 6, 6, 5]]
    """
    groups = max(1, -(-entrants // MAX_IN_CUP_GROUP))
    smallest, larger = divmod(entrants, groups)
    return [smallest + (number < larger) for number in range(groups)]


def groups_of(seeded: Sequence[Entered]) -> Sequence[Sequence[Entered]]:
    """Return entrants in groups, given from the strongest to the weakest.

    They are dealt out in turns, forwards and then backwards, so that the groups are equally strong.

    >>> groups_of("abcdefg")
    [['a', 'd', 'e'], ['b', 'c', 'f', 'g']]
    """
    sizes = [*reversed(group_sizes(len(seeded)))]
    groups: list[list[Entered]] = [[] for _ in sizes]
    turns = [*range(len(sizes)), *reversed(range(len(sizes)))]
    turn = 0
    for entrant in seeded:
        while len(groups[turns[turn % len(turns)]]) == sizes[turns[turn % len(turns)]]:
            turn += 1
        groups[turns[turn % len(turns)]].append(entrant)
        turn += 1
    return groups
