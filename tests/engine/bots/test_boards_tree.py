"""The tree that the bot for ultimate and extreme thinks in: what it keeps, and what it forgets."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from random import Random

import pytest

from engine import VARIANTS
from engine.boards.local_boards import LocalBoardsPosition, name_of
from engine.bots.local_boards.bot import BoardsBot, board_of
from engine.bots.local_boards.kernel import best_first, layout
from engine.bots.local_boards.search_memory import MEMORY, SHARED_MEMORY, SearchMemory
from engine.variants import variant_of
from tests.support.engine.playouts import playout

BOTH = ["ultimate", "extreme"]
AT_LEISURE = ["ultimate", pytest.param("extreme", marks=pytest.mark.slow)]
LONG = 60.0
"""Seconds that no test takes: what limits the search is something else."""


@dataclass(frozen=True)
class Node:
    """A tree's knowledge of a position, and of those after its moves."""

    move: int
    visits: int
    mean: int
    proven: int
    prior: int
    hope: int
    children: "tuple[Node, ...]"


def grown(variant: str, moves: Sequence[str], nodes: int) -> SearchMemory:
    """Return the tree that has grown from the position after some moves."""
    position = LocalBoardsPosition.of(VARIANTS[variant].replay(moves))
    return grown_from(position, nodes)


def grown_from(position: LocalBoardsPosition, nodes: int) -> SearchMemory:
    """Return the tree that has grown from a position so far."""
    board = board_of(variant_of(position).key)
    root = board.set_up(position)
    board.state[layout.STOP] = board.state[layout.NODES] = 0
    board.state[layout.LIMIT] = nodes
    SHARED_MEMORY.allocate_tree(MEMORY)
    board.grow(root)
    return SHARED_MEMORY


def known(tree: SearchMemory, at: int = 0) -> Node:
    """Return a node and all below it, once it is sure that these stand where they should."""
    _, visits, prior, _, mean, hope, _, facts = map(
        int, tree.nodes[layout.NODE * at : layout.NODE * (at + 1)]
    )
    children = tree.children(at)
    assert not children or at < children.start <= children.stop <= tree.sizes[layout.USED]
    return Node(
        facts & layout.MOVE,
        visits,
        mean,
        1 if facts & layout.WON else -1 if prior == layout.LOST else 0,
        prior,
        hope,
        tuple(known(tree, child) for child in children),
    )


def size(node: Node) -> int:
    return 1 + sum(map(size, node.children))


def parents(node: Node) -> Iterator[int]:
    """Yield how often each node was visited that has children."""
    if node.children:
        yield node.visits
        for child in node.children:
            yield from parents(child)


def proven(node: Node) -> Iterator[int]:
    """Yield how each node is proven."""
    yield node.proven
    for child in node.children:
        yield from proven(child)


def without_children(node: Node, fewest: int) -> Node:
    """Return what is left of a tree where nodes visited less often lose their children."""
    kept = tuple(without_children(child, fewest) for child in node.children)
    return replace(node, children=kept if node.visits >= fewest else ())


@pytest.mark.parametrize(
    ("variant", "ply"),
    [("ultimate", 0), ("ultimate", 1), ("ultimate", 40), ("extreme", 0), ("extreme", 70)],
)
def test_a_full_tree_forgets_what_was_visited_least_and_nothing_else(
    variant: str, ply: int
) -> None:
    tree = grown(variant, playout(VARIANTS[variant], Random(3)).moves[:ply], nodes=600)
    assert any(proven(known(tree))) == (ply > 1)
    for _ in range(3):
        before = known(tree)
        # As full as it can be.
        tree.sizes[layout.CAPACITY] = tree.sizes[layout.USED]
        left = best_first.forget(tree.sizes, tree.nodes)
        after = known(tree)
        assert left == tree.sizes[layout.USED] == size(after)
        assert size(before) / 8 < left <= tree.sizes[layout.CAPACITY] / 2
        assert after == without_children(before, min(parents(after)))


def test_a_move_may_hope_for_what_the_best_reply_to_it_leaves() -> None:
    def look(node: Node) -> Iterator[bool]:
        """Yield of each node with children whether its hope is that."""
        for child in node.children:
            if child.children:
                yield child.hope == layout.SURE - max(reply.hope for reply in child.children)
                yield from look(child)

    tree = known(grown("ultimate", ["e5"], nodes=600))
    found = list(look(tree))
    assert len(found) > 100
    assert all(found)


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_it_thinks_on_when_its_memory_is_full(variant: str) -> None:
    position = VARIANTS[variant].start.play("e5")
    # Of this tree no more than a thousand nodes are kept at a time.
    choice = BoardsBot(nodes=1000, memory=0).choose(position, LONG, Random(1))
    assert choice.simulations == 1000
    assert choice.move in position.legal_moves()
    assert grown(variant, ["e5"], nodes=1000).sizes[layout.USED] > 2 * layout.FEWEST


