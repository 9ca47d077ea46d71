"""The best move in a position, and a sentence on why."""

from dataclasses import replace
from random import Random

from engine.bots.bot import Choice, require_running
from engine.bots.registry import VariantBots, bots_of
from engine.game import Position, Side
from engine.messages import in_context
from engine.variants import variant_of


def suggest(position: Position, side: Side | None = None, seconds: float = 0.5) -> str | None:
    """Return the best move for a side, by default the one to move, or None without a move.

    `side` need not be the side to move. If the rules know such a position, the answer is then the
    best move if it were (see `Position.with_turn`): in ultimate and extreme in the boards where the
    opponent may play now, and no bonus move. In quantum a move belongs to a side by its number, so
    that only the side to move has one.

    A lost side is given a move too. There is none in a game that is over, but in numeric a draw by
    lack of numbers leaves moves to the side that still holds some. `seconds` is how long to think
    at most, if there is no certain answer; the same position gets the same suggestion unless time
    decides.
    """
    asked = position if side is None else position.with_turn(side)
    if asked is None or asked.outcome is not None:
        return None
    # No luck: the same position gets the same suggestion.
    return _best(bots_of(variant_of(asked).key), asked, seconds, Random(0)).move


def hint(position: Position, seconds: float, rng: Random) -> Choice:
    """Return the best move of a position that is not over, with a sentence on why.

    The sentence continues from the move and has no final period: "b2=5" "blocks 15 in row 2".

    Raises `ValueError` for a position that is over.
    """
    require_running(position)
    bots = bots_of(variant_of(position).key)
    choice = _best(bots, position, seconds, rng)
    reason = choice.reason
    if bots.explain is not None:
        reason = bots.explain(position, choice.move)
    if reason is None:
        reason = position.effect(choice.move) or in_context(
            "what a move does", "looked best in the time available"
        )
    return replace(choice, reason=reason)


def _best(bots: VariantBots, position: Position, seconds: float, rng: Random) -> Choice:
    return bots.levels["master"].judge.choose(position, seconds, rng)
