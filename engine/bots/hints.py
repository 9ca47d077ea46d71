"""The best move for whoever asks, and a sentence on why."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from engine.boards.local_boards import LocalBoardsPosition
from engine.bots.levels import level
from engine.bots.local_boards import reasons
from engine.bots.solvers.numeric import suggest_numeric
from engine.game import message
from engine.variants.extreme import ExtremePosition
from engine.variants.numeric import NumericPosition
from engine.variants.quantum import QuantumPosition
from engine.variants.tinc import TincPosition
from engine.variants.ultimate import UltimatePosition

if TYPE_CHECKING:
    from engine.bots.bot import Choice
    from engine.game import Position, Side


_KEYS: dict[type, str] = {
    TincPosition: "tinc",
    UltimatePosition: "ultimate",
    NumericPosition: "numeric",
    QuantumPosition: "quantum",
    ExtremePosition: "extreme",
}


def suggest(position: Position, side: Side | None = None, seconds: float = 0.5) -> str | None:
    """Return the best move for a side, by default the one to move; None where it has none.

    `side` need not be the side to move. In tinc, ultimate, extreme and numeric the answer is then
    the best move if it were: in the boards where the opponent may play now, and no bonus move. In
    quantum the number of a move tells whose it is, so that only the side to move has one.

    A lost side is given a move too. There is none in a game that is over, but in numeric a draw
    for want of numbers leaves moves to the side that still holds some. `seconds` is how long to
    think at most, where there is no certain answer; the same position gets the same suggestion
    wherever time does not decide.
    """
    side = side or position.turn
    if isinstance(position, NumericPosition):
        return suggest_numeric(position, side, seconds)
    if position.outcome is not None:
        return None
    if side is not position.turn:
        turned = _turned(position, side)
        if turned is None:
            return None
        position = turned
    chance = Random(0)
    return _master(position, seconds, chance).move


def hint(position: Position, seconds: float, chance: Random) -> Choice:
    """Return the best move of a position that is not over, with a sentence on why.

    The sentence goes on from the move and has no final period: "b2=5" "blocks 15 in row 2".

    Raises `ValueError` for a position that is over.
    """
    if position.outcome is not None:
        raise ValueError("The game is over: there is no move to choose")
    choice = _master(position, seconds, chance)
    if isinstance(position, LocalBoardsPosition):
        return replace(choice, reason=reasons.reason(position, choice.move))
    if choice.reason is None:
        return replace(choice, reason=message("looks best, as far as that could be seen in time"))
    return choice


def _master(position: Position, seconds: float, chance: Random) -> Choice:
    return level(_KEYS[type(position)], "master").bot.choose(position, seconds, chance)


def _turned(position: Position, side: Side) -> Position | None:
    """Return the position as if the other side were to move, where the rules let one ask that."""
    if isinstance(position, TincPosition):
        return replace(position, turn=side)
    if isinstance(position, UltimatePosition):
        return position._replace(turn=side)
    if isinstance(position, ExtremePosition):
        return position._replace(turn=side, bonus=False)
    return None
