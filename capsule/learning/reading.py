"""Pages to read about a variant: an annotated game, strategy, history, and facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from babel.numbers import format_decimal

from capsule.accounts.identity import Visitor, reader_of, static_page
from capsule.context import AppContext
from capsule.gemini.types import Request, Response
from capsule.languages.model import active_language
from capsule.puzzles.model import Line, line
from capsule.ui.boards import board_address
from capsule.ui.render import Block, block, translate
from capsule.ui.routes import Routes, cacheable, named, narrowable, one_of
from engine import VARIANTS, Message, Side, Style, Variant, in_context, message, plural
from engine.facts.model import RANDOM, EveryGame, Facts, FirstMoves, Ply, Sample, facts_about

EXAMPLES: Mapping[str, str] = {
    "tinc": "a1 b3+c3 d2+b4 a3+a5 c2+c3 b2+b3 c4+c6 b5+e6 a1+g1 c2+c8 d2+d8 c1+c9",
    "ultimate": (
        "f4 g2 c4 g3 c7 g1 a3 a7 c3 i9 i8 h4 e1 f2 h6 d9 c8 h5 e4 d2 b5 d5 b4 e2 d4 b3 e9 d7 a1 a2 "
        "b6 e8 c9 h9 f9 g7 b2"
    ),
    "numeric": "b1=1 a1=6 c1=7 b2=8 a3=9 c3=2 b3=5 c2=4 a2=3",
    "quantum": "a1+c3 a1+b2 a1+c1 a2+a3 b1+b2 c1+b2 b2 c2+a3 c2+a3 a3",
    "extreme": (
        "o6 p7 j3 l9 q7 o2 r4 r1 i1 p3 b8 m6 l7 q2 m4 l1 i3 q9 f8 i5 q5 o5 q4 d2 c4 g1 c1 h1 f2 h6 "
        "d7 b2 o4 d8 a4 k2 e5 d4 a3 j7 b3 f9 q8"
    ),
}
"""The annotated game on each variant's example page: its moves from the start."""


def _example(variant: str, count: int) -> str:
    """Return the first moves of an example."""
    return " ".join(EXAMPLES[variant].split()[:count])


ILLUSTRATIONS: Mapping[str, Mapping[str, str]] = {
    "tinc": {
        "ready": _example("tinc", 3),
        "saved": "a1 b3+c3 d2+b4 b5",
        "blocked": _example("tinc", 4),
        "again": "a1 a1+c1 b3+d3 a2+c2 b4+f4 f3+g3 b5+h5",
        "forgotten": _example("tinc", 11),
    },
    "ultimate": {
        "where": _example("ultimate", 21),
        "free": _example("ultimate", 32),
        "gaps": _example("ultimate", 33),
    },
    "numeric": {
        "theirs": "b2=5 a1=4 c3=1 c1=8",
        "side": "b1=1",
        "corner": "a1=1 c3=4",
        "two threats": "c2=1 a3=8 a1=7 b3=6 c3=5",
        "last cells": _example("numeric", 7),
    },
    "quantum": {
        "corners": "a1+c3",
        "reply": "a1+c3 a1+b2",
        "only reply": "a1+c1 b1+b2",
        "twice": "a1+c3 a1+c3",
        "choice": _example("quantum", 6),
        "both": _example("quantum", 10),
    },
    "extreme": {
        "double": _example("extreme", 32),
        "bonus": _example("extreme", 28),
        "forbidden": _example("extreme", 41),
    },
}
"""The positions on each variant's strategy page: the moves to each, by its name in the template."""


LEVEL = "club"
"""The level of the bots whose games are counted."""


