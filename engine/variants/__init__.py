"""The five variants, in the order in which the capsule shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.variants.extreme import EXTREME
from engine.variants.numeric import NUMERIC
from engine.variants.quantum import QUANTUM
from engine.variants.tinc import TINC
from engine.variants.ultimate import ULTIMATE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Variant


VARIANTS: Mapping[str, Variant] = {
    variant.key: variant for variant in (TINC, ULTIMATE, NUMERIC, QUANTUM, EXTREME)
}
"""Every variant by its key."""
