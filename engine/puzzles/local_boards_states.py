"""Compact positions of ultimate and extreme for a proof search, equal if equivalent.

Of a local board a search needs to know only what can still become of it: its empty places, and
which of them, filled by one side, complete a line. Boards alike in that are one kind here. A closed
board is of the kind CLOSED, and its winner is stored only while a line of big boards can still be
made with it. So a state represents many positions that differ by the rules.

Sides are 0 for X and 1 for O; sets of local boards are bitmasks, as in the positions of the rules.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from engine.boards.grid import FULL, HAS_LINE, LINE_MASKS, places
from engine.boards.local_boards import LocalBoardsPosition, name_of
from engine.game import Side

CLOSED = 0
"""The kind of every local board that is closed to play."""

WON = -1
"""The kind of a won local board, by the winning mark; a full board becomes CLOSED."""

KIND_BITS = 14
_KIND = (1 << KIND_BITS) - 1
ENDLESS = 99
"""More marks than any board takes: the cost of winning for a side that cannot."""


class Kinds(NamedTuple):
    """The kinds of local boards, each a number, with their properties.

    Attributes:
        numbers: the kind of a local board that is not closed, by X's marks and O's.
        moves: for each side and kind, the places it may mark, and the kind that this makes.
        counts: how many places are empty.
        needed: for each side, how few of its marks win a board of the kind.
    """

    numbers: dict[tuple[int, int], int]
    moves: tuple[list[tuple[tuple[int, int], ...]], list[tuple[tuple[int, int], ...]]]
    counts: list[int]
    needed: tuple[list[int], list[int]]


@cache
def kinds() -> Kinds:
    """Return the kinds of local boards."""
    alike: dict[object, int] = {}
    numbers: dict[tuple[int, int], int] = {}
    examples: list[tuple[int, int]] = [(FULL, 0)]
    needed: tuple[list[int], list[int]] = ([ENDLESS], [ENDLESS])
    for x, o in _open_boards():
        ways = _ways(x, o), _ways(o, x)
        kind = alike.setdefault((x | o, ways), len(examples))
        if kind == len(examples):
            examples.append((x, o))
            for side in (0, 1):
                needed[side].append(min((way.bit_count() for way in ways[side]), default=ENDLESS))
        numbers[x, o] = kind
    moves = tuple(
        [tuple(_moves(x, o, side, numbers)) if x != FULL else () for x, o in examples]
        for side in (0, 1)
    )
    counts = [9 - (x | o).bit_count() for x, o in examples]
    return Kinds(numbers, (moves[0], moves[1]), counts, needed)


def _open_boards() -> Iterator[tuple[int, int]]:
    """Yield both sides' marks of every local board that nobody has won and that is not full."""
    for x in range(FULL):
        rest = o = FULL & ~x
        while not HAS_LINE[x]:
            if not HAS_LINE[o] and x | o != FULL:
                yield x, o
            if not o:
                break
            o = o - 1 & rest


def _ways(own: int, theirs: int) -> frozenset[int]:
    """Return the least sets of empty places that complete a line."""
    ways = {line & ~own for line in LINE_MASKS if not line & theirs}
    return frozenset(way for way in ways if not any(less != way == less | way for less in ways))


def _moves(
    x: int, o: int, side: int, numbers: dict[tuple[int, int], int]
) -> Iterator[tuple[int, int]]:
    for place in places(FULL & ~(x | o)):
        after = (x, o | 1 << place) if side else (x | 1 << place, o)
        if HAS_LINE[after[side]]:
            yield place, WON
        else:
            yield place, numbers.get(after, CLOSED)


@cache
def _alive(own: int, closed: int) -> int:
    """Return the boards of one big board that lie on a line which their owner can still make.

    `own` are the boards that this side has won there, `closed` all that are closed.
    """
    barred = closed & ~own
    alive = 0
    for line in LINE_MASKS:
        if not line & barred:
            alive |= line
    return alive


@cache
def _last_missing(own: int, closed: int) -> int:
    """Return the open boards of one big board that would be this side's third in a row."""
    return sum(
        1 << board for board in range(9) if not closed >> board & 1 and HAS_LINE[own | 1 << board]
    )


class State(NamedTuple):
    """A position, and the key by which those that are alike are one.

    Attributes:
        boards: the kind of each local board, KIND_BITS each.
        x_boards: the boards that X has won, if a line can still be made with them.
        o_boards: O's, likewise.
        closed: the closed boards.
        allowed: where the side to move may play.
        mover: the side to move.
        bonus: 1 if the next move is a bonus move.
    """

    boards: int
    x_boards: int
    o_boards: int
    closed: int
    allowed: int
    mover: int
    bonus: int


