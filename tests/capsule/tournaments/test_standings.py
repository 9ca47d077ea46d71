"""Standings of a tournament: points, Sonneborn–Berger, direct encounter, wins, leavers."""

from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations

from hypothesis import given, strategies as st

from capsule.tournaments.standings import Result, TournamentStanding, standings

WIN, DRAW, LOSS = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)
SECOND_LINE = (1.0, 0.5)
"""In quantum: both players have a line, and X's is the earlier one."""
RUNNING = None

Points = tuple[float, float] | None


def double_round(count: int, results: Mapping[tuple[int, int], Points]) -> list[Result]:
    """Return a double round with these results, and draws in all other games."""
    pairs = permutations(range(1, count + 1), 2)
    return [Result(x, o, results.get((x, o), DRAW)) for x, o in pairs]


def ranks(table: Sequence[TournamentStanding]) -> list[tuple[int, int | None]]:
    return [(each.seat, each.rank) for each in table]


def of(table: Sequence[TournamentStanding], seat: int) -> TournamentStanding:
    return next(each for each in table if each.seat == seat)


def test_before_any_game_all_share_the_first_place() -> None:
    unplayed = [Result(x, o) for x, o in permutations((1, 2, 3), 2)]
    table = standings([1, 2, 3], unplayed)
    assert ranks(table) == [(1, 1), (2, 1), (3, 1)]
    assert [(each.played, each.to_play) for each in table] == [(0, 4)] * 3


def test_sonneborn_berger_weighs_points_by_the_opponents_total() -> None:
    results = [Result(1, 2, WIN), Result(3, 1, WIN), Result(2, 3, DRAW), Result(3, 2, LOSS)]
    table = standings([1, 2, 3], results)
    assert {each.seat: each.points for each in table} == {1: 1.0, 2: 1.5, 3: 1.5}
    assert {each.seat: each.sonneborn_berger for each in table} == {
        1: 1 * 1.5,
        2: 0.5 * 1.5 + 1 * 1.5,
        3: 1 * 1.0 + 0.5 * 1.5,
    }
    assert ranks(table) == [(2, 1), (3, 2), (1, 3)]


def test_in_quantum_a_second_line_weighs_half() -> None:
    no_line = (0.0, 0.0)
    results = [Result(1, 2, SECOND_LINE), Result(2, 3, no_line), Result(3, 1, (0.5, 1.0))]
    table = standings([1, 2, 3], results)
    assert [(each.seat, each.points, each.wins) for each in table] == [
        (1, 2.0, 2),
        (2, 0.5, 0),
        (3, 0.5, 0),
    ]
    assert of(table, 1).sonneborn_berger == 1 * 0.5 + 1 * 0.5
    assert of(table, 2).sonneborn_berger == 0.5 * 2.0


def test_the_games_among_tied_players_come_before_wins() -> None:
    # 3 has beaten 2; 2 has won more games.
    results = {(1, 2): LOSS, (2, 1): LOSS, (2, 3): LOSS, (2, 4): WIN, (3, 1): LOSS}
    table = standings([1, 2, 3, 4], double_round(4, results))
    second, third = of(table, 3), of(table, 2)
    assert (second.points, second.sonneborn_berger) == (third.points, third.sonneborn_berger)
    assert (second.wins, third.wins) == (1, 2)
    assert (second.rank, third.rank) == (2, 3)


def test_players_level_in_their_own_games_are_ranked_by_wins() -> None:
    results = {(2, 3): WIN, (2, 4): LOSS, (3, 2): WIN, (4, 2): LOSS, (4, 3): LOSS}
    table = standings([1, 2, 3, 4], double_round(4, results))
    second, third = of(table, 2), of(table, 1)
    assert (second.points, second.sonneborn_berger) == (third.points, third.sonneborn_berger)
    assert (second.wins, third.wins) == (2, 0)
    assert (second.rank, third.rank) == (2, 3)


