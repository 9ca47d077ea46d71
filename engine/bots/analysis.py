"""What a finished game was worth after each move, and where it turned.

Of numeric, quantum and tinc the values are exact. In tinc every position without a win at hand is a
draw with care (`engine.bots.solvers.tinc` has the proof), so that its values are as plain as that. Of
ultimate and extreme they are what the search makes of a position in the time that it is given.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple, cast

from engine.bots.local_boards.bot import BoardsBot
from engine.bots.solvers import numeric, quantum, tinc
from engine.game import Message, Position, Side, message
from engine.variants import VARIANTS
from engine.variants.numeric import SIDE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from engine.bots.bot import Bot
    from engine.variants.numeric import NumericPosition
    from engine.variants.quantum import QuantumPosition
    from engine.variants.tinc import TincPosition

TURNING_POINTS = 3
"""How many turning points there are at most in a game that is not solved."""

LEAST_SWING = 0.05
"""By how much a chance must change for a turning point."""

MOST = 1000
"""How many moves are looked at; of a longer game, which tinc alone allows, the last ones."""

_SOLVED = ("numeric", "quantum")


@dataclass(frozen=True)
class Finding:
    """A move that mattered: a mistake or a turning point.

    `number` counts moves from 1. `before` and `after` are X's chances around it, from 0 to 1.
    `best` is the move that would have been better, None where none was found.
    """

    number: int
    move: str
    side: Side
    before: float
    after: float
    best: str | None

    @property
    def loss(self) -> float:
        """What it cost the side that moved; below 0 where it did better than was expected."""
        lost = self.before - self.after
        return lost if self.side is Side.X else -lost


@dataclass(frozen=True)
class Analysis:
    """What a game was worth: X's chances, from 0 (lost) to 1 (won), and what mattered.

    `chances[0]` is the chance after `first` moves, which is 0 but for very long games, and so on to
    the last move. A chance is (1 + X's points - O's) / 2. Of a game that `is_exact` each is what
    best play brings, else an estimate. `findings` are every mistake, in a solved game, or else the
    turning points, in order.
    """

    variant: str
    is_exact: bool
    first: int
    chances: tuple[float, ...]
    findings: tuple[Finding, ...]

    def words(self) -> tuple[Message, ...]:
        """Return a sentence for each finding, without a final period."""
        return tuple(_words(self.variant, finding) for finding in self.findings)

    def verdict(self, number: int) -> Message:
        """Return in a few words what the game was worth after so many moves.

        >>> str(Analysis("numeric", True, 0, (1.0, 0.5), ()).verdict(1))
        'a draw'
        """
        chance = self.chances[number - self.first]
        if not self.is_exact:
            return message("{side} {chance}", side=Side.X, chance=_percent(chance))
        if chance == 0.5:
            return message("a draw")
        side = _name(self.variant, Side.X if chance > 0.5 else Side.O)
        if chance in (0.25, 0.75):
            return message("{side} wins by half a point", side=side)
        return message("{side} wins", side=side)


def to_json(analysis: Analysis) -> str:
    """Return an analysis as a line of JSON."""
    findings = [asdict(finding) | {"side": finding.side.value} for finding in analysis.findings]
    return json.dumps(asdict(analysis) | {"findings": findings})


def from_json(text: str) -> Analysis:
    """Return the analysis that `to_json` wrote."""
    told = json.loads(text)
    findings = tuple(
        Finding(**(finding | {"side": Side(finding["side"])})) for finding in told["findings"]
    )
    return Analysis(**(told | {"chances": tuple(told["chances"]), "findings": findings}))


class _Judgement(NamedTuple):
    """What the side to move may expect, and the best move where it is known already."""

    chance: float
    best: str | None = None


def analyse(
    variant: str, moves: Sequence[str], seconds_per_move: float, chance: Random
) -> Analysis:
    """Return what a game was worth after each of its moves; it need not have ended by the rules.

    In ultimate and extreme it takes `seconds_per_move` for each position, in the others a moment
    for all. `chance` chooses where several moves are best. Raises the engine's errors where the
    moves cannot be played.
    """
    first = max(0, len(moves) - MOST)
    positions = [VARIANTS[variant].replay(moves[:first])]
    for move in moves[first:]:
        positions.append(positions[-1].play(move))
    judge, bot = _judges(variant, seconds_per_move, chance)
    judgements = [
        judge(position) if position.outcome is None else _Judgement(_ended(position))
        for position in positions
    ]
    chances = tuple(
        judgement.chance if position.turn is Side.X else 1 - judgement.chance
        for position, judgement in zip(positions, judgements, strict=True)
    )
    swings = [
        Finding(first + index + 1, move, positions[index].turn, before, after, None)
        for index, (move, before, after) in enumerate(
            zip(moves[first:], chances, chances[1:], strict=False)
        )
    ]
    findings = []
    for swing in _that_matter(variant, swings):
        index = swing.number - first - 1
        best = judgements[index].best
        if swing.loss > 0 and best is None:
            # An exact answer is worth waiting for, and never takes long.
            best = bot.choose(positions[index], inf, chance).move
        is_other = swing.loss > 0 and best != swing.move
        findings.append(replace(swing, best=best if is_other else None))
    return Analysis(
        variant=variant,
        is_exact=not isinstance(bot, BoardsBot),
        first=first,
        chances=chances,
        findings=tuple(findings),
    )


def _that_matter(variant: str, swings: Sequence[Finding]) -> list[Finding]:
    if variant in _SOLVED:
        return [swing for swing in swings if swing.loss > 0]
    large = [swing for swing in swings if abs(swing.loss) >= LEAST_SWING]
    # Of equal ones those that came last decided more.
    large.sort(key=lambda swing: (abs(swing.loss), swing.number), reverse=True)
    return sorted(large[:TURNING_POINTS], key=lambda swing: swing.number)


def _judges(
    variant: str, seconds: float, chance: Random
) -> tuple[Callable[[Position], _Judgement], Bot]:
    """Return what judges positions of a variant, and the bot that knows the best move."""

    def points(solve: Callable[[Position], float]) -> Callable[[Position], _Judgement]:
        return lambda position: _Judgement((1 + solve(position)) / 2)

    if variant == "numeric":
        return (
            points(lambda position: numeric.solve(cast("NumericPosition", position))),
            numeric.PerfectNumeric(),
        )
    if variant == "quantum":
        return (
            points(lambda position: quantum.solve(cast("QuantumPosition", position))),
            quantum.PerfectQuantum(),
        )
    if variant == "tinc":
        return (
            lambda position: _Judgement(tinc.expected(cast("TincPosition", position))),
            tinc.TincBot(),
        )
    bot = BoardsBot(noise=0.0)

    def searched(position: Position) -> _Judgement:
        choice = bot.choose(position, seconds, chance)
        return _Judgement(choice.chance, choice.move)

    return searched, bot


def _ended(position: Position) -> float:
    """Return what a finished game brought the side that would move."""
    if position.outcome is None:
        raise ValueError("The game is not over")
    x, o = position.outcome.points
    return (1 + x - o) / 2 if position.turn is Side.X else (1 + o - x) / 2


def _words(variant: str, finding: Finding) -> Message:
    if variant in _SOLVED:
        return _mistake(finding)
    if variant == "tinc":
        return _carelessness(finding)
    return _turn(finding)


def _own(finding: Finding) -> tuple[float, float]:
    """Return the chances of the side that moved, before and after."""
    if finding.side is Side.X:
        return finding.before, finding.after
    return 1 - finding.before, 1 - finding.after


_BETTER: Mapping[float, Callable[[str | None], Message]] = {
    1.0: lambda best: message("{best} wins", best=best),
    0.75: lambda best: message("{best} wins by half a point", best=best),
    0.5: lambda best: message("{best} keeps it", best=best),
    0.25: lambda best: message("{best} loses by half a point only", best=best),
}
"""What the best move brings, by what the side that moved had."""


def _mistake(finding: Finding) -> Message:
    before, after = _own(finding)
    number, move, better = finding.number, finding.move, _BETTER[before](finding.best)
    if before > 0.5 > after:
        return message(
            "Move {number}, {move}, turned a win into a loss: {better}",
            number=number,
            move=move,
            better=better,
        )
    if before == 1.0 and after > 0.5:
        better = message("{best} wins outright", best=finding.best)
    if (before > 0.5) is (after > 0.5) and before != 0.5:
        return message(
            "Move {number}, {move}, gave away half a point: {better}",
            number=number,
            move=move,
            better=better,
        )
    if before > 0.5:
        return message(
            "Move {number}, {move}, gave away the win: {better}",
            number=number,
            move=move,
            better=better,
        )
    return message(
        "Move {number}, {move}, gave away the draw: {better}",
        number=number,
        move=move,
        better=better,
    )


def _carelessness(finding: Finding) -> Message:
    before, after = _own(finding)
    values = {"number": finding.number, "move": finding.move, "best": finding.best}
    if before == 1.0 and after == 0.0:
        return message(
            "Move {number}, {move}, missed a win and left {side} one: {best} wins",
            side=finding.side.other,
            **values,
        )
    if before == 1.0:
        return message("Move {number}, {move}, missed a win: {best} wins", **values)
    return message(
        "Move {number}, {move}, forgot the edge and left {side} a line to fill: {best} is safe",
        side=finding.side.other,
        **values,
    )


def _turn(finding: Finding) -> Message:
    before, after = map(_percent, _own(finding))
    values = {"number": finding.number, "move": finding.move, "side": finding.side}
    values |= {"before": before, "after": after}
    if finding.loss < 0:
        return message(
            "Move {number}, {move}, was stronger than it looked: {side}'s chance rose from {before}"
            " to {after}",
            **values,
        )
    if finding.best is None:
        return message(
            "Move {number}, {move}: {side}'s chance fell from {before} to {after}, and nothing"
            " better was found",
            **values,
        )
    return message(
        "Move {number}, {move}: {side}'s chance fell from {before} to {after}; {best} looked"
        " better",
        best=finding.best,
        **values,
    )


def _percent(chance: float) -> str:
    """Return a chance in percent; only what is certain is 0 or 100.

    >>> _percent(0.625), _percent(0.999), _percent(1.0)
    ('62 %', '99 %', '100 %')
    """
    if chance in (0, 1):
        return f"{100 * chance:.0f} %"
    return f"{max(1, min(99, round(100 * chance)))} %"


def _name(variant: str, side: Side) -> Message | Side:
    return SIDE_NAMES[side] if variant == "numeric" else side
