"""The standings of a tournament: pure functions from results to a table.

Players are ranked by their points: 1, ½ or 0 a game, and in quantum 1 to ½ if both have a line.
Ties are broken by Sonneborn–Berger, then by the games among those who are tied, then by the number
of games won; players who are still tied share a place.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Result:
    """A game between the seats `x` and `o`, and its points; None while it is being played."""

    x: int
    o: int
    points: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """The row of a seat in the standings.

    `rank` is 1 for the first place, and the same for all who share a place. It is None for a player
    who left; the `points` are still those of the games. The results of one who left so early that
    none of them count have `counts` False. It `is_tied` if others have as many points, so that the
    tie-breaks rank them.
    """

    seat: int
    rank: int | None
    points: float
    is_tied: bool
    sonneborn_berger: float
    wins: int
    played: int
    to_play: int
    counts: bool = True


def standings(
    seats: Iterable[int],
    results: Iterable[Result],
    uncounted: Collection[int] = (),
    left: Collection[int] = (),
) -> Sequence[TournamentStanding]:
    """Return the standings, the first place first; the order of the arguments does not matter.

    The seats in `left` have no rank: they come after those that have one, and their games count for
    the others. Games against the seats in `uncounted` count for nobody, and these come last. That
    is FIDE's rule for players who leave a round robin with fewer than half of the games completed
    (Handbook, C.06: FIDE Tournament Rules, V.4). Of the tie-breaks, its Tie-Break Regulations
    (C.07) have the direct encounter in article 6 and Sonneborn–Berger in article 9.
    """
    numbers = sorted(set(seats))
    games = list(results)
    counted = [game for game in games if game.x not in uncounted and game.o not in uncounted]
    totals = {seat: points_of(seat, counted) for seat in numbers}
    ranked = [seat for seat in numbers if seat not in uncounted and seat not in left]
    scores = Counter(totals[seat] for seat in ranked)
    berger = {seat: sonneborn_berger(seat, counted, totals) for seat in numbers}
    wins = {seat: _wins_of(seat, counted) for seat in numbers}

    def standing(seat: int, rank: int | None) -> TournamentStanding:
        own = [game for game in games if seat in (game.x, game.o)]
        played = sum(game.points is not None for game in own)
        return TournamentStanding(
            seat=seat,
            rank=rank,
            points=points_of(seat, games) if seat in uncounted else totals[seat],
            is_tied=rank is not None and scores[totals[seat]] > 1 and totals[seat] > 0,
            sonneborn_berger=berger[seat],
            wins=wins[seat],
            played=played,
            to_play=len(own) - played,
            counts=seat not in uncounted,
        )

    table, rank = [], 1
    for tied in _grouped(ranked, lambda seat: (totals[seat], berger[seat])):
        for sharing in _split_tie(tied, counted, wins):
            table += [standing(seat, rank) for seat in sharing]
            rank += len(sharing)
    unranked = [seat for seat in numbers if seat not in ranked]
    last = sorted(unranked, key=lambda seat: (seat in uncounted, -totals[seat]))
    return [*table, *(standing(seat, None) for seat in last)]


def points_of(seat: int, results: Iterable[Result]) -> float:
    """Return a seat's points from the games that have ended.

    >>> points_of(1, [Result(1, 2, (1, 0)), Result(2, 1, (1, 0.5)), Result(1, 3)])
    1.5
    """
    return sum((own for own, _, _ in _ended_games(seat, results)), start=0.0)


def sonneborn_berger(seat: int, results: Iterable[Result], totals: dict[int, float]) -> float:
    """Return the sum, over a seat's games, of its points times the opponent's total.

    For games worth one point that is the usual definition: the total of each opponent who was
    beaten, and half the total of each who drew. In quantum a second line weighs ½, as a draw does
    elsewhere, and a draw, which gives no points, weighs nothing.

    >>> sonneborn_berger(1, [Result(1, 2, (1, 0)), Result(2, 1, (0.5, 0.5))], {1: 1.5, 2: 0.5})
    0.75
    """
    games = _ended_games(seat, results)
    return sum((own * totals[opponent] for own, _, opponent in games), start=0.0)


def _ended_games(seat: int, results: Iterable[Result]) -> Sequence[tuple[float, float, int]]:
    """Return a seat's games that have ended: its points, the opponent's, and the opponent."""
    ended = [(game, *game.points) for game in results if game.points is not None]
    as_x = [(x_points, o_points, game.o) for game, x_points, o_points in ended if game.x == seat]
    as_o = [(o_points, x_points, game.x) for game, x_points, o_points in ended if game.o == seat]
    return [*as_x, *as_o]


def _wins_of(seat: int, results: Iterable[Result]) -> int:
    return sum(own > other for own, other, _ in _ended_games(seat, results))


def _split_tie(
    tied: Sequence[int], results: Sequence[Result], wins: dict[int, int]
) -> Sequence[Sequence[int]]:
    """Split seats that are tied by the games among them, over and over, and at last by wins."""
    among = [game for game in results if game.x in tied and game.o in tied]
    groups = _grouped(tied, lambda seat: points_of(seat, among))
    if len(groups) == 1:
        return _grouped(tied, lambda seat: wins[seat])
    return [part for group in groups for part in _split_tie(group, results, wins)]


def _grouped(seats: Sequence[int], key: Callable[[int], Any]) -> Sequence[Sequence[int]]:
    """Return the seats in groups of the same key, the highest first, otherwise in their order."""
    return [list(group) for _, group in groupby(sorted(seats, key=key, reverse=True), key)]
