"""Monte Carlo tree search on the contract of `engine.game` alone: it plays every variant.

It tries moves out in random games and comes back more often to those that did well (UCT). Results
that are certain are carried up the tree, so that a win near enough is found and proven. It plays
and analyses the variants without special bots, and is the baseline for those that have.
"""

from math import inf, log, sqrt
from random import Random

from engine.bots.bot import Choice, require_running
from engine.bots.means import Clock, Means, Timepiece
from engine.game import Position, Side

EXPLORATION = 0.8
"""UCT's constant of exploration, for results from 0 to 1."""

MAX_CANDIDATES = 40
"""The number of moves that are considered if they are countless."""

MAX_TURNS = 12
"""Turns after which a random game that might go on for ever counts as a draw."""


class _Node:
    """A position in the tree. Results are what X may expect, from 0 to 1."""

    __slots__ = ("children", "exact", "move", "position", "total", "untried", "visits")

    def __init__(self, move: str, position: Position) -> None:
        self.move = move
        self.position = position
        self.children: list[_Node] = []
        self.untried: list[str] | None = None
        self.visits = 0
        self.total = 0.0
        outcome = position.outcome
        self.exact = None if outcome is None else outcome.value_for(Side.X)

    def mean(self, side: Side) -> float:
        """Return what `side` may expect, by all that is known."""
        mean = self.total / self.visits if self.exact is None else self.exact
        return mean if side is Side.X else 1 - mean

    def prove(self) -> None:
        """Take over a result that is certain because those of the children are."""
        side = self.position.turn
        known = [child.mean(side) for child in self.children if child.exact is not None]
        best = max(known, default=0.0)
        # Of countless moves not every one is looked at: there only a win is sure.
        is_whole = not self.untried and not self.position.has_countless_moves
        if best == 1.0 or (is_whole and len(known) == len(self.children)):
            self.exact = best if side is Side.X else 1 - best


class SearchBot:
    """Plays any variant by random games.

    `simulations` limits how many it plays for a move; given enough time, the same seed then plays
    the same game. `clock` counts the seconds.
    """

    def __init__(self, simulations: float | None = None, clock: Clock = Timepiece.WALL) -> None:
        self._simulations = inf if simulations is None else simulations
        self._clock = clock

    def with_means(self, means: Means) -> "SearchBot":
        """Return the same bot with another clock."""
        return SearchBot(self._simulations, means.clock)

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        """Return the move that did best in the time; at least one simulation is made.

        Raises `ValueError` for a position that is over.
        """
        require_running(position)
        deadline = self._clock() + seconds
        root = _Node("", position)
        simulations = 0
        while root.exact is None and simulations < self._simulations:
            _simulate(root, rng)
            simulations += 1
            if self._clock() >= deadline:
                break
        best = _best(root)
        side = position.turn
        is_exact = best.exact is not None and best.exact == root.exact
        return Choice(best.move, best.mean(side), is_exact, simulations=simulations)


def _simulate(root: _Node, rng: Random) -> None:
    path = [root]
    node = root
    while node.exact is None:
        if node.untried is None:
            node.untried = _moves(node.position, rng)
        if node.untried:
            move = node.untried.pop()
            node.children.append(_Node(move, node.position.play(move)))
            node = node.children[-1]
            path.append(node)
            break
        node = _most_promising(node)
        path.append(node)
    result = _random_result(node.position, rng) if node.exact is None else node.exact
    for above in reversed(path):
        above.visits += 1
        above.total += result
        if above.exact is None and above.children:
            above.prove()


def _most_promising(node: _Node) -> _Node:
    side, spread = node.position.turn, EXPLORATION * sqrt(log(node.visits))
    return max(node.children, key=lambda child: child.mean(side) + spread / sqrt(child.visits))


def _best(root: _Node) -> _Node:
    """Return the child that was tried most, or one that is certain and no worse."""
    side = root.position.turn
    certain = [child for child in root.children if child.exact is not None]
    uncertain = [child for child in root.children if child.exact is None]
    most_tried = sorted(uncertain, key=lambda child: -child.visits)[:1]
    return max([*certain, *most_tried], key=lambda child: child.mean(side))


def _moves(position: Position, rng: Random) -> list[str]:
    moves = list(position.promising_moves(MAX_CANDIDATES, rng))
    rng.shuffle(moves)
    return moves


def _random_result(position: Position, rng: Random) -> float:
    """Return what X gets from a game of random moves."""
    turns = 0
    while position.outcome is None:
        if position.may_never_end and turns == MAX_TURNS:
            return 0.5
        turns += 1
        position = position.play(position.random_move(rng))
    return position.outcome.value_for(Side.X)
