"""The bot for ultimate and extreme: best-first search on an evaluation learned by self-play.

A tree grows where play is most promising, each leaf judged by the learned weights, and wins and
losses that are proven go up in it. With the same weights and the same time a move it scored about
60 % against alpha-beta search in ultimate, compiled, and more in plain Python and in extreme. Where
a depth is asked for, and in the last moves of a game, alpha-beta searches all the same.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.boards.grid import FULL
from engine.boards.local_boards import LocalBoardsPosition, name_of
from engine.bots.bot import Choice
from engine.bots.local_boards.compiled import IS_COMPILED, flat, zeros
from engine.bots.means import Timepiece
from engine.game import Side
from engine.variants import VARIANTS, variant_of
from tests.bench.frozen import kernel
from tests.bench.frozen.tables import (
    codes_of_masks,
    new_state,
    table_of,
    unpacked,
    weights_path,
)

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator
    from random import Random

    from engine.bots.means import Clock, Means
    from engine.game import Position


LOGIT = 1000
"""The kernel's units of value in a logit."""

_MEMORY_SIZE = 1 << (20 if IS_COMPILED else 17)
_TREE_SIZE = 5_000_000 if IS_COMPILED else 300_000
_UNLIMITED = 1 << 60
_FULL_WIDTH = 20
"""With at most this many moves left, no line of play is searched less deeply than the others."""


@cache
def _tree() -> tuple[Any, Any]:
    """Return the room for a tree: one for all, since a process thinks of one game at a time."""
    return zeros(_TREE_SIZE * kernel.NODE, "i"), zeros(_TREE_SIZE * kernel.WORTH, "d")


@dataclass(frozen=True)
class Root:
    """A position as the kernel's arguments, from `score` on."""

    score: int
    key: int
    sent: int
    mark: int
    bonus: int
    x_boards: int
    o_boards: int
    closed: int
    first: int
    second: int


@dataclass(frozen=True)
class Tried:
    """A move at the root of a tree: its visits, what they brought, and 1 or -1 if it is proven."""

    move: int
    visits: int
    worth: float
    proven: int


