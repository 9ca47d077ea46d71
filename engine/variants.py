"""The five variants, in the order in which the capsule shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.extreme import EXTREME
from engine.numeric import NUMERIC
from engine.quantum import QUANTUM
from engine.tinc import TINC
from engine.ultimate import ULTIMATE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Variant

VARIANTS: Mapping[str, Variant] = {
    variant.key: variant for variant in (TINC, ULTIMATE, NUMERIC, QUANTUM, EXTREME)
}
"""Every variant by its key."""