def test_bots_of_one_process_keep_to_their_own_memory() -> None:
    position = VARIANTS["ultimate"].start.play("e5")
    small, large = BoardsBot(nodes=400, memory=0), BoardsBot(nodes=400, memory=2 * MEMORY)
    choices = [bot.choose(position, LONG, Random(2)) for bot in (small, large, small, large)]
    assert choices[0] == choices[2]
    assert choices[1] == choices[3]
    assert choices[0].win_probability != choices[1].win_probability


# From one move to the next

VISITS = 400


def time_by_visits() -> float:
    """Return the time: a visit of the tree takes a microsecond."""
    return max(int(board_of(variant).state[layout.NODES]) for variant in BOTH) / 1_000_000


PLAYER = BoardsBot(clock=time_by_visits)


def think(bot: BoardsBot, position: LocalBoardsPosition) -> int:
    """Let a bot choose a move, and return how often its tree's root had been visited before."""
    for variant in BOTH:
        board_of(variant).state[layout.NODES] = 0
    choice = bot.choose(position, VISITS / 1_000_000, Random(1))
    assert choice.simulations >= VISITS
    return known(SHARED_MEMORY).visits - choice.simulations


def most_visited(position: LocalBoardsPosition, moves: int) -> tuple[int, LocalBoardsPosition]:
    """Return the node most visited after this many moves from the root, and its position."""
    tree, at = SHARED_MEMORY, 0
    for _ in range(moves):
        at = max(tree.children(at), key=lambda child: known(tree, child).visits)
        position = position.play(name_of(*divmod(known(tree, at).move, 9)))
    return at, position


def begun(variant: str) -> LocalBoardsPosition:
    """Return a position some moves into a game."""
    game = playout(VARIANTS[variant], Random(3))
    return LocalBoardsPosition.of(game.positions[20])


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_a_tree_becomes_what_stands_below_one_of_its_nodes(variant: str) -> None:
    start = begun(variant)
    tree = grown_from(start, 300)
    used = tree.sizes[layout.USED]
    sizes, nodes = copy(tree.sizes), copy(tree.nodes[: layout.NODE * used])
    found = 0
    for at in range(0, used, 7):
        tree.sizes[:], tree.nodes[: layout.NODE * used] = sizes, nodes
        if tree.children(at):
            before = known(tree, at)
            left = best_first.keep(tree.sizes, tree.nodes, at, 0)
            assert known(tree) == before
            assert left == tree.sizes[layout.USED] == size(before)
            found += 1
    assert found > 10


@pytest.mark.parametrize("moves", [1, 2, 3])
@pytest.mark.parametrize("variant", AT_LEISURE)
def test_a_bot_goes_on_with_what_it_found_when_it_chose_its_last_move(
    variant: str, moves: int
) -> None:
    position = begun(variant)
    think(PLAYER, position)
    at, position = most_visited(position, moves)
    visits = known(SHARED_MEMORY, at).visits
    assert visits > 2
    assert think(PLAYER, position) == visits


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_a_bot_restarts_its_search_where_it_was_not_for_this_move(variant: str) -> None:
    start = begun(variant)

    def visits_before(between: BoardsBot | None = None, by: BoardsBot = PLAYER) -> int:
        think(PLAYER, start)
        _, position = most_visited(start, 2)
        if between is not None:
            between.choose(begun("ultimate"), LONG, Random(1))
        return think(by, position)

    assert visits_before() > 0
    # Another bot's thoughts, of less memory or with errors, are not its own.
    assert visits_before(by=replace(PLAYER, memory=1)) == 0
    assert visits_before(by=replace(PLAYER, noise=1, opening=200)) == 0
    # With a limit of nodes, the same seed plays the same.
    assert visits_before(by=replace(PLAYER, nodes=VISITS)) == 0
    # What another bot has thought of since stands there instead.
    assert visits_before(between=BoardsBot(nodes=10)) == 0
    assert visits_before(between=BoardsBot(depth=1)) == 0
    # The same position again is judged again.
    assert think(PLAYER, start) == 0
    assert think(PLAYER, start) == 0
    # And so is one of another game.
    other = LocalBoardsPosition.of(VARIANTS[variant].start).play("e5")
    assert think(PLAYER, other) == 0


def test_a_bot_restarts_its_search_while_it_misjudges_its_moves() -> None:
    bot = replace(PLAYER, noise=0.2, opening=4)
    position = LocalBoardsPosition.of(VARIANTS["ultimate"].replay(["e5", "d4"]))
    before = []
    for _ in range(3):
        before.append(think(bot, position))
        _, position = most_visited(position, 2)
    assert before[:2] == [0, 0]
    assert before[2] > 0
