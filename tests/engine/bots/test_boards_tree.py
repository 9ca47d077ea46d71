"""The tree that the bot for ultimate and extreme thinks in: what it keeps, and what it forgets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import pytest

from engine import VARIANTS, variant_of
from engine.boards.local_boards import LocalBoardsPosition, name_of
from engine.bots.local_boards.bot import BoardsBot, board_of
from engine.bots.local_boards.kernel import layout
from engine.bots.local_boards.search_memory import MEMORY, SHARED_MEMORY, SearchMemory
from tests.support.engine.playouts import playout

BOTH = ["ultimate", "extreme"]
AT_LEISURE = ["ultimate", pytest.param("extreme", marks=pytest.mark.deep)]
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


def proven(node: Node) -> Iterator[int]:
    """Yield how each node is proven."""
    yield node.proven
    for child in node.children:
        yield from proven(child)


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
