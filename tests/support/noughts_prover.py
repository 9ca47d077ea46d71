"""A prover of puzzles of noughts and crosses: one move wins at once."""

from engine import Position, message
from engine.puzzles import Proof, Puzzle, Refutation, Task, Value
from engine.puzzles.proofs import Proven, Prover


class NoughtsProver(Prover):
    def prove(self, position: Position) -> Proven | None:
        wins = [
            move
            for move in position.legal_moves()
            if (outcome := position.play(move).outcome) and outcome.winner is position.turn
        ]
        if len(wins) != 1:
            return None
        line = (wins[0],)
        return Proven(Task.WIN_IN, 1, line, line, Value.WIN, Proof.EXACT, look=1, tempting=0)

    def refutation(self, puzzle: Puzzle, position: Position, move: str) -> Refutation:
        reply = next(iter(position.play(move).legal_moves()))
        return Refutation(move, (reply,), (message("{move} does not win.", move=move),))


PROVER = NoughtsProver()
