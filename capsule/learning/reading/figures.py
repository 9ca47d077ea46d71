"""The facts about a game as a page writes them: numbers, shares and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from babel.numbers import format_decimal

from capsule.ui.languages import spoken
from capsule.ui.render import translate
from engine import VARIANTS, Side
from engine.facts.model import RANDOM
from engine.game import in_context, message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from engine import Message, Variant
    from engine.facts.model import EveryGame, Facts, FirstMoves, Ply, Sample

LEVEL = "club"
"""The bots whose games are counted."""


@dataclass(frozen=True)
class Figures:
    """The facts about a variant, and sentences about them, without a final period."""

    facts: Facts

    @property
    def variant(self) -> Variant:
        """The variant that they are about."""
        return VARIANTS[self.facts.variant]

    @property
    def random(self) -> Sample:
        """The games of random players."""
        return self.facts.sample(RANDOM)

    @property
    def club(self) -> Sample:
        """The games between bots of the club level."""
        return self.facts.sample(LEVEL)

    @property
    def beginnings(self) -> int:
        """The number of first moves."""
        return sum(len(kind.moves) for kind in self.facts.first_moves)

    @property
    def winning_beginnings(self) -> int:
        """The number of first moves that win."""
        kinds = self.facts.first_moves
        return sum(len(kind.moves) for kind in kinds if kind.value is not None and kind.value > 0)

    def first_moves(self) -> Sequence[Message]:
        """Return what each kind of first move is worth, a sentence each."""
        return [self._first_move(kind) for kind in self.facts.first_moves]

    def _first_move(self, kind: FirstMoves) -> Message:
        move, alike = kind.moves[0], len(kind.moves) - 1
        name = (
            move
            if not alike
            else plural(
                "{move} ({count} more by symmetry)",
                "{move} ({count} more by symmetry)",
                move=move,
                count=alike,
            )
        )
        if kind.value is None:
            return plural(
                "{moves}: {count} reply", "{moves}: {count} replies", moves=name, count=kind.replies
            )
        if kind.best_replies == kind.replies:
            value = self._value(kind.value)
            return message("{moves}: {value}, whatever the reply", moves=name, value=value)
        return message(
            "{moves}: {value}; good replies: {best} of {replies}",
            moves=name,
            value=self._value(kind.value),
            best=kind.best_replies,
            replies=kind.replies,
        )

    def _value(self, value: float) -> Message:
        if value == 0:
            return in_context("the result with best play", "a draw")
        side = self.variant.side_name(Side.X if value > 0 else Side.O)
        if abs(value) == 1:
            return message("{side} wins", side=side)
        return message("{side} wins by half a point", side=side)

    def endings(self, every: EveryGame) -> Sequence[Message]:
        """Return how many games end with which move, a sentence for each move that ends any."""
        return [
            self._ending(length, ply)
            for length, ply in enumerate(every.plies, start=1)
            if ply.ended
        ]

    def _ending(self, length: int, ply: Ply) -> Message:
        x, o = (self.variant.side_name(side) for side in Side)
        won = [
            plural("{count} won by {side}", "{count} won by {side}", count=count, side=side)
            for side, count in ((x, ply.x_wins), (o, ply.o_wins))
            if count
        ]
        if ply.draws:
            won.append(plural("{count} drawn", "{count} drawn", count=ply.draws))
        return message("Move {length}: {results}", length=length, results=tuple(won))

    def results(self, sample: Sample) -> Sequence[Message]:
        """Return how the games of a sample ended, a sentence for each result."""
        x, o = (self.variant.side_name(side) for side in Side)
        games = sample.games
        sentences = [
            message("{side} won {share}", side=x, share=share(sample.x_wins, games)),
            message("{side} won {share}", side=o, share=share(sample.o_wins, games)),
        ]
        if sample.draws:
            sentences.append(message("{share} were drawn", share=share(sample.draws, games)))
        if sample.unfinished:
            sentences.append(
                message(
                    "{share} were still open after {limit} turns",
                    share=share(sample.unfinished, games),
                    limit=sample.limit,
                )
            )
        return sentences


def share(part: int, whole: int) -> str:
    """Return a part of a whole in per cent, to a decimal place.

    >>> share(1, 3), share(0, 3)
    ('33.3 %', '0.0 %')
    """
    return _percent(decimal(100 * part / whole))


def chance(value: Fraction) -> str:
    """Return a probability in per cent, to two decimal places.

    >>> from fractions import Fraction
    >>> chance(Fraction(1, 3))
    '33.33 %'
    """
    return _percent(decimal(100 * float(value), 2))


def _percent(number: str) -> str:
    # Translators: a number in per cent, such as “62 %”.
    return translate(message("{number} %", number=number))


def decimal(value: float, places: int = 1) -> str:
    """Return a number rounded to this many decimal places, as the reader's language writes it.

    >>> decimal(8.0333), decimal(0.4519, 2)
    ('8.0', '0.45')
    """
    pattern = "#,##0." + "0" * places
    return format_decimal(round(value, places), format=pattern, locale=spoken().locale)
