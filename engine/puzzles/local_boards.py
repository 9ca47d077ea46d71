"""The prover of ultimate and extreme: positions where one move alone wins, or alone does not lose.

Everything is proven to the end of the game, by `local_boards_proof`: that the right move wins, or
that it does not lose, and that every other move is worth strictly less. If the win takes few turns,
their least number is proven, too.

A move is one mark, as everywhere. A turn is all the marks that a side makes until the other one is
to move: in extreme the move that wins a small board and the bonus move are two moves of one turn.
"""

from collections.abc import Hashable
from typing import NamedTuple

from engine.boards.local_boards import LocalBoardsPosition
from engine.bots import reasons
from engine.game import Position, Side
from engine.messages import Message
from engine.puzzles.local_boards_proof import OutOfNodes, WinProof
from engine.puzzles.local_boards_states import State, move_name, rules_of
from engine.puzzles.local_boards_turns import Turns
from engine.puzzles.local_boards_words import area_in_words, idea_in_words, refutation_in_words
from engine.puzzles.model import Proof, Puzzle, Refutation, Task, Value
from engine.puzzles.proofs import Proven, Prover

FEWEST_MOVES = 4
"""With fewer moves to choose from, a position is no puzzle."""

LIMIT = 40_000
"""The number of states that a question may take to settle."""


class Search(NamedTuple):
    """The extent of a search for the length of a win: its states, and the longest win in turns."""

    states: int
    turns: int


_OF_SOLUTIONS = Search(150_000, 7)
"""The search for the length of a solution, which is stated."""

_OF_REFUTATIONS = Search(20_000, 6)
"""The search for the shortest refutation; of a longer one any line will do."""

_MOST_OF_DRAW = 8
"""The number of moves after which the line of a draw is cut: the rest teaches nothing."""


class Examination:
    """A position in which both sides' wins are looked for."""

    def __init__(self, position: LocalBoardsPosition) -> None:
        """Take a position that is not over, and find out whether the side to move wins it.

        Raises `OutOfNodes` if that cannot be decided.
        """
        self.position = position
        self.mover = 0 if position.turn is Side.X else 1
        self.rules = rules_of(position.board_count)
        self.root = self.rules.state_of(position)
        self._proofs = [WinProof(position.board_count, side, 0) for side in (0, 1)]
        self._turns = [Turns(proof, 0) for proof in self._proofs]
        self._looked_into = 0
        self.is_won = self._wins(self.mover, self.root)

    @property
    def size(self) -> int:
        """The number of states that have been examined."""
        return self._looked_into + sum(len(proof.nodes) for proof in self._proofs)

    def right_moves(self) -> list[str]:
        """Return the moves that win, or in a drawn position those that draw; a lost one has none.

        As soon as there are two, no more are looked for. Raises `OutOfNodes`.
        """
        if not self.is_won and self._wins(1 - self.mover, self.root):
            return []
        right = []
        for move in self.position.legal_moves():
            if self._is_right(move):
                right.append(move)
                if len(right) == 2:
                    break
        return right

    def _is_right(self, move: str) -> bool:
        after = self.position.play(move)
        if after.outcome is not None:
            return after.outcome.winner is (self.position.turn if self.is_won else None)
        state = self.rules.state_of(after)
        if self.is_won:
            return self._wins(self.mover, state)
        return not self._wins(1 - self.mover, state)

    def solution(self, move: str) -> tuple[int | None, list[str]]:
        """Return the fewest turns in which the one right move wins, and the line that follows it.

        There is no such number if it does not win, or takes too many turns. Raises `OutOfNodes`.
        """
        winning = self.rules.first_winning_move(self.root)
        if winning >= 0:
            return 1, [move_name(winning)]
        if self.is_won:
            return self._won(self.mover, self.root, _OF_SOLUTIONS)
        after = self.position.play(move)
        if after.outcome is not None:
            return None, [move]
        line = [move, *self._drawn(1 - self.mover, self.rules.state_of(after))]
        return None, line[:_MOST_OF_DRAW]

    def refutation(self, move: str) -> list[str]:
        """Return the line from the reply to a wrong move to where the game is decided.

        That is a win of the opponent if the move loses; if it draws, it is the point from which the
        side that could have won can no longer make a line, at the latest `_MOST_OF_DRAW` moves
        later. Raises `OutOfNodes`.
        """
        after = self.position.play(move)
        if after.outcome is not None:
            return []
        state = self.rules.state_of(after)
        if self._wins(1 - self.mover, state):
            return self._won(1 - self.mover, state, _OF_REFUTATIONS)[1]
        return self._drawn(self.mover, state)[:_MOST_OF_DRAW]

    def _wins(self, side: int, state: State) -> bool:
        proof = self._proofs[side]
        proof.limit = len(proof.nodes) + LIMIT
        return proof.wins(state)

    def _won(self, side: int, state: State, search: Search) -> tuple[int | None, list[str]]:
        """Return in how few turns a side wins that is known to win, if that is found, and how."""
        turns = self._turns[side]
        turns.left = search.states
        try:
            least = turns.least(state, search.turns)
            if least is not None:
                return least, list(map(move_name, turns.line(state, least)))
        except OutOfNodes:
            pass
        finally:
            self._looked_into += search.states - turns.left
        proof = self._proofs[side]
        return None, list(map(move_name, proof.line(proof.node(state))))

    def _drawn(self, side: int, state: State) -> list[str]:
        """Return the line of a draw until `side`, which tries to win, can make no line.

        It tries in all ways that do not lose, the longest first. Raises `OutOfNodes`.
        """
        self._wins(side, state)
        proof = self._proofs[side]
        node = proof.node(state)
        moves: list[str] = []
        while True:
            way = next(
                (
                    (move, child)
                    for move, child in proof.ways(node)
                    if child.state is None or not self._wins(1 - side, child.state)
                ),
                None,
            )
            if way is None:
                return moves
            move, node = way
            moves.append(move_name(move))