class Board:
    """The kernel's arrays for one variant, and the position that they hold at the moment."""

    def __init__(self, weights: array[int], count: int, memory_size: int = _MEMORY_SIZE) -> None:
        """Take the weights of a variant and the number of its local boards, 9 or 18."""
        self.table = flat(table_of(weights), "i")
        self.state = flat(new_state(count, memory_size), "q")
        self.memory = zeros(2 * memory_size, "q")
        self.count = count
        self._sizes = zeros(1, "q")
        self._nothing = 0 if IS_COMPILED else [0] * 2 * memory_size

    def forget(self) -> None:
        """Forget what was found of positions met before."""
        self.memory[:] = self._nothing
        for at in range(kernel.HISTORY, kernel.KEYS):
            self.state[at] = 0

    def set_up(self, position: LocalBoardsPosition) -> Root:
        """Put up a position that is not over and return the search's arguments for it."""
        state, table = self.state, self.table
        codes = codes_of_masks()
        key = 0
        for board in range(self.count):
            x, o = position.x >> 9 * board & FULL, position.o >> 9 * board & FULL
            code = codes[x] + 2 * codes[o]
            state[kernel.CODE + board] = code
            state[kernel.KIND + board] = table[kernel.CLASS + code]
            for place in range(9):
                for side, mask in enumerate((x, o)):
                    if mask >> place & 1:
                        key ^= state[kernel.KEYS + 2 * (9 * board + place) + side]
        bonus = int(position.bonus)
        mark = 1 if position.turn is Side.X else 2
        sent = _sent(position.allowed, position.closed, self.count)
        key ^= state[kernel.KEY_SENT + sent]
        if mark == 2:
            key ^= state[kernel.KEY_O]
        if bonus:
            key ^= state[kernel.KEY_BONUS]
        return Root(
            int(kernel.whole(table, state)), key, sent, mark, bonus,
            position.x_boards, position.o_boards, position.closed,
            *(
                int(
                    kernel.stakes(
                        table,
                        state,
                        position.x_boards >> big & FULL,
                        position.o_boards >> big & FULL,
                        position.closed >> big & FULL,
                    )
                )
                for big in (0, 9)
            ),
        )  # fmt: skip

    def search(self, root: Root, depth: int) -> int:
        """Return the root's value for the side to move; the best move is left in the state."""
        value = kernel.search(
            self.table, self.state, self.memory, depth, 0, -kernel.WIN, kernel.WIN,
            root.score, root.key, root.sent, root.mark, root.bonus,
            root.x_boards, root.o_boards, root.closed, root.first, root.second,
        )  # fmt: skip
        return int(value)

    def grow(self, root: Root) -> int:
        """Grow a tree from the root; return 1 where the side to move wins, -1 loses, 0 open."""
        nodes, worths = _tree()
        proven = kernel.grow(
            self.table, self.state, self._sizes, nodes, worths,
            root.score, root.sent, root.mark, root.bonus,
            root.x_boards, root.o_boards, root.closed, root.first, root.second,
        )  # fmt: skip
        return int(proven)

    def tried(self) -> list[Tried]:
        """Return the root's moves as the tree knows them, that of the most visits first."""
        nodes, worths = _tree()
        first = int(nodes[kernel.FIRST_CHILD])
        moves = []
        for child in range(first, first + int(nodes[kernel.HOW_MANY])):
            visits = int(nodes[kernel.NODE * child + kernel.VISITS])
            total = float(worths[kernel.WORTH * child + kernel.TOTAL])
            moves.append(
                Tried(
                    int(nodes[kernel.NODE * child + kernel.MOVE]),
                    visits,
                    total / max(visits, 1),
                    int(nodes[kernel.NODE * child + kernel.PROVEN]),
                )
            )
        return sorted(moves, key=lambda move: (-move.visits, -move.worth))


def _sent(allowed: int, closed: int, count: int) -> int:
    """Return the place that the last move named, or ANY where every open board is allowed."""
    if allowed == (1 << count) - 1 & ~closed:
        # One open place left is the same however the opponent came to be sent there.
        return kernel.ANY
    return ((allowed | allowed >> 9) & FULL).bit_length() - 1


def board_count(variant: str) -> int:
    """Return how many local boards "ultimate" or "extreme" has."""
    start = VARIANTS[variant].start
    if not isinstance(start, LocalBoardsPosition):
        raise TypeError(f"{variant} is not played on local boards")
    return start.board_count


@cache
def board_of(variant: str) -> Board:
    """Return the board of "ultimate" or "extreme" with the weights that were learned for it."""
    return Board(unpacked(weights_path(variant).read_bytes()), board_count(variant))


