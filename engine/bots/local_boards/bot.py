"""The bot for ultimate and extreme: best-first search on an evaluation learned by self-play.

A tree grows where play is most promising, each leaf judged by the learned weights, and wins and
losses that are proven go up in it. From move to move, the rest of it continues to grow. Where to
look next is decided by the mean of what visits brought and, a fifth as much, by the best line as it
looks now; `engine/bots/README.md` has the figures of other shares.

With the same weights and the same time a move, a tree scored about 60 % against alpha-beta search
in ultimate, compiled, and more in plain Python and in extreme. If a depth is asked for, and in the
last moves of a game, alpha-beta searches instead.
"""

import threading
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from engine.boards.grid import FULL
from engine.boards.local_boards import LocalBoardsPosition, name_of
from engine.bots.bot import Choice
from engine.bots.local_boards.compiled import IS_COMPILED, flat
from engine.bots.local_boards.kernel import alpha_beta, best_first, evaluation, layout
from engine.bots.local_boards.openings import chosen, openings_of
from engine.bots.local_boards.search_memory import MEMORY, SHARED_MEMORY
from engine.bots.local_boards.tables import (
    codes_of_masks,
    new_state,
    table_of,
    unpacked,
    weights_path,
)
from engine.bots.means import Clock, Means, Timepiece
from engine.game import Position, Side
from engine.variants import VARIANTS, variant_of

LOGIT = 1000
"""The kernel's units of value in a logit."""

_MEMORY_SIZE = 1 << (20 if IS_COMPILED else 17)
"""The number of positions that alpha-beta remembers, 16 bytes each if it is compiled."""

UNLIMITED = 1 << 60
"""More positions than any bot looks into."""

_GLANCE = 0.001
"""The seconds between two looks at the clock, at least, since looking takes time itself."""

_KNOWN = 5000
"""A move with fewer visits than the best one's, divided by this, is too little known to play."""

_THROUGHOUT = 1000
"""More cells than there are: a bot that misjudges moves does so throughout the game."""

_FULL_WIDTH = 20
"""With at most this many moves left, no line of play is searched less deeply than the others."""


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


