"""Positions of tinc that may make puzzles: from games of careless bots, and laid out with a plan.

Bots see a line that one turn makes ready as soon as it is there, so their games hardly ever have
the position a turn earlier. Those are laid out: some lines that cross are filled up to what a turn
can add, the other side's symbols are put where they are not in the way, and then turns are sought
that lead there.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from random import Random

from engine.boards.lines_across import COLUMN, FALLING, RISING, ROW, Line, cells_of, lines_through
from engine.boards.symbols import Symbols
from engine.bots.solvers.tinc import TincBot
from engine.cells import Cell
from engine.game import Side
from engine.puzzles.tinc_lines import A_TURN, Lines, stops
from engine.variants.tinc import TincPosition

_START = TincPosition(Side.X, 0, Symbols(), None, ())

_LONGEST = 40
"""The number of turns after which a game is left unfinished."""

_SMALLEST, _LARGEST = 2, 4
"""The sizes of the grids in which positions are laid out: from 5×5 to 9×9."""

_OF_GAMES = 0.02
"""The share of attempts that are games, of which more have a promising position."""

_OF_HOLDING, _OF_FORKS = 0.02, 0.3
"""The shares of positions that have lines ready against the solver, or lack a fork."""


def positions(_variant: str, rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield, without ever ending, the turns to positions of tinc that may make puzzles."""
    while True:
        if rng.random() < _OF_GAMES:
            yield from _positions_of_game(rng)
        else:
            yield from _laid_out(rng)


def _positions_of_game(rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield one promising position of a game, if it has one."""
    bot = TincBot(overlooks=rng.uniform(0.3, 0.9), forgets=rng.uniform(0.3, 0.9))
    position, turns = _START, list[str]()
    found: list[tuple[str, ...]] = []
    while position.outcome is None and len(turns) < _LONGEST and position.reach <= _LARGEST:
        if _is_promising(position):
            found.append(tuple(turns))
        turns.append(bot.choose(position, 0, rng).move)
        position = position.play(turns[-1])
    if found:
        yield rng.choice(found)


def _laid_out(rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield the turns to a position that was laid out, if turns lead there and it is promising."""
    near = rng.randint(_SMALLEST, _LARGEST) - 1
    side = rng.choice(list(Side))
    own, theirs = _plan(near, rng)
    owners = dict.fromkeys(own, side) | dict.fromkeys(theirs, side.other)
    owners[0, 0] = Side.X
    if _is_promising(TincPosition(side, near + 1, Symbols(owners), None, ())):
        turns = _history(owners, near, side, rng)
        if turns is not None:
            yield turns


def _is_promising(position: TincPosition) -> bool:
    """Return, quicker than a proof, whether a position may make a puzzle; most do not."""
    if position.reach < _SMALLEST:
        return False
    own, theirs = Lines(position, position.turn), Lines(position, position.turn.other)
    if own.ready:
        return len(own.ready) == 1
    if theirs.ready:
        return len(theirs.ready) == A_TURN
    if own.short:
        return _right_turns(own, _is_fork) == 1 or _right_turns(own, _is_ready) == 1
    return _right_turns(own, _is_more_than_can_be_stopped) == 1


def _is_fork(gaps: Sequence[frozenset[Cell]]) -> bool:
    return sum(not each for each in gaps) > A_TURN


def _is_ready(gaps: Sequence[frozenset[Cell]]) -> bool:
    return any(not each for each in gaps)


def _is_more_than_can_be_stopped(gaps: Sequence[frozenset[Cell]]) -> bool:
    short = [each for each in gaps if len(each) <= A_TURN]
    return len(short) > A_TURN and stops(short) is None


def _right_turns(own: Lines, judge: Callable[[Sequence[frozenset[Cell]]], bool]) -> int:
    """Return how many turns inside do what is asked, 2 or more for more than one.

    The judge is given the gaps that the solver's lines have after a turn. Cells that are in no gap
    make no difference.
    """
    mine = [own.gaps(line) for line in own.lacking(1, 2 * A_TURN)]
    cells = sorted({cell for gaps in mine for cell in gaps})
    found = 0
    for count in (1, A_TURN):
        for turn in combinations(cells, count):
            if judge([gaps.difference(turn) for gaps in mine]):
                found += 3 - count  # one symbol that does it leaves the other to choose
                if found > 1:
                    return found
    return found


def _plan(near: int, rng: Random) -> tuple[set[Cell], set[Cell]]:
    """Return the cells of the solver and of the other side in a grid whose inside reaches this far.

    Either the other side has two lines ready, or the solver has lines through one cell or two that
    lack these and up to two cells more.
    """
    numbers = range(-near, near + 1)
    inside = [*product(numbers, numbers)]
    own: set[Cell]
    kind = rng.random()
    if kind < _OF_HOLDING:
        theirs = {cell for line in rng.sample(_lines(near), 2) for cell in cells_of(line, near)}
        own = {cell for cell in inside if cell not in theirs and rng.random() < 0.5}
        return own, theirs
    spared = 0 if kind < _OF_HOLDING + _OF_FORKS else A_TURN
    turn = rng.sample(inside, A_TURN)
    lines = {line for cell in turn for line in lines_through(cell)}
    gaps = {*turn}
    own = set()
    for line in rng.sample(sorted(lines), min(len(lines), rng.randint(3, 5))):
        cells = cells_of(line, near)
        others = [cell for cell in cells if cell not in gaps]
        gaps |= {*rng.sample(others, min(len(others), spared))}
        own |= {*cells}
    own -= gaps
    free = [cell for cell in inside if cell not in own and cell not in gaps]
    return own, {*rng.sample(free, min(len(free), max(1, len(own) + rng.randint(-3, 1))))}


def _lines(near: int) -> Sequence[Line]:
    numbers = range(-near, near + 1)
    straight = [(direction, number) for direction in (ROW, COLUMN) for number in numbers]
    return [*straight, (FALLING, 0), (RISING, 0)]


def _history(
    owners: dict[Cell, Side], near: int, side: Side, rng: Random
) -> tuple[str, ...] | None:
    """Return turns that lead to these symbols, inside a grid's edge, and to a turn of `side`.

    There are none if a ring of the grid has no symbols, or one side has too many.
    """
    waiting = {each: [cell for cell, owner in owners.items() if owner is each] for each in Side}
    waiting[Side.X].remove((0, 0))
    for cells in waiting.values():
        rng.shuffle(cells)
    position = _START.play("a1")
    turns = ["a1"]
    while any(waiting.values()):
        reach, turn = position.reach, position.turn
        can = [cell for cell in waiting[turn] if max(map(abs, cell)) <= reach]
        count = _share(waiting, turn, rng)
        if reach <= near:  # somebody has to make the grid grow
            can.sort(key=lambda cell: max(map(abs, cell)) < reach)
        if not can:
            return None
        chosen = can[:count]
        waiting[turn] = [cell for cell in waiting[turn] if cell not in chosen]
        turns.append(position.turn_in(chosen))
        position = position.play(turns[-1])
        if position.outcome is not None:
            return None
    if position.turn is not side or position.reach != near + 1:
        return None
    return tuple(turns)


def _share(waiting: dict[Side, list[Cell]], turn: Side, rng: Random) -> int:
    """Return how many symbols a side places, so that both come to an end at the same time."""
    own, others = len(waiting[turn]), len(waiting[turn.other])
    if own > others:
        return A_TURN
    if own < others:
        return 1
    return rng.randint(1, A_TURN)
