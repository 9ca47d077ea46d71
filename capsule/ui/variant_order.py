"""The order of the variants for people who know none of them."""

from collections.abc import Sequence

from engine import VARIANTS, Variant

EASIEST_FIRST = ("ultimate", "numeric", "quantum", "extreme", "tinc")
"""The built-in variants, the one first that is explained in a minute and is over in ten."""


def easiest_first() -> Sequence[Variant]:
    """Return all variants, those that are easy to begin with first, and those of plug-ins last.

    >>> [variant.key for variant in easiest_first()][:2]
    ['ultimate', 'numeric']
    """
    return [
        *(VARIANTS[key] for key in EASIEST_FIRST),
        *(variant for key, variant in VARIANTS.items() if key not in EASIEST_FIRST),
    ]