class SearchBoard:
    """The kernel's arrays for one variant, and the position that they hold at the moment."""

    def __init__(self, weights: "array[int]", count: int, memory_size: int = _MEMORY_SIZE) -> None:
        """Take the weights of a variant and the number of its local boards, 9 or 18."""
        self.table = flat(table_of(weights), "i")
        self.state = flat(new_state(count, memory_size), "q")
        self.count = count

    @property
    def memory(self) -> Any:  # noqa: ANN401 - a list, or numpy's array
        """The transposition table of alpha-beta; empty if the memory has held a tree meanwhile."""
        positions = int(self.state[layout.MEMORY_MASK]) + 1
        if len(SHARED_MEMORY.transpositions) != 2 * positions:
            SHARED_MEMORY.allocate_transpositions(positions)
        return SHARED_MEMORY.transpositions

    def forget(self) -> None:
        """Forget what was found of positions met before."""
        SHARED_MEMORY.allocate_transpositions(int(self.state[layout.MEMORY_MASK]) + 1)
        for at in range(layout.HISTORY, layout.KEYS):
            self.state[at] = 0

    def set_up(self, position: LocalBoardsPosition) -> Root:
        """Set up a position that is not over and return the search's arguments for it."""
        state, table = self.state, self.table
        codes = codes_of_masks()
        key, barred = 0, evaluation.none_barred(self.count)
        for board in range(self.count):
            x, o = position.x >> 9 * board & FULL, position.o >> 9 * board & FULL
            code = codes[x] + 2 * codes[o]
            state[layout.CODE + board] = code
            state[layout.KIND + board] = table[layout.CLASS + code]
            barred |= int(table[layout.BARS + table[layout.CLASS + code]]) << board
            for place in range(9):
                for side, mask in enumerate((x, o)):
                    if mask >> place & 1:
                        key ^= state[layout.KEYS + 2 * (9 * board + place) + side]
        state[layout.BARRED] = barred
        bonus = int(position.bonus)
        mark = 1 if position.turn is Side.X else 2
        sent = _sent(position.allowed, position.closed, self.count)
        key ^= state[layout.KEY_SENT + sent]
        if mark == 2:
            key ^= state[layout.KEY_O]
        if bonus:
            key ^= state[layout.KEY_BONUS]
        return Root(
            int(evaluation.whole(table, state)), key, sent, mark, bonus,
            position.x_boards, position.o_boards, position.closed,
            *(
                int(
                    evaluation.stakes(
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

    @property
    def is_drawn(self) -> bool:
        """Whether no side can complete a line in the position that was set up."""
        return not evaluation.lines_left(self.table, self.state[layout.BARRED])

    def search(self, root: Root, depth: int) -> int:
        """Return the root's value for the side to move; the best move is left in the state."""
        value = alpha_beta.search(
            self.table, self.state, self.memory, depth, 0, -layout.WIN, layout.WIN,
            root.score, root.key, root.sent, root.mark, root.bonus,
            root.x_boards, root.o_boards, root.closed, root.first, root.second,
        )  # fmt: skip
        return int(value)

    def grow(self, root: Root) -> int:
        """Grow a tree from the root; return 1 for a win of the mover, -1 for a loss, or 0."""
        proven = best_first.grow(
            self.table, self.state, SHARED_MEMORY.sizes, SHARED_MEMORY.nodes,
            root.score, root.sent, root.mark, root.bonus,
            root.x_boards, root.o_boards, root.closed, root.first, root.second,
        )  # fmt: skip
        return int(proven)

    def tried(self) -> list[Tried]:
        """Return the root's moves as the tree knows them, that of the most visits first."""
        nodes = SHARED_MEMORY.nodes
        moves = []
        for child in SHARED_MEMORY.children(0):
            at = layout.NODE * child
            visits, facts = int(nodes[at + layout.VISITS]), int(nodes[at + layout.FACTS])
            proven = 1 if facts & layout.WON else -1 if nodes[at + layout.PRIOR] < 0 else 0
            worth = 0.0 if proven < 0 else int(nodes[at + layout.MEAN]) / layout.SURE
            moves.append(Tried(facts & layout.MOVE, visits, worth, proven))
        return sorted(moves, key=lambda move: (-move.visits, -move.worth))


def _sent(allowed: int, closed: int, count: int) -> int:
    """Return the place that the last move named, or ANY if every open board is allowed."""
    if allowed == (1 << count) - 1 & ~closed:
        # One open place left is the same however the opponent came to be sent there.
        return layout.ANY
    return ((allowed | allowed >> 9) & FULL).bit_length() - 1


def start_of(variant: str) -> LocalBoardsPosition:
    """Return the start of "ultimate" or "extreme"; TypeError for another game."""
    return LocalBoardsPosition.of(VARIANTS[variant].start)


def board_count(variant: str) -> int:
    """Return how many local boards "ultimate" or "extreme" has."""
    return start_of(variant).board_count


@cache
def board_of(variant: str) -> SearchBoard:
    """Return the board of "ultimate" or "extreme" with the weights that were learned for it."""
    return SearchBoard(unpacked(weights_path(variant).read_bytes()), board_count(variant))


@dataclass(frozen=True)
class BoardsBot:
    """Plays ultimate and extreme.

    `nodes` limits how many positions it looks into, and `depth`, if it is given, how many moves
    ahead: with time enough for either the same seed plays the same game. `noise` is the most by
    which it misjudges its moves, in logits, while fewer than `opening` cells are taken. `slips` is
    how often it plays any move at all. `clock` counts its seconds. `varies` says whether it begins
    with one of the good moves that are known, chosen at random and without thinking, or always with
    the move that it finds best.

    `memory` is how many megabytes its tree may take. When that is full, the bot forgets what it
    visited least and continues: it may think for as long as it likes. The memory is one for all
    bots of a process, as large as the thinking bot may have it. If the time alone limits it, a bot
    continues with the rest of its last move's tree, if no other bot has thought since.
    """

    nodes: int = UNLIMITED
    depth: int | None = None
    noise: float = 0.0
    opening: int = _THROUGHOUT
    slips: float = 0.0
    varies: bool = False
    clock: Clock = Timepiece.WALL
    memory: float = MEMORY

    def with_means(self, means: Means) -> "BoardsBot":
        """Return the same bot with another clock, and with another memory if the means name one."""
        memory = self.memory if means.memory is None else means.memory
        return replace(self, clock=means.clock, memory=memory)

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        """Return the best move found in the time, or at once an opening's if it is to vary.

        Raises `TypeError` for a position of another game.
        """
        position = LocalBoardsPosition.of(position)
        if self.slips and rng.random() < self.slips:
            return Choice(rng.choice(list(position.legal_moves())), 0.5)
        variant = variant_of(position).key
        if self.varies and (worths := openings_of(variant).worths(position)):
            good = chosen(worths, rng)
            return Choice(good, worths[good])
        board = board_of(variant)
        root = board.set_up(position)
        if board.is_drawn:
            return Choice(rng.choice(list(position.legal_moves())), 0.5, is_exact=True)
        noise = self.noise if (position.x | position.o).bit_count() < self.opening else 0.0
        board.state[layout.STOP] = board.state[layout.NODES] = 0
        for move in range(9 * board.count):
            board.state[layout.JITTER + move] = round(noise * LOGIT * rng.random())
        with _alarm(board, seconds, self.clock):
            left = _left(position, board.count)
            if self.depth is None and left > _FULL_WIDTH:
                self._plant(position, is_sure=not noise)
                return self._most_visited(board, root, noise, rng)
            return self._deepest(board, root, left, exact=not noise)

    def _plant(self, position: LocalBoardsPosition, *, is_sure: bool) -> None:
        """Make ready a tree for a position: what the bot's last one knows of it, or an empty one.

        A tree with noise in it, or as large as the bot may make it, is for one move.
        """
        lasts = is_sure and self.nodes == UNLIMITED
        if not (lasts and SHARED_MEMORY.reroot(self, position)):
            SHARED_MEMORY.allocate_tree(self.memory)
        SHARED_MEMORY.grown_by = (self, position) if lasts else None

    def _most_visited(self, board: SearchBoard, root: Root, noise: float, rng: Random) -> Choice:
        board.state[layout.LIMIT] = self.nodes
        proven = board.grow(root)
        tried = board.tried()
        hopeful = [move for move in tried if move.proven >= 0] or tried
        # A logit is a quarter of the chance to win if the game is even.
        worths = {move: move.worth + noise / 4 * rng.random() for move in hopeful}
        known = [move for move in hopeful if _KNOWN * move.visits >= hopeful[0].visits]
        best = max(known, key=worths.__getitem__) if noise else hopeful[0]
        for move in hopeful:
            if move.proven == 1:
                best = move
        return Choice(
            name_of(*divmod(best.move, 9)),
            (1 + proven) / 2 if proven else best.worth,
            is_exact=proven != 0,
            simulations=int(board.state[layout.NODES]),
        )

    def _deepest(self, board: SearchBoard, root: Root, left: int, *, exact: bool) -> Choice:
        state = board.state
        board.forget()
        deepest = left if self.depth is None else min(left, self.depth)
        state[layout.REDUCING] = int(left > _FULL_WIDTH)
        move, value, depth = _deepened(board, root, self.nodes, deepest)
        is_exact = abs(value) == layout.WIN or (depth == left <= _FULL_WIDTH and exact)
        return Choice(
            name_of(*divmod(move, 9)),
            (1 + (value > 0) - (value < 0)) / 2 if is_exact else float(evaluation.share(value)),
            is_exact,
            simulations=int(state[layout.NODES]),
        )


@contextmanager
def _alarm(board: SearchBoard, seconds: float, clock: Clock) -> Iterator[None]:
    """Stop the board's search after `seconds` by the clock, unless it has ended by then."""
    state, deadline, ended = board.state, clock() + seconds, threading.Event()

    def watch() -> None:
        # A clock that goes slower than the wall's has not come to the deadline at the first look.
        while (left := deadline - clock()) > 0:
            if ended.wait(min(max(left, _GLANCE), threading.TIMEOUT_MAX)):
                return
        state[layout.STOP] = 1

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        # One that was about to go off must not stop the next search.
        watcher.join()


def _left(position: LocalBoardsPosition, count: int) -> int:
    """Return how many moves the game can still take at most."""
    taken = position.x | position.o
    return sum(
        9 - (taken >> 9 * board & FULL).bit_count()
        for board in range(count)
        if not position.closed >> board & 1
    )


def _deepened(board: SearchBoard, root: Root, nodes: int, deepest: int) -> tuple[int, int, int]:
    """Search ever deeper and return the best move, its value and the depth reached.

    The first depth is always finished. A move of the last depth counts though it was stopped.
    """
    state = board.state
    state[layout.BEST] = -1
    state[layout.LIMIT] = nodes
    value, best, depth = board.search(root, 1), int(state[layout.BEST]), 1
    while depth < deepest and abs(value) < layout.WIN:
        deeper = board.search(root, depth + 1)
        if state[layout.STOP]:
            return int(state[layout.BEST]), value, depth
        # Every move loses: the one that seemed best so far holds out longest.
        best = best if deeper == -layout.WIN else int(state[layout.BEST])
        value = deeper
        depth += 1
    return best, value, depth