@dataclass(frozen=True)
class Figures:
    """The facts about a variant, and sentences about them, without a final period."""

    facts: Facts

    @property
    def variant(self) -> Variant:
        """The variant that the facts are about."""
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
        """Return the value of each kind of first move, a sentence each."""
        return [self._first_move(kind) for kind in self.facts.first_moves]

    def _first_move(self, kind: FirstMoves) -> Message:
        move, others = kind.moves[0], len(kind.moves) - 1
        name = (
            move
            if not others
            else plural(
                "{move} ({count} more by symmetry)",
                "{move} ({count} more by symmetry)",
                move=move,
                count=others,
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
        """Return the number of games that end with each move, a sentence for each such move."""
        return [
            self._ending(length, ply)
            for length, ply in enumerate(every.plies, start=1)
            if ply.ended
        ]

    def _ending(self, length: int, ply: Ply) -> Message:
        x, o = (self.variant.side_name(side) for side in Side)
        results = [
            plural("{count} won by {side}", "{count} won by {side}", count=count, side=side)
            for side, count in ((x, ply.x_wins), (o, ply.o_wins))
            if count
        ]
        if ply.draws:
            results.append(plural("{count} drawn", "{count} drawn", count=ply.draws))
        return message("Move {length}: {results}", length=length, results=tuple(results))

    def results(self, sample: Sample) -> Sequence[Message]:
        """Return the share of each result in the games of a sample, a sentence each."""
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
    """Return a part of a whole as a percentage, to one decimal place.

    >>> share(1, 3), share(0, 3)
    ('33.3 %', '0.0 %')
    """
    return _percent(decimal(100 * part / whole))


def chance(value: Fraction) -> str:
    """Return a probability as a percentage, to two decimal places.

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
    return format_decimal(round(value, places), format=pattern, locale=active_language().locale)


@dataclass(frozen=True)
class GameReading:
    """A game, and the style of its boards. Moves are counted from 1."""

    line: Line
    style: Style

    def board(self, number: int) -> Block:
        """Return the board after a move, with the cells that it marked in brackets."""
        before, after = self.line.positions[number - 1 : number + 1]
        move = self.line.moves[number - 1]
        title = message("The board after move {number}, {move}", number=number, move=move)
        return block(after.close_up(self.style, before.marked_by(move)), translate(title))

    def address(self, number: int | None = None) -> str:
        """Return the address of the board after a number of moves, by default after the last."""
        return board_address(self.line.variant.key, self.line.moves[:number])

    @cached_property
    def _sentences(self) -> Sequence[Message]:
        return [self._sentence(number) for number in range(1, self.line.ply + 1)]

    def move(self, number: int) -> Message:
        """Return a move with its number, its side and its effect: "12. X: b2"."""
        return self._sentences[number - 1]

    def _sentence(self, number: int) -> Message:
        position, move = self.line.positions[number - 1], self.line.moves[number - 1]
        side, effect = self.line.variant.side_name(position.turn), position.effect(move)
        if effect is None:
            narration = position.narration(move)
            return message("{number}. {side}: {move}", number=number, side=side, move=narration)
        return message(
            "{number}. {side}: {move} {effect}", number=number, side=side, move=move, effect=effect
        )

    def sentences(self, first: int, last: int) -> Sequence[Message]:
        """Return the moves from one number to another, worded as `move` words them."""
        return self._sentences[first - 1 : last]

    def in_brief(self, first: int, last: int) -> Message:
        """Return the moves from one number to another in one line, without their effects."""
        part = slice(first - 1, last)
        moves, positions = self.line.moves[part], self.line.positions[part]
        narration = replace(self.line, moves=moves, positions=positions).narration
        return message("Moves {first} to {last}: {moves}", first=first, last=last, moves=narration)


@lru_cache(maxsize=256)
def annotated_game(variant: str, moves: str, style: Style) -> GameReading:
    """Return the game with these moves, separated by spaces; games are cached by style."""
    return GameReading(line(variant, (), moves.split()), style)


_VARIANT = one_of("variant", EXAMPLES)


@cacheable
@narrowable
def example(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page of a whole game, annotated move by move."""
    visitor = reader_of(context, request)
    game = annotated_game(variant, EXAMPLES[variant], visitor.preferences.style)
    return _page(context, visitor, "example", variant, game=game)


@cacheable
@narrowable
def strategy(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page about a variant's strategy, with what is proven about it."""
    visitor = reader_of(context, request)
    style = visitor.preferences.style
    shown = {
        name: annotated_game(variant, moves, style)
        for name, moves in ILLUSTRATIONS[variant].items()
    }
    known = facts_about(variant)
    figures = None if known is None else Figures(known)
    return _page(context, visitor, "strategy", variant, shown=shown, figures=figures)


@cacheable
@narrowable
def history(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page about a variant's history."""
    return _page(context, reader_of(context, request), "history", variant)


@cacheable
@narrowable
def facts(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page of figures about a variant, and of how they were computed."""
    known = facts_about(variant)
    if known is None:
        raise LookupError(f"No facts about {variant} have been computed")
    visitor, figures = reader_of(context, request), Figures(known)
    return _page(
        context, visitor, "facts", variant, facts=known, figures=figures, address=board_address
    )


def _page(
    context: AppContext, visitor: Visitor, kind: str, variant: str, **values: object
) -> Response:
    return static_page(
        context,
        visitor,
        f"learning/reading/{kind}/{variant}.gmi",
        variant=VARIANTS[variant],
        kind=kind,
        share=share,
        chance=chance,
        decimal=decimal,
        **values,
    )


ROUTES: Routes = named(
    "learning.reading.pages",
    (
        (f"/rules/{_VARIANT}/example", example),
        (f"/rules/{_VARIANT}/strategy", strategy),
        (f"/rules/{_VARIANT}/history", history),
        (f"/rules/{_VARIANT}/facts", facts),
    ),
)
