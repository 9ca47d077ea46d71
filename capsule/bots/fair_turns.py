"""The rule that says whose game is analysed next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class FairTurns:
    """A rule of turns: the next item is that of the owners who have had the least.

    Meanwhile a clock runs that says how much each owner of a waiting item would have had by then if
    all were served at once. New owners are counted as having had that much, so that nobody waits
    for ever because others come.
    """

    def __init__(self) -> None:
        self._had: dict[object, float] = {}
        self._now = 0.0
        self._waiting: set[object] = set()
        self._last: set[object] = set()

    def next(self, waiting: Sequence[Collection[object]]) -> int:
        """Return the index of the next item, given the owners of each of one or more.

        Of items whose owners have had as much, it is the first whose owners did not have the last
        turn.
        """
        owners = {owner for each in waiting for owner in each}
        for newcomer in owners - self._waiting:
            self._had[newcomer] = max(self._now, self._had.get(newcomer, 0.0))
        self._waiting = owners
        return min(
            range(len(waiting)),
            key=lambda index: (
                self._most(waiting[index]),
                not self._last.isdisjoint(waiting[index]),
            ),
        )

    def count(self, owners: Collection[object], effort: float) -> None:
        """Count the effort that the item chosen last has cost to its owners."""
        had = self._most(owners) + effort
        self._now += effort / len(self._waiting)
        self._last = set(owners)
        self._had |= dict.fromkeys(owners, had)
        # All others are as if they came now.
        self._had = {
            owner: amount
            for owner, amount in self._had.items()
            if amount > self._now or owner in self._waiting
        }

    def _most(self, owners: Collection[object]) -> float:
        return max(self._had[owner] for owner in owners)
