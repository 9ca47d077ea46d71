"""Who stands where in a tournament: pure functions from results to a table.

Players stand by their points, as the games gave them: 1, ½ or 0, and in quantum 1 to ½ where both
have a line. Who have as many stand by Sonneborn–Berger, then by the games among themselves, then by
how many games they won; who are level even then share a place.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence


@dataclass(frozen=True)
class Result:
    """A game of a tournament, between the seats `x` and `o`; `points` is None while it goes on."""

    x: int
    o: int
    points: tuple[float, float] | None = None


@dataclass(frozen=True)
class TournamentStanding:
    """How a seat stands.

    `rank` is 1 for the first, the same for all who share a place, and None for a player who left
    so early that no results count; then `points` are told all the same.
    """

    seat: int
    rank: int | None
    points: float
    sonneborn_berger: float
    wins: int
    played: int
    to_play: int


def standings(
    seats: Iterable[int], results: Iterable[Result], uncounted: Collection[int] = ()
) -> Sequence[TournamentStanding]:
    """Return how the seats stand, the first first; the order of what comes in changes nothing.

    Games against the seats in `uncounted` count for nobody, and these stand last, without a rank:
    so FIDE treats who leaves a round robin with fewer than half of the games completed (Handbook,
    C.06: FIDE Tournament Rules, V.4). Of the ways to break ties, its Tie-Break Regulations (C.07)
    have the direct encounter in article 6 and Sonneborn–Berger in article 9.
    """
    every = sorted(set(seats))
    games = list(results)
    counted = [game for game in games if game.x not in uncounted and game.o not in uncounted]
    totals = {seat: points_of(seat, counted) for seat in every}
    berger = {seat: sonneborn_berger(seat, counted, totals) for seat in every}
    wins = {seat: _wins_of(seat, counted) for seat in every}

    def standing(seat: int, rank: int | None) -> TournamentStanding:
        own = [game for game in games if seat in (game.x, game.o)]
        played = sum(game.points is not None for game in own)
        return TournamentStanding(
            seat=seat,
            rank=rank,
            points=totals[seat] if rank is not None else points_of(seat, games),
            sonneborn_berger=berger[seat],
            wins=wins[seat],
            played=played,
            to_play=len(own) - played,
        )

    ranked = [seat for seat in every if seat not in uncounted]
    table, rank = [], 1
    for first in _grouped(ranked, lambda seat: (totals[seat], berger[seat])):
        for level in _by_direct_encounter(first, counted, wins):
            table += [standing(seat, rank) for seat in level]
            rank += len(level)
    return [*table, *(standing(seat, None) for seat in every if seat in uncounted)]


def points_of(seat: int, results: Iterable[Result]) -> float:
    """Return a seat's points from its games that have ended.

    >>> points_of(1, [Result(1, 2, (1, 0)), Result(2, 1, (1, 0.5)), Result(1, 3)])
    1.5
    """
    return sum((own for own, _ in _scores(seat, results)), start=0.0)


def sonneborn_berger(seat: int, results: Iterable[Result], totals: dict[int, float]) -> float:
    """Return the sum, over a seat's games, of what it scored there times the opponent's total.

    That is the definition for games worth one point: the whole total of whoever was beaten, half of
    that of whoever was drawn with. A second line of quantum weighs ½, as a draw does; a draw there,
    which gives no points, weighs nothing.

    >>> sonneborn_berger(1, [Result(1, 2, (1, 0)), Result(2, 1, (0.5, 0.5))], {1: 1.5, 2: 0.5})
    0.75
    """
    return sum((own * totals[opponent] for own, opponent in _scores(seat, results)), start=0.0)


def winners(table: Sequence[TournamentStanding]) -> Sequence[TournamentStanding]:
    """Return who has, or who share, the first place."""
    return [each for each in table if each.rank == 1]


def _scores(seat: int, results: Iterable[Result]) -> Sequence[tuple[float, int]]:
    ended = [(game, game.points) for game in results if game.points is not None]
    as_x = [(points[0], game.o) for game, points in ended if game.x == seat]
    return [*as_x, *((points[1], game.x) for game, points in ended if game.o == seat)]


def _wins_of(seat: int, results: Iterable[Result]) -> int:
    ended = [(game, game.points) for game in results if game.points is not None]
    as_x = sum(game.x == seat and points[0] > points[1] for game, points in ended)
    return as_x + sum(game.o == seat and points[1] > points[0] for game, points in ended)


def _by_direct_encounter(
    level: Sequence[int], results: Sequence[Result], wins: dict[int, int]
) -> Sequence[Sequence[int]]:
    """Split who are level by the games among them, again among those who are level then."""
    among = [game for game in results if game.x in level and game.o in level]
    groups = _grouped(level, lambda seat: points_of(seat, among))
    if len(groups) == 1:
        return _grouped(level, lambda seat: wins[seat])
    return [part for group in groups for part in _by_direct_encounter(group, results, wins)]


def _grouped(seats: Sequence[int], key: Callable[[int], Any]) -> Sequence[Sequence[int]]:
    # The highest first; who are level stay in the order that they came in.
    return [list(group) for _, group in groupby(sorted(seats, key=key, reverse=True), key)]
