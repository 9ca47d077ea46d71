"""Evaluators: what the positions of a finished game are worth, and which of its moves mattered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

from engine.bots.bot import Bot
from engine.game import Position, Side, SideNames
from engine.messages import Message, in_context, message


@dataclass(frozen=True)
class Finding:
    """A move that mattered: a mistake or a turning point.

    `number` counts moves from 1. `before` and `after` are X's probabilities of winning around it,
    from 0 to 1. `best` is the move that would have been better, None if none was found.
    """

    number: int
    move: str
    side: Side
    before: float
    after: float
    best: str | None

    @property
    def loss(self) -> float:
        """The cost to the side that moved; negative if it did better than expected."""
        lost = self.before - self.after
        return lost if self.side is Side.X else -lost

    @property
    def own(self) -> tuple[float, float]:
        """The winning probabilities of the side that moved, before and after."""
        if self.side is Side.X:
            return self.before, self.after
        return 1 - self.before, 1 - self.after


class Evaluation(NamedTuple):
    """The winning probability of the side to move, from 0 to 1, and its best move if known."""

    win_probability: float
    best: str | None = None


@dataclass(frozen=True)
class Evaluator:
    """A judge of a variant: what its positions are worth, and what mattered in its games.

    Attributes:
        evaluate: evaluates a position that is not over, in the given number of seconds.
        bot: makes the bot that names the better move if an evaluation named none.
        words: says a finding in a sentence without a final period.
        is_exact: whether an evaluation is what best play brings; else it is an estimate.
        finds_every_mistake: whether each loss is a finding, and not the greatest swings alone.
    """

    evaluate: Callable[[Position, float, Random], Evaluation]
    bot: Callable[[], Bot]
    words: Callable[[Finding, SideNames], Message]
    is_exact: bool = False
    finds_every_mistake: bool = False


def searching(make: Callable[[], Bot]) -> Evaluator:
    """Return an evaluator that takes a bot's estimate as the value of a position."""
    bot = cache(make)

    def evaluate(position: Position, seconds: float, rng: Random) -> Evaluation:
        choice = bot().choose(position, seconds, rng)
        return Evaluation(choice.win_probability, choice.move)

    return Evaluator(evaluate, bot, turning_point)


def solving(solve: Callable[[Position], float], make: Callable[[], Bot]) -> Evaluator:
    """Return an evaluator of a solved variant, whose bot plays perfectly.

    `solve` returns the points that the side to move can force, less the opponent's.
    """
    return Evaluator(
        lambda position, _seconds, _rng: Evaluation((1 + solve(position)) / 2),
        make,
        mistake,
        is_exact=True,
        finds_every_mistake=True,
    )


_BETTER: Mapping[float, Message] = {
    # Translators: {best} is a move that would have been better.
    1.0: in_context("the better move", "{best} wins"),
    0.75: in_context("the better move", "{best} wins by half a point"),
    # Translators: {best} is a move that would have kept the draw.
    0.5: in_context("the better move", "{best} keeps it"),
    0.25: in_context("the better move", "{best} loses by only half a point"),
}
"""The value of the best move in words, by the value before the move."""


def mistake(finding: Finding, _names: SideNames) -> Message:
    """Return the words for a move that gave something away, if all values are exact."""
    before, after = finding.own
    better = _BETTER[before].filled(best=finding.best)
    if before == 1.0 and after > 0.5:
        better = in_context("the better move", "{best} wins outright", best=finding.best)
    values = {"number": finding.number, "move": finding.move, "better": better}
    if before > 0.5 > after:
        # Translators: {move} is a move, {better} has the context “the better move”: “b2=5 wins”.
        return message("Move {number}, {move}, turned a win into a loss: {better}", **values)
    if (before > 0.5) is (after > 0.5) and before != 0.5:
        # Translators: {move} is a move, {better} has the context “the better move”: “b2=5 wins”.
        return message("Move {number}, {move}, gave away half a point: {better}", **values)
    if before > 0.5:
        # Translators: {move} is a move, {better} has the context “the better move”: “b2=5 wins”.
        return message("Move {number}, {move}, gave away the win: {better}", **values)
    # Translators: {move} is a move, {better} has the context “the better move”: “b2=5 keeps it”.
    return message("Move {number}, {move}, gave away the draw: {better}", **values)


def turning_point(finding: Finding, names: SideNames) -> Message:
    """Return the words for a move that changed the judgement of a game."""
    before, after = map(percent, finding.own)
    values = {"number": finding.number, "move": finding.move, "side": names[finding.side]}
    values |= {"before": before, "after": after}
    if finding.loss < 0:
        # Translators: {side} is X or O; {before} and {after} are such as “62 %”.
        return message(
            "Move {number}, {move}, was stronger than it looked: {side}'s chance rose from {before}"
            " to {after}",
            **values,
        )
    if finding.best is None:
        # Translators: {side} is X or O; {before} and {after} are such as “62 %”.
        return message(
            "Move {number}, {move}: {side}'s chance fell from {before} to {after}, and nothing"
            " better was found",
            **values,
        )
    # Translators: {side} is X or O; {before} and {after} are such as “62 %”; {best} is a move.
    return message(
        "Move {number}, {move}: {side}'s chance fell from {before} to {after}; {best} looked"
        " better",
        best=finding.best,
        **values,
    )


def percent(win_probability: float) -> Message:
    """Return a probability in per cent; only what is certain is 0 or 100.

    >>> [str(percent(probability)) for probability in (0.625, 0.999, 1.0)]
    ['62 %', '99 %', '100 %']
    """
    certain = win_probability in (0, 1)
    number = round(100 * win_probability)
    # Translators: a number in per cent, such as “62 %”.
    return message("{number} %", number=number if certain else max(1, min(99, number)))