@dataclass(frozen=True)
class BoardsBot:
    """Plays ultimate and extreme.

    `nodes` limits how many positions it looks into, and `depth`, where it is given, how many moves
    ahead: with time enough for either the same seed plays the same game. `noise` is by how much it
    misjudges its moves at most, in logits, while fewer than `opening` cells are taken: by default
    just enough that openings vary. `slips` is how often it plays any move at all.
    """

    nodes: int = _UNLIMITED
    depth: int | None = None
    noise: float = 0.15
    opening: int = 6
    slips: float = 0.0
    clock: Clock = Timepiece.WALL

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        """Return the best move found in the time; of a position of ultimate or of extreme."""
        if not isinstance(position, LocalBoardsPosition):
            raise TypeError(f"{type(position).__name__} is neither of ultimate nor of extreme")
        if self.slips and rng.random() < self.slips:
            return Choice(rng.choice(list(position.legal_moves())), 0.5)
        board = board_of(variant_of(position).key)
        root = board.set_up(position)
        noise = self.noise if (position.x | position.o).bit_count() < self.opening else 0.0
        board.state[kernel.STOP] = board.state[kernel.NODES] = 0
        for move in range(9 * board.count):
            board.state[kernel.JITTER + move] = round(noise * LOGIT * rng.random())
        with _alarm(board, seconds, self.clock):
            left = _left(position, board.count)
            if self.depth is None and left > _FULL_WIDTH:
                return self._most_visited(board, root, noise, rng)
            return self._deepest(board, root, left, exact=not noise)

    def _most_visited(self, board: Board, root: Root, noise: float, rng: Random) -> Choice:
        board.state[kernel.LIMIT] = self.nodes
        proven = board.grow(root)
        tried = board.tried()
        hopeful = [move for move in tried if move.proven >= 0] or tried
        # A logit is a quarter of the chance to win where the game is even.
        worths = {move: move.worth + noise / 4 * rng.random() for move in hopeful}
        known = [move for move in hopeful if 10 * move.visits >= hopeful[0].visits]
        best = max(known, key=worths.__getitem__) if noise else hopeful[0]
        for move in hopeful:
            if move.proven == 1:
                best = move
        return Choice(
            name_of(*divmod(best.move, 9)),
            (1 + proven) / 2 if proven else best.worth,
            is_exact=proven != 0,
            simulations=int(board.state[kernel.NODES]),
        )

    def _deepest(self, board: Board, root: Root, left: int, *, exact: bool) -> Choice:
        state = board.state
        board.forget()
        deepest = left if self.depth is None else min(left, self.depth)
        state[kernel.REDUCING] = int(left > _FULL_WIDTH)
        move, value, depth = _deepened(board, root, self.nodes, deepest)
        is_exact = abs(value) == kernel.WIN or (depth == left <= _FULL_WIDTH and exact)
        return Choice(
            name_of(*divmod(move, 9)),
            (1 + (value > 0) - (value < 0)) / 2 if is_exact else float(kernel.share(value)),
            is_exact,
            simulations=int(state[kernel.NODES]),
        )


@contextmanager
def _alarm(board: Board, seconds: float, clock: Clock) -> Iterator[None]:
    """Stop the board's search after `seconds` by the clock, unless it has ended by then."""
    state, deadline, ended = board.state, clock() + seconds, threading.Event()

    def watch() -> None:
        while (left := deadline - clock()) > 0:
            if ended.wait(min(max(left, 0.001), threading.TIMEOUT_MAX)):
                return
        state[kernel.STOP] = 1

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _left(position: LocalBoardsPosition, count: int) -> int:
    """Return how many moves the game can still take at most."""
    taken = position.x | position.o
    return sum(
        9 - (taken >> 9 * board & FULL).bit_count()
        for board in range(count)
        if not position.closed >> board & 1
    )


def _deepened(board: Board, root: Root, nodes: int, deepest: int) -> tuple[int, int, int]:
    """Search ever deeper and return the best move, its value and the depth reached.

    The first depth is always finished. A move of the last depth counts though it was stopped.
    """
    state = board.state
    state[kernel.BEST] = -1
    state[kernel.LIMIT] = nodes
    value, best, depth = board.search(root, 1), int(state[kernel.BEST]), 1
    while depth < deepest and abs(value) < kernel.WIN:
        deeper = board.search(root, depth + 1)
        if state[kernel.STOP]:
            return int(state[kernel.BEST]), value, depth
        # Every move loses: the one that seemed best so far holds out longest.
        best = best if deeper == -kernel.WIN else int(state[kernel.BEST])
        value = deeper
        depth += 1
    return best, value, depth


class FrozenMaster(BoardsBot):
    """The master, by a name for the arena; only its clock is new."""

    def with_means(self, means: Means) -> FrozenMaster:
        """Return the same bot with another clock; its tree is as large as it ever was."""
        return replace(self, clock=means.clock)
