"""The rules of five descendants of noughts and crosses, in plain Python; `README.md` is a guide.

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
    MoveError,
    Outcome,
    Position,
    Side,
    SlottedPosition,
    Variant,
    View,
    drawn,
    won_by,
)
from engine.messages import (
    Message,
    Translations,
    Words,
    in_context,
    message,
    plural,
    plural_in_context,
)
from engine.style import ASCII, UNICODE, Style
from engine.variants import VARIANTS, register, unregister, variant_of

__all__ = [
    "ASCII",
    "UNICODE",
    "VARIANTS",
    "IllegalMove",
    "InvalidMove",
    "Message",
    "MoveError",
    "Outcome",
    "Position",
    "Side",
    "SlottedPosition",
    "Style",
    "Translations",
    "Variant",
    "View",
    "Words",
    "drawn",
    "in_context",
    "message",
    "plural",
    "plural_in_context",
    "register",
    "unregister",
    "variant_of",
    "won_by",
]
