"""The registry of variants, in display order: the five built-in ones, then those registered."""

import re
from collections.abc import Mapping

from engine.game import Position, Variant
from engine.variants.extreme import EXTREME
from engine.variants.numeric import NUMERIC
from engine.variants.quantum import QUANTUM
from engine.variants.tinc import TINC
from engine.variants.ultimate import ULTIMATE

_variants: dict[str, Variant] = {
    variant.key: variant for variant in (TINC, ULTIMATE, NUMERIC, QUANTUM, EXTREME)
}

BUILT_IN = tuple(_variants)
"""The keys of the five built-in variants."""

VARIANTS: Mapping[str, Variant] = _variants
"""Every variant by its key. `register` adds to them."""


def register(variant: Variant) -> None:
    """Add a variant after the others.

    Raises `ValueError` if its key is taken or is not a lower-case word, or if its positions are of
    the same class as another variant's.
    """
    if not re.fullmatch("[a-z][a-z0-9]*", variant.key):
        raise ValueError(f"The key of a variant is a lower-case word, not {variant.key!r}")
    if variant.key in _variants:
        raise ValueError(f"There is a variant {variant.key} already")
    for other in _variants.values():
        if type(other.start) is type(variant.start):
            raise ValueError(f"{variant.key} and {other.key} have the same class of positions")
    _variants[variant.key] = variant


def unregister(key: str) -> None:
    """Remove a variant that was registered; raises `KeyError` if there is none."""
    del _variants[key]


def variant_of(position: Position) -> Variant:
    """Return the variant of a position.

    Raises `ValueError` if it belongs to no registered variant.

    >>> variant_of(QUANTUM.start.play("a1+c3")).name
    'Quantum'
    """
    for variant in _variants.values():
        if type(variant.start) is type(position):
            return variant
    raise ValueError(f"{type(position).__name__} is a position of no registered variant")
