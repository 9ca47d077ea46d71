"""The variant of a game whose plug-in is not loaded: its key is known, and nothing else.

Its games stay as they are stored. Lists and counts leave them out (`schema.absences.is_present`),
no deadline ends one (`deadlines.with_deadlines_applied`), and the page of one says why it cannot be
shown. When the plug-in is back, their clocks go on with the time that they had (`games.absence`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from capsule.errors import NotAtPresent
from engine import VARIANTS, Side, Variant
from engine.game import Position, message

if TYPE_CHECKING:
    from engine import Message

NO_GAME = message("This capsule does not have the variant of this game at present")
"""The reason why the page of a game cannot be shown."""


class _UnknownPosition(Position):
    """A position of a variant without rules: each question to it raises `NotAtPresent`."""

    turn = Side.X
    outcome = None

    def _unknown(self, *_arguments: object, **_named: object) -> NoReturn:
        raise NotAtPresent(NO_GAME)

    legal_moves = parse = play = diagram = describe = instruction = _unknown


def variant_called(key: str) -> Variant:
    """Return the variant with this key; one without rules if it is not loaded."""
    return VARIANTS.get(key) or Variant(key, name=key, title=key, start=_UnknownPosition())


def is_loaded(variant: Variant) -> bool:
    """Return whether the rules of a stored game's variant are known."""
    return variant.key in VARIANTS


def require_loaded(variant: Variant, reason: Message = NO_GAME) -> None:
    """Raise `NotAtPresent` with a reason if a variant is not loaded."""
    if not is_loaded(variant):
        raise NotAtPresent(reason)
