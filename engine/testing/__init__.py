"""The laws that hold in every variant, as tests for pytest: a variant inherits them.

    from engine.testing import VariantLaws
    from notakto import NOTAKTO

    class TestNotakto(VariantLaws):
        variant = NOTAKTO
        longest = 9
        endings = frozenset({(1, 0), (0, 1)})

Each law looks at the positions of a few random games, which are the same in every run. A law that
fails names the moves of the game.
"""

from engine.testing.games import Playout, is_legal, refusal, some_moves
from engine.testing.play import PlayLaws
from engine.testing.words import UpperCase, WordLaws

__all__ = ["Playout", "UpperCase", "VariantLaws", "is_legal", "refusal", "some_moves"]


class VariantLaws(PlayLaws, WordLaws):
    """All laws of a variant; `engine.testing.games` lists what a subclass says of its game."""
