"""A proof-number search for the winner of a position of ultimate or extreme, to the game's end.

The question is always whether one side, the attacker, wins against every defence; that it does not
covers draws and losses. The search is depth-first (df-pn) on a graph of states in memory, so
that what one move was found to be worth serves for all others. Sums of proof numbers are weak ones
(the greatest, and one for each of the others): positions are met by many ways, and plain sums would
count them as often.

A mark is never taken back, so no line of play meets a state twice and the graph has no cycles.
"""

from collections.abc import Sequence

from engine.puzzles.local_boards_states import State, rules_of

INFINITE = 1 << 40
"""The proof number of what is disproven, and the disproof number of what is proven."""


class OutOfNodes(Exception):
    """The search met more states than it was allowed to."""


class Node:
    """A state in the graph.

    `proof` and `disproof` are its proof numbers for the attacker: 0 if that is settled. Of its
    children, `moves` and `children` have those that the search has looked at, None before.
    """

    __slots__ = ("children", "disproof", "distance", "is_attack", "moves", "proof", "state")

    def __init__(self, state: State | None, *, is_attack: bool) -> None:
        self.state = state
        self.is_attack = is_attack
        self.proof = 1
        self.disproof = 1
        self.moves: list[int] = []
        self.children: list[Node] | None = None
        self.distance = -1

    @property
    def is_settled(self) -> bool:
        """Whether it is known which side gets its way here."""
        return not (self.proof and self.disproof)


def _weighed(
    children: Sequence[Node], *, is_attack: bool
) -> tuple[Node | None, int, int, int, int]:
    """Return what the side to move should look into, and how hard that is.

    They are the most promising child; how hard it is to show there that this side gets its way,
    and likewise for the second; how hard it is to show the contrary of all of them; and how many
    children but one that takes.
    """
    best = None
    ease = second = INFINITE
    most, others = 0, -1
    for child in children:
        if is_attack:
            mine, theirs = child.proof, child.disproof
        else:
            mine, theirs = child.disproof, child.proof
        if mine < ease:
            best, ease, second = child, mine, ease
            if not mine:
                return best, 0, second, INFINITE, others
        elif mine < second:
            second = mine
        if theirs:
            others += 1
            if theirs > most:  # noqa: PLR1730 - `max` takes a call, and this runs most of all
                most = theirs
    return best, ease, second, most + others if most else 0, others


class WinProof:
    """The search of whether one side wins, for any number of positions of one game."""

    def __init__(self, count: int, attacker: int, limit: int) -> None:
        """Take the number of local boards, the side that is to win, and the states to meet."""
        self.rules = rules_of(count)
        self.attacker = attacker
        self.limit = limit
        self.nodes: dict[State, Node] = {}
        self._drawn = Node(None, is_attack=False)
        self._drawn.proof, self._drawn.disproof = INFINITE, 0

    def wins(self, state: State) -> bool:
        """Return whether the attacker wins from a state that is not over.

        Raises `OutOfNodes` if the limit is met before that is settled.
        """
        node = self.node(state)
        while not node.is_settled:
            self._search(node, INFINITE, INFINITE)
        return node.proof == 0

    def node(self, state: State) -> Node:
        """Return the node of a state, made and looked at if it is new."""
        node = self.nodes.get(state)
        if node is None:
            if len(self.nodes) >= self.limit:
                raise OutOfNodes
            node = self.nodes[state] = Node(state, is_attack=state.mover == self.attacker)
            self._look(node, state)
        return node

    def _look(self, node: Node, state: State) -> None:
        """Settle a new node if its state decides it, else estimate how hard it is."""
        rules = self.rules
        if rules.winning_boards(state):
            node.proof, node.disproof = (0, INFINITE) if node.is_attack else (INFINITE, 0)
        elif not rules.can_make_line(state, self.attacker):
            node.proof, node.disproof = INFINITE, 0
        elif node.is_attack:
            node.disproof = rules.choices(state)
        else:
            node.proof = rules.choices(state)

    def expand(self, node: Node) -> list[Node]:
        """Return the children of a node that no mark ends by a line, made if they are missing."""
        children = node.children
        if children is None and node.state is not None:
            children = []
            moves = []
            for move, state in self.rules.after(node.state):
                moves.append(move)
                children.append(self._drawn if state is None else self.node(state))
            node.moves = moves
            node.children = children
        return children or []

    def _search(self, node: Node, proof_limit: int, disproof_limit: int) -> None:
        """Search below a node until one of its numbers reaches its limit."""
        children = self.expand(node)
        if node.is_attack:
            limit, other_limit = proof_limit, disproof_limit
        else:
            limit, other_limit = disproof_limit, proof_limit
        while True:
            best, ease, second, hardness, others = _weighed(children, is_attack=node.is_attack)
            if node.is_attack:
                node.proof, node.disproof = ease, hardness
            else:
                node.disproof, node.proof = ease, hardness
            if best is None or not ease or not hardness:
                return
            if ease >= limit or hardness >= other_limit:
                return
            # A quarter more than the second best keeps the search from switching between the two.
            near = min(limit, second + 1 + (second >> 2))
            far = other_limit - others
            if node.is_attack:
                self._search(best, near, far)
            else:
                self._search(best, far, near)

    def distance(self, node: Node) -> int:
        """Return how many moves the shown way to the end takes at most, from a settled node.

        The side that is right takes the shortest of the ways that the search has shown, the other
        the longest. If the attacker does not win, the end is the point from which that is plain.
        """
        if node.distance >= 0:
            return node.distance
        if node.state is None:
            node.distance = 0
        elif self.rules.winning_boards(node.state):
            node.distance = 1
        elif node.children is None:
            node.distance = 0  # the attacker can no longer make a line
        else:
            shown = [
                self.distance(child)
                for child in node.children
                if child.is_settled and (child.proof == 0) == (node.proof == 0)
            ]
            node.distance = 1 + (min if self._is_right(node) else max)(shown)
        return node.distance

    def _is_right(self, node: Node) -> bool:
        """Return whether the side to move at a settled node gets its way."""
        return (node.proof == 0) == node.is_attack

    def ways(self, node: Node) -> list[tuple[int, Node]]:
        """Return the moves that the proof has looked at in a settled node, with what they lead to.

        The side that is right here comes with the moves that show it, the shortest way to the end
        first; the other one with all its moves, the longest way first.
        """
        is_right = self._is_right(node)
        ways = [
            (self.distance(child) if is_right else -self.distance(child), at)
            for at, child in enumerate(node.children or [])
            if child.is_settled and (child.proof == 0) == (node.proof == 0)
        ]
        return [(node.moves[at], (node.children or [])[at]) for _, at in sorted(ways)]

    def line(self, node: Node) -> list[int]:
        """Return the moves from a settled node to the end, the way that `distance` measures."""
        moves: list[int] = []
        while node.state is not None:
            winning = self.rules.first_winning_move(node.state)
            if winning >= 0:
                return [*moves, winning]
            ways = self.ways(node)
            if not ways:
                return moves
            move, node = ways[0]
            moves.append(move)
        return moves
