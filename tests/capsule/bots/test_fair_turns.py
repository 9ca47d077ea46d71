"""Owners take turns, by what each of them has had."""

from __future__ import annotations

import pytest

from capsule.bots.fair_turns import FairTurns


def order(*items: str, efforts: dict[str, int] | None = None) -> str:
    """Return the order in which items have their turns, each owned by the letters of its name."""
    turns, waiting, chosen = FairTurns(), list(items), []
    while waiting:
        item = waiting.pop(turns.next([owners(each) for each in waiting]))
        turns.count(owners(item), (efforts or {}).get(item, 1))
        chosen.append(item)
    return " ".join(chosen)


def owners(item: str) -> list[str]:
    return [letter for letter in item if letter.isalpha()]


def test_who_has_had_least_is_next() -> None:
    assert order("a1", "a2", "b1", "b2", "b3", efforts={"a1": 3}) == "a1 b1 b2 b3 a2"


def test_both_owners_have_had_what_their_item_took() -> None:
    assert order("ab", "a", "b", "c", "d") == "ab c d a b"


def test_nobody_waits_for_ever_because_others_come() -> None:
    turns = FairTurns()
    waiting: list[tuple[object]] = [("a",), ("a",)]
    assert turns.next(waiting) == 0
    turns.count(waiting.pop(0), 10)
    for newcomer in range(1, 40):
        waiting.append((newcomer,))
        index = turns.next(waiting)
        if index == 0:
            break
        turns.count(waiting.pop(index), 10)
    else:
        pytest.fail("a never had its second turn")


def test_who_comes_while_somebody_has_it_all_is_next() -> None:
    turns = FairTurns()
    assert turns.next([("a",), ("a",)]) == 0
    turns.count(("a",), 40)
    assert turns.next([("a",), ("b",)]) == 1
