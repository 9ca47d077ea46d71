"""The crosstable of a tournament, to the letter."""

from collections.abc import Collection, Sequence
from itertools import permutations

import pytest

from capsule.tournaments.standings import MAX_COLUMNS, Result, crosstable, standings

WIN, DRAW, LOSS = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)

THREE = [
    Result(1, 2, WIN),
    Result(2, 1, DRAW),
    Result(1, 3, LOSS),
    Result(3, 1, LOSS),
    Result(2, 3, WIN),
    Result(3, 2, DRAW),
]

MANY = (WIN, LOSS, DRAW, WIN, None, LOSS, WIN, DRAW, WIN, LOSS, LOSS)

NAMES = (
    "alice",
    "bob",
    "a-name-of-24-letters-ohh",
    "a former player",
    "expert bot",
    "carol",
    "brave-cormorant-812",
    "dave",
    "erin",
    "frank",
    "master bot",
    "golden-dolphin-99",
)


def drawn(
    names: Sequence[str],
    results: Sequence[Result],
    uncounted: Collection[int] = (),
    columns: int = MAX_COLUMNS,
) -> list[str]:
    """Return the lines of a table."""
    by_seat = dict(enumerate(names, start=1))
    table = standings(by_seat, results, uncounted)
    return crosstable(table, results, by_seat, columns).split("\n")


def test_four_players_and_games_in_progress() -> None:
    with_bot = [
        Result(4, 1, WIN),
        Result(1, 4, DRAW),
        Result(4, 2),
        Result(2, 4, LOSS),
        Result(4, 3, DRAW),
        Result(3, 4),
    ]
    results = [THREE[0], Result(2, 1), *THREE[2:], *with_bot]
    assert drawn(["alice", "bob", "carol", "expert bot"], results) == [
        "               1  2  3  4 pts   SB",
        " 1 expert bot ## 1½ ½. .1   3 6.25",
        " 2 alice      ½0 ## 01 1.  2½    5",
        " 3 carol      .½ 01 ## ½0   2 4.75",
        " 4 bob        0. .0 1½ ##  1½    3",
    ]


def test_twelve_players() -> None:
    results = [
        Result(x, o, MANY[(3 * x * x + 5 * o + x * o) % len(MANY)])
        for x, o in permutations(range(1, 13), 2)
    ]
    assert drawn(NAMES, results) == [
        "                   1  2  3  4  5  6  7  8  9 10 11 12 pts     SB",
        " 1 dave           ## .1 ½1 0½ ½½ ½½ 10 11 0½ 1½ 00 11  12  114.5",
        " 2 expert bot     0. ## 01 ½0 10 10 11 ½1 00 01 11 11  12  111.5",
        " 3 a former play… 0½ 01 ## 1½ ½1 ½1 0. 00 .1 10 1½ 11 11½ 109.25",
        " 4 bob            ½1 1½ ½0 ## 1. 1. 11 10 01 00 0½ 01  11  113.5",
        " 5 alice          ½½ 10 0½ .0 ## 01 0½ 01 11 1½ ½. 11  11    103",
        " 6 golden-dolphi… ½½ 10 0½ .0 01 ## 0½ 01 11 1½ ½. 11  11    103",
        " 7 a-name-of-24-… 10 00 .1 00 ½1 ½1 ## 1½ 0. 1. 11 01 10½    104",
        " 8 brave-cormora… 00 0½ 11 10 01 01 ½0 ## .½ 11 ½0 01  10    100",
        " 9 master bot     ½1 11 0. 01 00 00 .1 ½. ## 10 01 11  10   95.5",
        "10 frank          ½0 01 10 11 ½0 ½0 .0 00 10 ## 11 01  9½   95.5",
        "11 erin           11 00 ½0 ½1 .½ .½ 00 1½ 01 00 ## 11  9½  90.25",
        "12 carol          00 00 00 01 00 00 01 01 00 01 00 ##   4     41",
    ]


def test_a_leaver_whose_results_do_not_count_stands_last() -> None:
    with_leaver = [
        Result(4, 1, LOSS),
        Result(1, 4, WIN),
        Result(4, 2, WIN),
        Result(2, 4, WIN),
        Result(4, 3, LOSS),
        Result(3, 4, WIN),
    ]
    table = drawn(["alice", "bob", "carol", "dave"], [*THREE, *with_leaver], uncounted={4})
    assert table == [
        "          1  2  3  4 pts  SB",
        " 1 alice ## 1½ 01 11  2½ 4.5",
        " 2 bob   ½0 ## 1½ 10   2 3.5",
        " 3 carol 01 ½0 ## 11  1½ 3.5",
        " 4 dave  00 10 00 ##   -   -",
    ]


@pytest.mark.parametrize("count", range(3, 13))
def test_no_table_is_wider_than_a_narrow_terminal(count: int) -> None:
    results = [Result(x, o, MANY[(x * o) % 4]) for x, o in permutations(range(1, count + 1), 2)]
    table = drawn([f"a-name-of-24-letters-oh-{number:02}" for number in range(count)], results)
    assert {len(row) for row in table} == {len(table[0])}
    assert len(table[0]) <= MAX_COLUMNS


@pytest.mark.parametrize("count", range(3, 13))
def test_on_a_narrow_screen_what_can_be_read_elsewhere_gives_way(count: int) -> None:
    pairs = permutations(range(1, count + 1), 2)
    results = [Result(x, o, MANY[place % len(MANY)]) for place, (x, o) in enumerate(pairs)]
    wide, narrow = (drawn(NAMES[:count], results, (), width) for width in (64, 40))
    assert max(map(len, narrow)) <= 40
    assert ("pts" in narrow[0]) == (count <= 11)
    for row, full in zip(narrow[1:], wide[1:], strict=True):
        assert row[:2] == full[:2]
        assert row.count("##") == 1
    assert len({len(row) for row in narrow}) == 1
