"""The memory of the bots for ultimate and extreme: a search tree or a transposition table."""

from engine.boards.local_boards import LocalBoardsPosition, name_of
from engine.bots.bot import Bot
from engine.bots.local_boards.compiled import IS_COMPILED, compact_zeros, zeros
from engine.bots.local_boards.kernel import best_first, layout

MEMORY = 64 if IS_COMPILED else 12
"""The megabytes that a tree may take by default; plain Python takes longer to fill them."""

_PURSUED = 3
"""The largest number of moves from the root of a tree to the position that is looked up in it.

In extreme, this many can lie between two choices of a side: its own, and two of the opponent's."""


class SearchMemory:
    """The memory that all bots of a process share, since it thinks about one game at a time.

    It holds a search tree (`nodes`), or the transposition table of alpha-beta. A bot that begins to
    think allocates the one it needs, in the size that it may have, and frees the other.
    `grown_by` is the bot that grew the tree and the position at its root, if the bot may reuse it.
    """

    def __init__(self) -> None:
        self.sizes = zeros(layout.SIZES, "q")
        self.nodes = self.transpositions = zeros(0, "q")
        self.grown_by: tuple[Bot, LocalBoardsPosition] | None = None

    def allocate_tree(self, megabytes: float) -> None:
        """Allocate an empty tree of at most this many megabytes."""
        size = max(layout.FEWEST, int(megabytes * (1 << 20)) // layout.BYTES)
        self.grown_by = None
        self.transpositions = zeros(0, "q")
        if size * layout.NODE != len(self.nodes):
            self.nodes = zeros(0, "q")
            self.nodes = compact_zeros(size * layout.NODE, "i")
        self.sizes[layout.CAPACITY] = size
        best_first.clear(self.sizes, self.nodes)

    def allocate_transpositions(self, positions: int) -> None:
        """Allocate an empty transposition table for this many positions."""
        self.grown_by = None
        self.nodes = self.transpositions = zeros(0, "q")
        self.transpositions = zeros(2 * positions, "q")

    def reroot(self, bot: Bot, position: LocalBoardsPosition) -> bool:
        """Reduce a bot's tree to the part below a position a few moves on, which becomes its root.

        Returns False if the tree does not reach that position; it then stays as it is.
        """
        if self.grown_by is None:
            return False
        bot_before, root = self.grown_by
        at = self._found(0, root, position) if bot_before == bot and root != position else None
        if at is None:
            return False
        best_first.keep(self.sizes, self.nodes, at, 0)
        return True

    def _found(
        self, at: int, position: LocalBoardsPosition, goal: LocalBoardsPosition
    ) -> int | None:
        """Return the node of `goal` that has children, at or below that of `position`, or None."""
        children = self.children(at)
        if position == goal:
            return at if children else None
        played = (goal.x | goal.o) & ~(position.x | position.o)
        if played.bit_count() > _PURSUED:
            return None
        for child in children:
            move = int(self.nodes[layout.NODE * child + layout.FACTS]) & layout.MOVE
            if played >> move & 1:
                after = position.play(name_of(*divmod(move, 9)))
                if (found := self._found(child, after, goal)) is not None:
                    return found
        return None

    def children(self, at: int) -> range:
        """Return the children of a node."""
        first = int(self.nodes[layout.NODE * at + layout.FIRST_CHILD])
        many = int(self.nodes[layout.NODE * at + layout.FACTS]) >> layout.HOW_MANY & 255
        return range(first, first + many)


SHARED_MEMORY = SearchMemory()
