"""The sources of the facts about each variant: games known by heart, and what can be counted.

No game is shorter than the shortest ones here:

- tinc: the grid has five cells a side from turn 3 on, and X has placed five symbols with turn 5,
  no sooner, O four with turn 4. On turn 2 O would need three symbols, and places two.
- ultimate: a win takes nine marks in three boards, and X has the ninth mark with move 17.
- numeric: three numbers make a line, and the third is Odd's. Two odd numbers and one even make an
  even sum, so Odd's second number never makes 15 with Even's first.
- quantum: X has a third mark with move 5, and it settles by a choice, which is a separate move.
- extreme: X needs nine marks and has two bonus moves, of the first two boards won: seven turns of
  X's, and six of O's between them.

No game is longer than the longest ones: nothing can be placed once all cells are full, and in
quantum each measurement settles two squares or more, so that nine moves come with four choices at
most.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.bots.solvers import numeric, quantum
from engine.facts.every_numeric_game import every_game
from engine.facts.growth import growth
from engine.facts.model import EveryGame, Growth
from engine.facts.progress import Progress
from engine.game import Position, Variant
from engine.variants.extreme import EXTREME
from engine.variants.numeric import NUMERIC, NumericPosition
from engine.variants.quantum import QUANTUM, QuantumPosition
from engine.variants.tinc import TINC
from engine.variants.ultimate import ULTIMATE


@dataclass(frozen=True)
class FactSources:
    """The sources of the facts about a variant.

    Attributes:
        variant: the variant.
        counted: the length of the longest sequences of moves that are counted.
        shortest: the moves of a shortest game, separated by spaces.
        longest: those of a longest game, None if a game may never end.
        random_games: how many games of random players are counted.
        reply_values: what each of O's replies to a first move is worth to X, None if nobody
            knows.
        every_game: counts all games, None if there are too many.
        growth: says how the grid grows, or None for a fixed board.
    """

    variant: Variant
    counted: int
    shortest: str
    longest: str | None
    random_games: int = 2000
    reply_values: Callable[[Position], Sequence[float]] | None = None
    every_game: Callable[[Progress], EveryGame] | None = None
    growth: Callable[[], Growth] | None = None


def _numeric_replies(position: Position) -> Sequence[float]:
    return [0.0 - value for value in numeric.values(NumericPosition.of(position)).values()]


def _quantum_replies(position: Position) -> Sequence[float]:
    start = QuantumPosition.of(position)
    # After one of O's moves it is X's turn: to move, or to choose.
    return [quantum.solve(start.play(move)) for move in start.legal_moves()]


SOURCES: Mapping[str, FactSources] = {
    sources.variant.key: sources
    for sources in (
        FactSources(
            TINC,
            counted=4,
            shortest="a1 c2+c3 c2+c4 d2 c1+c5",
            longest=None,
            random_games=500,
            growth=growth,
        ),
        FactSources(
            ULTIMATE,
            counted=8,
            shortest="h7 f1 h2 f5 h4 f3 i7 i1 i2 i4 g2 c4 h6 f9 g7 c1 h5",
            longest=(
                "h5 f4 g2 b5 e6 f7 h1 e2 d5 b6 e8 d6 c8 i5 i6 g9 b7 d3 a9 a8 a5 c6 h9 f8 g6 b8 e5 "
                "d4 b3 d9 b9 d8 c5 h6 e9 e7 f3 i9 i8 g5 b4 f2 h4 e1 d2 c4 i1 g1 b1 d1 c1 h3 f9 g7 "
                "c2 i4 i2 g4 a3 c7 g3 c9 h8 f5 d7 a2 a4 c3 i7 h2 f6 h7 f1 i3 g8 a6 a7 a1 b2 e4 e3"
            ),
        ),
        FactSources(
            NUMERIC,
            counted=9,
            shortest="b2=5 a1=4 b1=1 c3=6",
            longest="b2=9 b3=6 a1=3 a2=8 c2=7 c3=4 c1=5 a3=2 b1=1",
            reply_values=_numeric_replies,
            every_game=every_game,
        ),
        FactSources(
            QUANTUM,
            counted=6,
            shortest="b2+a3 a3+b3 b1+a3 c1+c2 b1+b3 b3",
            longest="c1+c3 c1+c3 c3 a3+b3 a3+b3 a3 a2+c2 a2+c2 c2 b1+b2 b1+b2 b1 a1",
            reply_values=_quantum_replies,
        ),
        FactSources(
            EXTREME,
            counted=6,
            shortest="e5 m4 c1 i3 h9 n8 f4 p1 c2 p4 c3 h7 f3 h8 d6",
            longest=(
                "k2 m5 a4 l2 q5 f4 r3 p8 k4 m2 k5 f6 h7 e1 f3 r8 r6 h8 n5 e6 d8 c4 q3 m8 a5 l5 q4 "
                "d2 c6 q9 o7 q2 o4 q1 n2 e5 n4 d3 l8 p6 j7 a3 l7 p3 j8 b4 f1 h1 e2 o5 r4 g1 l1 i3 "
                "r7 p1 b2 d5 l6 i7 r2 i4 i2 g5 j6 k7 e3 f8 i5 g4 b3 e9 n8 m4 j1 c1 i1 g2 j5 l4 g3 "
                "k8 e4 o1 h3 e7 o2 h5 f5 p4 k3 f9 r9 h9 e8 n6 d7 j2 c5 q6 m7 c3 g7 k1 m1 l3 q8 o6 "
                "i9 i8 g6 a7 j3 b7 m3 b8 m6 j9 a9 l9 q7 n1 n3 n9 o8 r5 h4 f2 i6 p7 a1 b1 o3 p9 k9 "
                "m9 a8 b5 d4 a2 b6 n7 d1 c2 p5 j4 g8 k6 f7 h2 d6 c9 g9 c7 p2 a6 b9 d9 c8 h6 o9 r1"
            ),
        ),
    )
}
"""The sources of the facts about each built-in variant, by its key."""
