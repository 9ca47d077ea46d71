"""Perfect play in quantum: exact values choose the move, and among equals the best trap."""

from collections.abc import Sequence
from random import Random

from engine.bots.bot import Choice, require_running
from engine.bots.evaluators import solving
from engine.bots.solvers.quantum_values import OPENING_MOVES, opening_table, reaches, value, wins_by
from engine.game import Position, Side
from engine.messages import Message, in_context
from engine.variants.quantum import QuantumPosition

_CANDIDATES = (36, 36, 36, 2, 4)
"""After 0 to 4 moves, how many equally good moves are looked at for traps. Up to the third move the
table knows what the replies are worth; they are quick to search for again after the fifth."""


class PerfectQuantum:
    """Never gives away half a point that theory gives it, and takes every one that it is given."""

    def warm(self) -> None:
        """Read the table of openings, so that the first answer is as quick as the others."""
        opening_table()

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:  # noqa: ARG002 - it never thinks long
        """Return one of the best moves of a quantum position that is not over.

        Of moves that win the point it prefers those that win soon; of others those that do not
        lose soon, then those where most replies are mistakes. It needs no more than a moment,
        independent of `seconds`.

        Raises `TypeError` for another game's position, `ValueError` for one that is over.
        """
        quantum = QuantumPosition.of(position)
        require_running(quantum)
        worth = value(quantum)
        best = _lasting(quantum, _quickest(quantum, _best(quantum, worth), worth), worth)
        made = len(quantum.spooky)
        if made < len(_CANDIDATES) and len(best) > _CANDIDATES[made]:
            best = rng.sample(best, _CANDIDATES[made])
        shares = {move: _share_of_mistakes(quantum, move, worth) for move in best}
        largest = max(shares.values())
        move = rng.choice([move for move in best if shares[move] == largest])
        own = worth / 2 if quantum.turn is Side.X else -worth / 2
        return Choice(
            move,
            (1 + own) / 2,
            is_exact=True,
            reason=_reason(quantum, move, own, tempting=largest > 0),
        )


def solve(position: QuantumPosition) -> float:
    """Return the points that the side to move can force, less the opponent's.

    That is 1, 0.5, 0, -0.5 or -1. In a game that is over it is what the points say.
    """
    return _for_the_side(value(position), position.turn)


def values(position: QuantumPosition) -> dict[str, float]:
    """Return for each legal move what `solve` would give the side to move after it."""
    return {
        move: _for_the_side(value(position.play(move)), position.turn)
        for move in position.legal_moves()
    }


def _for_the_side(halves: int, side: Side) -> float:
    return halves / 2 if side is Side.X else -halves / 2


def _holds(position: QuantumPosition, worth: int, side: Side) -> bool:
    """Return whether a position is worth no less to `side` than `worth`, which counts for X."""
    return reaches(position, worth) if side is Side.X else not reaches(position, worth + 1)


def _best(position: QuantumPosition, worth: int) -> list[str]:
    return [
        move for move in position.legal_moves() if _holds(position.play(move), worth, position.turn)
    ]


def _quickest(position: QuantumPosition, moves: list[str], worth: int) -> list[str]:
    """Return of moves that win the point those that do so within a move and its replies."""
    side, made = position.turn, len(position.spooky)
    if worth != (2 if side is Side.X else -2) or made < OPENING_MOVES:
        return moves
    for limit in range(made, made + 4):
        quick = [move for move in moves if wins_by(position.play(move), side, limit)]
        if quick:
            return quick
    return moves


def _lasting(position: QuantumPosition, moves: list[str], worth: int) -> list[str]:
    """Return of moves that lose the point those that do not lose it by the opponent's next."""
    side, made = position.turn, len(position.spooky)
    if worth != (-2 if side is Side.X else 2) or made < OPENING_MOVES:
        return moves
    lasting = [move for move in moves if not wins_by(position.play(move), side.other, made + 2)]
    return lasting or moves


def _share_of_mistakes(position: QuantumPosition, move: str, worth: int) -> float:
    """Return the share of the opponent's replies to a best move that are mistakes."""
    after = position.play(move)
    if after.turn is position.turn:  # a choice: the next move is the chooser's own
        return 0.0
    replies = after.legal_moves()
    better = worth + 1 if position.turn is Side.X else worth - 1
    wrong = sum(_holds(after.play(reply), better, position.turn) for reply in replies)
    return wrong / len(replies) if replies else 0.0


def _reason(position: QuantumPosition, move: str, own: float, *, tempting: bool) -> Message:
    side, opponent = position.turn, position.turn.other
    after = position.play(move)
    if after.outcome is not None:
        return in_context(
            "what a move does", "ends the game: {reason}", reason=after.outcome.reason
        )
    moves = position.legal_moves()
    if position.measuring and _loses_at_once(position, moves, move):
        return in_context("what a move does", "keeps {side} from three in a row", side=opponent)
    if len(moves) == 1:
        return in_context("what a move does", "is the only move")
    prospect = _prospect(own, opponent, tempting=tempting)
    if after.measuring and after.turn is not side:
        # Translators: {prospect} is also what the move does, such as “keeps the draw”.
        return in_context("what a move does", "closes a cycle and {prospect}", prospect=prospect)
    return prospect


def _loses_at_once(position: QuantumPosition, choices: Sequence[str], chosen: str) -> bool:
    """Return whether the choice that was not taken would end the game in the opponent's favour."""
    outcomes = (position.play(choice).outcome for choice in choices if choice != chosen)
    return any(outcome and outcome.winner is position.turn.other for outcome in outcomes)


def _prospect(own: float, opponent: Side, *, tempting: bool) -> Message:
    if own > 0:
        if own == 1:
            return in_context("what a move does", "wins whatever {side} replies", side=opponent)
        return in_context(
            "what a move does", "wins by half a point whatever {side} replies", side=opponent
        )
    if tempting:
        if own == 0:
            return in_context(
                "what a move does", "keeps the draw and sets {side} a trap", side=opponent
            )
        return in_context(
            "what a move does", "loses if {side} finds the right replies", side=opponent
        )
    if own == 0:
        return in_context("what a move does", "keeps the draw")
    return _lost(own)


def _lost(own: float) -> Message:
    if own == -0.5:
        return in_context("what a move does", "loses by half a point and no more")
    return in_context("what a move does", "loses, as every move does")


EVALUATOR = solving(lambda position: solve(QuantumPosition.of(position)), PerfectQuantum)
"""The evaluator of quantum."""