class Rules:
    """The rules of ultimate (nine local boards) or of extreme (eighteen), on states."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.everything = (1 << count) - 1
        if count == 9:
            self.destinations: Sequence[int] = tuple(1 << place for place in range(9))
        else:
            self.destinations = tuple(1 << place | 1 << 9 + place for place in range(9))

    def state_of(self, position: LocalBoardsPosition) -> State:
        """Return the state of a position that is not over."""
        known = kinds().numbers
        boards = 0
        for board in range(self.count):
            if not position.closed >> board & 1:
                x, o = position.x >> 9 * board & FULL, position.o >> 9 * board & FULL
                boards |= known[x, o] << KIND_BITS * board
        x_boards, o_boards = self._useful(position.x_boards, position.o_boards, position.closed)
        mover = 0 if position.turn is Side.X else 1
        return State(
            boards, x_boards, o_boards, position.closed, position.allowed, mover, position.bonus
        )

    def _useful(self, x_boards: int, o_boards: int, closed: int) -> tuple[int, int]:
        """Return the won boards with which a line can still be made."""
        x_alive = _alive(x_boards & FULL, closed & FULL)
        o_alive = _alive(o_boards & FULL, closed & FULL)
        if self.count == 18:
            x_alive |= _alive(x_boards >> 9, closed >> 9) << 9
            o_alive |= _alive(o_boards >> 9, closed >> 9) << 9
        return x_boards & x_alive, o_boards & o_alive

    def can_make_line(self, state: State, side: int) -> bool:
        """Return whether a side can still make a line of local boards, given the closed ones."""
        own = state.o_boards if side else state.x_boards
        if _alive(own & FULL, state.closed & FULL):
            return True
        return self.count == 18 and _alive(own >> 9, state.closed >> 9) != 0

    def winning_boards(self, state: State) -> int:
        """Return the allowed boards in which the side to move ends the game with one mark."""
        own = state.o_boards if state.mover else state.x_boards
        last = _last_missing(own & FULL, state.closed & FULL)
        if self.count == 18:
            last |= _last_missing(own >> 9, state.closed >> 9) << 9
        last &= state.allowed
        if not last:
            return 0
        needed = kinds().needed[state.mover]
        winning = 0
        while last:
            board = last.bit_length() - 1
            last ^= 1 << board
            if needed[state.boards >> KIND_BITS * board & _KIND] == 1:
                winning |= 1 << board
        return winning

    def after(self, state: State) -> Iterator[tuple[int, State | None]]:
        """Yield every move of a state that is not over, and the resulting state; None for a draw.

        A move is nine times its board and its place. No move that ends the game by a line may be
        there: `winning_boards` finds those.
        """
        boards, x_boards, o_boards, closed, allowed, mover, bonus = state
        moves = kinds().moves[mover]
        everything, destinations = self.everything, self.destinations
        is_two = self.count == 18
        for board in range(self.count):
            if not allowed >> board & 1:
                continue
            shift = KIND_BITS * board
            kind = boards >> shift & _KIND
            without = boards ^ kind << shift
            for place, becomes in moves[kind]:
                again = 0
                if becomes > CLOSED:
                    there = destinations[place] & ~closed or everything & ~closed
                    now = without | becomes << shift, x_boards, o_boards, closed
                else:
                    shut = closed | 1 << board
                    x_now, o_now = x_boards, o_boards
                    if becomes == WON:
                        if mover:
                            o_now |= 1 << board
                        else:
                            x_now |= 1 << board
                        again = int(is_two and not bonus)
                    if shut == everything:
                        yield 9 * board + place, None
                        continue
                    now = without, *self._useful(x_now, o_now, shut), shut
                    there = destinations[place] & ~shut or everything & ~shut
                yield 9 * board + place, State(*now, there, mover if again else 1 - mover, again)

    def first_winning_move(self, state: State) -> int:
        """Return a move that ends the game by a line; -1 if none does."""
        winning = self.winning_boards(state)
        if not winning:
            return -1
        board = winning.bit_length() - 1
        kind = state.boards >> KIND_BITS * board & _KIND
        return 9 * board + next(
            place for place, becomes in kinds().moves[state.mover][kind] if becomes == WON
        )

    def choices(self, state: State) -> int:
        """Return how many moves the side to move has."""
        counts = kinds().counts
        allowed, found = state.allowed, 0
        while allowed:
            board = allowed.bit_length() - 1
            allowed ^= 1 << board
            found += counts[state.boards >> KIND_BITS * board & _KIND]
        return found

    def marks_needed(self, state: State, side: int) -> int:
        """Return how many marks a side needs at least to win; ENDLESS if it cannot."""
        own = state.o_boards if side else state.x_boards
        needed = kinds().needed[side]
        best = ENDLESS
        for big in range(0, self.count, 9):
            for line in LINE_MASKS:
                cost = 0
                for board in places(line):
                    if own >> big + board & 1:
                        continue
                    if state.closed >> big + board & 1:
                        cost = ENDLESS
                        break
                    cost += needed[state.boards >> KIND_BITS * (big + board) & _KIND]
                best = min(best, cost)
        return best


@cache
def rules_of(count: int) -> Rules:
    """Return the rules of the game with this number of local boards."""
    return Rules(count)


def move_name(move: int) -> str:
    """Return the notation of a move of a state.

    >>> move_name(40)
    'e5'
    """
    return name_of(*divmod(move, 9))
