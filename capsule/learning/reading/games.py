"""The games and positions of the pages: moves alone, which the engine plays and draws.

The words are in the templates. Each illustration has a name there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


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
