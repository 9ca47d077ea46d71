"""Games and positions that the pages tell of: moves alone, which the engine plays and draws.

The words are in the templates. Each illustration has a name there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


EXAMPLES: Mapping[str, str] = {
    "tinc": ("a1 b3+c3 d2+b4 a3+a5 c2+c3 b2+b3 c4+c6 b5+e6 a1+g1 c2+c8 d2+d8 c1+c9"),
    "numeric": "b1=1 a1=6 c1=7 b2=8 a3=9 c3=2 b3=5 c2=4 a2=3",
    "quantum": "a1+c3 a1+b2 a1+c1 a2+a3 b1+b2 c1+b2 b2 c2+a3 c2+a3 a3",
}
"""The game that is told on the page of examples of each variant: its moves from the start."""

ILLUSTRATIONS: Mapping[str, Mapping[str, str]] = {
    "tinc": {
        "ready": "a1 b3+c3 d2+b4",
        "saved": "a1 b3+c3 d2+b4 b5",
        "blocked": "a1 b3+c3 d2+b4 a3+a5",
        "again": "a1 a1+c1 b3+d3 a2+c2 b4+f4 f3+g3 b5+h5",
        "forgotten": "a1 b3+c3 d2+b4 a3+a5 c2+c3 b2+b3 c4+c6 b5+e6 a1+g1 c2+c8 d2+d8",
    },
    "numeric": {
        "theirs": "b2=5 a1=4 c3=1 c1=8",
        "side": "b1=1",
        "corner": "a1=1 c3=4",
        "two threats": "c2=1 a3=8 a1=7 b3=6 c3=5",
        "last cells": "b1=1 a1=6 c1=7 b2=8 a3=9 c3=2 b3=5",
    },
    "quantum": {
        "corners": "a1+c3",
        "reply": "a1+c3 a1+b2",
        "only reply": "a1+c1 b1+b2",
        "twice": "a1+c3 a1+c3",
        "choice": "a1+c3 a1+b2 a1+c1 a2+a3 b1+b2 c1+b2",
        "both": "a1+c3 a1+b2 a1+c1 a2+a3 b1+b2 c1+b2 b2 c2+a3 c2+a3 a3",
    },
}
"""What the page of strategy of each variant shows: the moves to it, by the name in its template."""