def test_players_level_in_everything_share_a_place_and_the_next_is_skipped() -> None:
    # 2, 3 and 5 have the same points and Sonneborn–Berger; 2 has lost to both others.
    won = dict.fromkeys([(1, 3), (1, 5), (2, 1), (4, 1), (5, 2)], WIN)
    lost = dict.fromkeys([(1, 2), (1, 4), (2, 3), (2, 4), (3, 1), (5, 1)], LOSS)
    table = standings(range(1, 6), double_round(5, won | lost))
    assert {(each.points, each.sonneborn_berger) for each in table[2:]} == {(3.5, 14.25)}
    assert ranks(table) == [(4, 1), (1, 2), (3, 3), (5, 3), (2, 5)]


def test_a_player_whose_results_do_not_count_comes_last_without_a_rank() -> None:
    results = {(3, 1): WIN, (3, 2): WIN, (1, 3): LOSS, (2, 3): RUNNING, (1, 2): WIN}
    table = standings([1, 2, 3], double_round(3, results), uncounted={3})
    assert ranks(table) == [(1, 1), (2, 2), (3, None)]
    assert [each.points for each in table] == [1.5, 0.5, 3.0], "shown, and not counted"
    assert of(table, 1).sonneborn_berger == 1.5 * 0.5
    assert of(table, 3).played == 3


def test_a_player_who_left_takes_no_place_and_the_others_keep_their_points() -> None:
    results = {(3, 1): WIN, (1, 3): LOSS, (2, 3): WIN, (1, 2): WIN, (2, 1): LOSS}
    table = standings([1, 2, 3], double_round(3, results), left={3})
    stayed = standings([1, 2, 3], double_round(3, results))
    assert ranks(stayed) == [(3, 1), (1, 2), (2, 3)]
    assert ranks(table) == [(1, 1), (2, 2), (3, None)]
    assert {each.seat: each.points for each in table} == {1: 2.0, 2: 1.5, 3: 2.5}
    assert of(table, 2).sonneborn_berger == of(stayed, 2).sonneborn_berger
    assert not any(each.is_tied for each in table)
    assert ranks(standings([1, 2], double_round(2, {}), uncounted={1}, left={1, 2})) == [
        (2, None),
        (1, None),
    ]


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[list[int], list[Result]]:
    count = draw(st.integers(3, 6))
    points = st.sampled_from([WIN, DRAW, LOSS, RUNNING])
    pairs = permutations(range(1, count + 1), 2)
    return list(range(1, count + 1)), [Result(x, o, draw(points)) for x, o in pairs]


@given(tournaments())
def test_every_game_that_has_ended_gives_one_point_in_all(
    played: tuple[list[int], list[Result]],
) -> None:
    seats, results = played
    ended = sum(game.points is not None for game in results)
    table = standings(seats, results)
    assert sum(each.points for each in table) == ended
    assert sum(each.played for each in table) == 2 * ended


@given(tournaments())
def test_a_higher_place_never_has_fewer_points(played: tuple[list[int], list[Result]]) -> None:
    table = standings(*played)
    for upper, lower in pairwise(table):
        level = (upper.points, upper.sonneborn_berger) == (lower.points, lower.sonneborn_berger)
        assert level or upper.rank != lower.rank
        assert (upper.points, upper.sonneborn_berger) >= (lower.points, lower.sonneborn_berger)
        if upper.rank == lower.rank:
            assert level
            assert upper.wins == lower.wins


@given(tournaments(), st.integers(1, 6))
def test_results_that_do_not_count_change_no_other_place(
    played: tuple[list[int], list[Result]], leaver: int
) -> None:
    seats, results = played
    rest = [seat for seat in seats if seat != leaver]
    without = [game for game in results if leaver not in (game.x, game.o)]
    table = standings(seats, results, uncounted={leaver})
    counted = [(each.seat, each.rank, each.points, each.sonneborn_berger) for each in table]
    alone = [
        (each.seat, each.rank, each.points, each.sonneborn_berger)
        for each in standings(rest, without)
    ]
    assert counted[: len(rest)] == alone
