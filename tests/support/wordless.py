"""A plug-in with rules and nothing else: no words, no templates and no rules page."""

from engine import Variant, variants
from tests.support.noughts import NoughtsPosition

WORDLESS = Variant("wordless", "Wordless", "Wordless Crosses", NoughtsPosition())


def register() -> None:
    """Add the variant to those of the engine."""
    variants.register(WORDLESS)


def unregister() -> None:
    """Take it back."""
    variants.unregister(WORDLESS.key)
