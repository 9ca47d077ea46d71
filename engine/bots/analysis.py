"""The analysis of a finished game: its value after each move, and where it turned.

The evaluators of the variants are in `engine.bots.registry`. In a solved variant the values are
exact; in the others they are estimates by a search in the time that it is given.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from random import Random

from engine.bots.evaluators import Evaluation, Evaluator, Finding, percent
from engine.bots.registry import bots_of
from engine.game import Position, Side, Variant
from engine.messages import Message, in_context
from engine.variants import VARIANTS, variant_of

MAX_TURNING_POINTS = 3
"""The largest number of findings, unless every mistake is one."""

MIN_SWING = 0.05
"""The least change of a winning probability that makes a turning point."""

MAX_MOVES = 1000
"""The number of moves that are analysed; of a longer game, the last ones."""


@dataclass(frozen=True)
class Analysis:
    """The value of a game: X's winning probabilities, from 0 to 1, and the moves that mattered.

    `win_probabilities[0]` is X's after `first` moves, which is 0 except in very long games, and so
    on to the last move; each is as `Outcome.value_for` counts. Of a game that `is_exact` it is what
    best play brings, else an estimate. `findings` are the mistakes or turning points, in order.
    """

    variant: str
    is_exact: bool
    first: int
    win_probabilities: tuple[float, ...]
    findings: tuple[Finding, ...]

    def words(self) -> tuple[Message, ...]:
        """Return a sentence for each finding, without a final period."""
        words, names = bots_of(self.variant).evaluator.words, VARIANTS[self.variant].side_names
        return tuple(words(finding, names) for finding in self.findings)

    def verdict(self, number: int) -> Message:
        """Return in a few words what the game was worth after `number` moves.

        >>> str(Analysis("numeric", True, 0, (1.0, 0.5), ()).verdict(1))
        'a draw'
        """
        win_probability = self.win_probabilities[number - self.first]
        return verdict_of(VARIANTS[self.variant], Side.X, win_probability, is_exact=self.is_exact)


def verdict_of(variant: Variant, side: Side, win_probability: float, *, is_exact: bool) -> Message:
    """Return in a few words what a position is worth, by a side's winning probability.

    >>> str(verdict_of(VARIANTS["quantum"], Side.O, 0.25, is_exact=True))
    'X wins by half a point'
    """
    names = variant.side_names
    if not is_exact:
        # Translators: {side} is X or O, {chance} its chance to win, such as “62 %”.
        return in_context(
            "what a position is worth",
            "{side} {chance}",
            side=names[side],
            chance=percent(win_probability),
        )
    if win_probability == 0.5:
        is_endless = variant.may_never_end
        if is_endless:
            return in_context("what a position is worth", "neither can force a win")
        # Translators: what a position is worth stands after a colon, or after “with best play”.
        return in_context("what a position is worth", "a draw")
    winner = names[side if win_probability > 0.5 else side.other]
    if win_probability in (0.25, 0.75):
        # Translators: {side} is X or O.
        return in_context("what a position is worth", "{side} wins by half a point", side=winner)
    # Translators: {side} is X or O, or Odd or Even.
    return in_context("what a position is worth", "{side} wins", side=winner)


def exact_value(position: Position) -> float | None:
    """Return what best play from a position brings X, from 0 to 1; None if that is not known.

    That takes a moment, at the start of numeric a fifth of a second if nobody has asked before.

    >>> exact_value(VARIANTS["quantum"].start), exact_value(VARIANTS["ultimate"].start)
    (0.75, None)
    """
    if position.outcome is not None:
        return position.outcome.value_for(Side.X)
    evaluator = bots_of(variant_of(position).key).evaluator
    if not evaluator.is_exact:
        return None
    value = evaluator.evaluate(position, 0.0, Random(0)).win_probability
    return value if position.turn is Side.X else 1 - value


def to_json(analysis: Analysis) -> str:
    """Return an analysis as a line of JSON.

    Its members are named as they have been since the first analyses were stored.
    """
    findings = [asdict(finding) | {"side": finding.side.value} for finding in analysis.findings]
    return json.dumps(
        {
            "variant": analysis.variant,
            "is_exact": analysis.is_exact,
            "first": analysis.first,
            "chances": analysis.win_probabilities,
            "findings": findings,
        }
    )


def from_json(text: str) -> Analysis:
    """Return the analysis that `to_json` wrote."""
    data = json.loads(text)
    return Analysis(
        variant=data["variant"],
        is_exact=data["is_exact"],
        first=data["first"],
        win_probabilities=tuple(data["chances"]),
        findings=tuple(
            Finding(**(finding | {"side": Side(finding["side"])})) for finding in data["findings"]
        ),
    )


def analyse(
    variant: str, moves: Sequence[str], seconds_per_move: float, rng: Random, first: int = 0
) -> Analysis:
    """Return what a game was worth after each of its moves; it need not have ended by the rules.

    The first moves, `first` of them, are not analysed: nobody chose them in the game. A search
    takes `seconds_per_move` for each position, a solver a moment for all. `rng` chooses if several
    moves are best. Raises the engine's errors if the moves cannot be played.
    """
    first = max(first, len(moves) - MAX_MOVES)
    positions = [VARIANTS[variant].replay(moves[:first])]
    for move in moves[first:]:
        positions.append(positions[-1].play(move))
    evaluator = bots_of(variant).evaluator
    evaluations = [
        evaluator.evaluate(position, seconds_per_move, rng)
        if position.outcome is None
        else Evaluation(position.outcome.value_for(position.turn))
        for position in positions
    ]
    values = tuple(
        evaluation.win_probability if position.turn is Side.X else 1 - evaluation.win_probability
        for position, evaluation in zip(positions, evaluations, strict=True)
    )
    swings = [
        Finding(first + index + 1, move, positions[index].turn, before, after, None)
        for index, (move, before, after) in enumerate(
            zip(moves[first:], values, values[1:], strict=False)
        )
    ]
    findings = []
    bot = evaluator.bot()
    for swing in _that_matter(evaluator, swings):
        index = swing.number - first - 1
        best = evaluations[index].best
        if swing.loss > 0 and best is None:
            # An exact answer is worth waiting for, and never takes long.
            best = bot.choose(positions[index], inf, rng).move
        is_other = swing.loss > 0 and best != swing.move
        findings.append(replace(swing, best=best if is_other else None))
    return Analysis(
        variant=variant,
        is_exact=evaluator.is_exact,
        first=first,
        win_probabilities=values,
        findings=tuple(findings),
    )


def _that_matter(evaluator: Evaluator, swings: Sequence[Finding]) -> list[Finding]:
    if evaluator.finds_every_mistake:
        return [swing for swing in swings if swing.loss > 0]
    large = [swing for swing in swings if abs(swing.loss) >= MIN_SWING]
    # Of equal ones those that came last decided more.
    large.sort(key=lambda swing: (abs(swing.loss), swing.number), reverse=True)
    return sorted(large[:MAX_TURNING_POINTS], key=lambda swing: swing.number)