class LocalBoardsProver(Prover):
    """Proves puzzles of ultimate and extreme."""

    def prove(self, position: Position) -> Proven | None:
        """Return what is proven of a position with one right move, None of any other."""
        try:
            examination = examined(position)
            return None if examination is None else _proven(examination)
        except OutOfNodes:
            return None

    def refutation(self, puzzle: Puzzle, position: Position, move: str) -> Refutation:
        """Return why a wrong move is wrong, by the stored line."""
        return refutation_in_words(position, move, puzzle.refutations.get(move, ()))

    def fault(self, position: Position, move: str, better: str) -> tuple[Message, ...]:
        """Return what the move missed or allows at once, () if nothing so plain."""
        return reasons.fault(position, move, better)

    def idea(self, puzzle: Puzzle, position: Position) -> Message:
        """Return what the right move does, or what to ask of each move."""
        return idea_in_words(puzzle, LocalBoardsPosition.of(position))

    def area(self, puzzle: Puzzle, position: Position) -> Message:
        """Return the small board of the right move, or its row there if it is the only board."""
        return area_in_words(puzzle, LocalBoardsPosition.of(position))

    def state(self, position: Position) -> Hashable:
        """Return the state of a position for a search: the marks in closed boards do not count."""
        boards = LocalBoardsPosition.of(position)
        if boards.outcome is not None:
            return boards
        return rules_of(boards.board_count).state_of(boards)


def examined(position: Position) -> Examination | None:
    """Return the examination of a position that has one right move, None for any other.

    Raises `OutOfNodes` if that cannot be decided.
    """
    if not isinstance(position, LocalBoardsPosition) or position.outcome is not None:
        return None
    if len(position.legal_moves()) < FEWEST_MOVES:
        return None
    examination = Examination(position)
    return examination if len(examination.right_moves()) == 1 else None


def _proven(examination: Examination) -> Proven:
    position = examination.position
    (right,) = examination.right_moves()
    turns, line = examination.solution(right)
    refutations = {
        move: tuple(examination.refutation(move))
        for move in position.legal_moves()
        if move != right
    }
    # The turns of the side to move in what follows on a wrong move: without any, the reply at once
    # refutes it, by itself or with the bonus move that it earned.
    later = {
        move: turns_of(position.play(move), line, position.turn)
        for move, line in refutations.items()
    }
    if not examination.is_won:
        look = 1 + max(later.values())
        task = Task.SAVE
    else:
        look = turns or turns_of(position, tuple(line), position.turn)
        task = Task.WIN if turns is None else Task.WIN_IN
    return Proven(
        task=task,
        turns=turns,
        solutions=(right,),
        line=tuple(line),
        before=Value.WIN if examination.is_won else Value.DRAW,
        proof=Proof.EXACT,
        look=look,
        tempting=sum(turns > 0 for turns in later.values()),
        refutations={move: line for move, line in refutations.items() if line},
    )


def turns_of(position: Position, line: tuple[str, ...], side: Side) -> int:
    """Return how many turns a side has in a line that begins at a position."""
    turns = 0
    before = None
    for move in line:
        turns += position.turn is side is not before
        before = position.turn
        position = position.play(move)
    return turns


PROVER = LocalBoardsProver()
