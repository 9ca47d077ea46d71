"""The standings of a tournament: pure functions from results to a table.

Players are ranked by their points: 1, ½ or 0 a game, and in quantum 1 to ½ if both have a line.
Ties are broken by Sonneborn–Berger, then by the games among tied players, then by the number of
games won; players who are still tied share a place.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from capsule.languages.numbers import score
from capsule.ui.columns import is_wide, left, right, shortened, width
from capsule.ui.render import number, shown, translate
from engine import in_context


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


MAX_COLUMNS = 64
"""The width of a table, in columns of text, unless the caller passes a smaller one."""

RUNNING = "."
"""The sign for a game that is still being played."""

DIAGONAL = "##"
"""The cell of a player against themselves."""

# Translators: Latin letters, three at the most, since Chinese ones would not stand in the column.
_POINTS = in_context("the head of a column of points", "pts")

# Translators: for Sonneborn-Berger, a tie-break; Latin letters, since Chinese ones would not stand
# in the column.
_BERGER = in_context("the head of a column of tie-breaks", "SB")

_NUMBER_WIDTH, _CELL_WIDTH, _POINTS_WIDTH = 2, 2, 3
_MIN_NAME_WIDTH = 5


def crosstable(
    table: Sequence[TournamentStanding],
    results: Iterable[Result],
    names: Mapping[int, str],
    columns: int = MAX_COLUMNS,
) -> str:
    """Return the crosstable of `table`, its results and its players' names by seat; "" if empty.

    If the table would be wider than `columns`, names are shortened; if that is not enough, the
    tie-breaks are left out, then the names, then the points. Numbers and results always stay.
    Chinese names stand at the end of their rows, since fonts make them wider or narrower.
    """
    if not table:
        return ""
    names = {seat: str(shown(name)) for seat, name in names.items()}
    points = {(game.x, game.o): game.points for game in results}
    points_head, berger_head = translate(_POINTS), translate(_BERGER)
    berger_width = max(width(berger_head), *(len(number(each.sonneborn_berger)) for each in table))
    room = columns - _NUMBER_WIDTH - len(table) * (_CELL_WIDTH + 1)
    has_points = room > _POINTS_WIDTH
    room -= _POINTS_WIDTH + 1 if has_points else 0
    has_berger = room > berger_width + 1 + _MIN_NAME_WIDTH
    room -= berger_width + 1 if has_berger else 0
    longest = max(width(names[each.seat]) for each in table)
    names_are_last = any(is_wide(names[each.seat]) for each in table)
    name_width = min(longest, room - 1) if room > min(longest, _MIN_NAME_WIDTH) else 0

    def line(place: object, name: str, cells: Iterable[str], total: str, berger: str) -> str:
        named = [left(shortened(name, name_width), name_width)] if name_width else []
        parts = [f"{place:>{_NUMBER_WIDTH}}", *([] if names_are_last else named), *cells]
        parts += [right(total, _POINTS_WIDTH)] if has_points else []
        parts += [right(berger, berger_width)] if has_berger else []
        return " ".join([*parts, *(named if names_are_last else [])]).rstrip()

    def cell(own: int, other: int) -> str:
        if own == other:
            return DIAGONAL
        as_x, as_o = points.get((own, other)), points.get((other, own))
        return _result(as_x and as_x[0]) + _result(as_o and as_o[1])

    def row(place: int, each: TournamentStanding) -> str:
        return line(
            place,
            names[each.seat],
            (cell(each.seat, other.seat) for other in table),
            score(each.points) if each.counts else "-",
            number(each.sonneborn_berger) if each.counts else "-",
        )

    places = (f"{place:>{_CELL_WIDTH}}" for place in range(1, len(table) + 1))
    head = line("", "", places, points_head, berger_head)
    return "\n".join([head, *(row(place, each) for place, each in enumerate(table, start=1))])


def _result(points: float | None) -> str:
    return RUNNING if points is None else score(points)
