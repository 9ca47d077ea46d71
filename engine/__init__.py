"""The rules of five descendants of noughts and crosses, in plain Python.

>>> from engine import VARIANTS
>>> position = VARIANTS["ultimate"].start
>>> position.parse("E5")
'e5'
>>> position.play("e5").turn
<Side.O: 'O'>
"""

from engine.game import (
    IllegalMove,
    InvalidMove,
    Message,
    MoveError,
    Outcome,
    Position,
    Side,
    Variant,
)
from engine.variants import VARIANTS

__all__ = [
    "VARIANTS",
    "IllegalMove",
    "InvalidMove",
    "Message",
    "MoveError",
    "Outcome",
    "Position",
    "Side",
    "Variant",
]
