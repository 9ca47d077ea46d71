"""The length in turns of a proven win in ultimate or extreme, and its moves.

A turn is all moves of a side until the other side is to move: in extreme a bonus move belongs to
the turn of the move that earned it. Only the attacker's turns count, including the next one.
"""

from engine.puzzles.local_boards_proof import OutOfNodes, WinProof
from engine.puzzles.local_boards_states import State


class Turns:
    """A search for the fewest turns in which the attacker of a proof wins.

    It skips states that the proof has shown not to be won.
    """

    def __init__(self, proof: WinProof, limit: int) -> None:
        """Search below a proof, in at most `limit` states."""
        self.proof = proof
        self.left = limit
        self._known: dict[tuple[State, int], bool] = {}

    def least(self, state: State, most: int) -> int | None:
        """Return the fewest turns that win against any defence; None if they are more than `most`.

        Raises `OutOfNodes` if the limit of states is reached first.
        """
        return next((turns for turns in range(1, most + 1) if self.within(state, turns)), None)

    def within(self, state: State, turns: int) -> bool:
        """Return whether the attacker wins within this number of turns. Raises `OutOfNodes`."""
        proof = self.proof
        node = proof.nodes.get(state)
        if turns < 1 or (node is not None and node.disproof == 0):
            return False
        is_attack = state.mover == proof.attacker
        if proof.rules.winning_boards(state):
            return is_attack
        # In extreme a turn has two marks at most, and one if the bonus move is all that is left.
        marks = turns if proof.rules.count == 9 else 2 * turns - (state.bonus if is_attack else 0)
        if proof.rules.marks_needed(state, proof.attacker) > marks:
            return False
        key = state, turns
        answer = self._known.get(key)
        if answer is None:
            self.left -= 1
            if self.left < 0:
                raise OutOfNodes
            answer = self._known[key] = self._searched(state, turns, is_attack=is_attack)
        return answer

    def _searched(self, state: State, turns: int, *, is_attack: bool) -> bool:
        for _, after in self.proof.rules.after(state):
            wins = after is not None and self.within(after, self._left(after, turns, is_attack))
            if wins == is_attack:
                return is_attack
        return not is_attack

    def _left(self, after: State, turns: int, is_attack: bool) -> int:  # noqa: FBT001
        """Return how many of `turns` are left after a move to the state `after`."""
        return turns - (is_attack and after.mover != self.proof.attacker)

    def line(self, state: State, turns: int) -> list[int]:
        """Return the moves by which the attacker wins within `turns` against the longest defence.

        Raises `OutOfNodes`.
        """
        rules = self.proof.rules
        moves: list[int] = []
        while True:
            winning = rules.first_winning_move(state)
            if winning >= 0:
                return [*moves, winning]
            is_attack = state.mover == self.proof.attacker
            best: tuple[int, int] | None = None
            for move, after in rules.after(state):
                if after is None:
                    continue
                left = self._left(after, turns, is_attack)
                needed = self.least(after, left)
                if needed is None:
                    continue
                # Of equally long lines, show one that wins a local board, as players tend to.
                order = needed + turns - left, -_won(after, state.mover)
                if not is_attack:
                    order = -order[0], order[1]
                if best is None or order < best:
                    best, chosen = order, (move, after, left)
            move, state, turns = chosen
            moves.append(move)


def _won(state: State, side: int) -> int:
    """Return the number of local boards that a side has won and that still count."""
    return (state.o_boards if side else state.x_boards).bit_count()
