"""Draw offers to bots, which decide by their own evaluation of the position."""

from random import Random

from engine.bots.levels import Level
from engine.game import Position, Side

CLEARLY_WORSE = 0.4
"""Below this probability of winning, a bot is content with a draw."""


def is_content_with_draw(level: Level, position: Position, side: Side, rng: Random) -> bool:
    """Return whether the bot of a level, playing `side`, is content with a draw in a running game.

    It is if it has proven the draw, or is clearly worse off. In a game that may never end, in which
    nobody can force anything, it is unless it sees a win: a turn that would win if it came next. It
    takes as long as for a move. Raises `ValueError` for a position that is over.
    """
    if position.may_never_end:
        return not _sees_win(level, position, side, rng)
    choice = level.judge.choose(position, level.seconds, rng)
    own = choice.win_probability if position.turn is side else 1 - choice.win_probability
    return own < CLEARLY_WORSE or (choice.is_exact and own == 0.5)


def _sees_win(level: Level, position: Position, side: Side, rng: Random) -> bool:
    asked = position.with_turn(side)
    if asked is None:
        return False
    outcome = asked.play(level.bot.choose(asked, level.seconds, rng).move).outcome
    return outcome is not None and outcome.winner is side
