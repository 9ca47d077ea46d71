"""The lessons, one a game; a variant from outside has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capsule.learning.lessons.extreme import LESSON as EXTREME
from capsule.learning.lessons.numeric import LESSON as NUMERIC
from capsule.learning.lessons.quantum import LESSON as QUANTUM
from capsule.learning.lessons.tinc import LESSON as TINC
from capsule.learning.lessons.ultimate import LESSON as ULTIMATE

if TYPE_CHECKING:
    from capsule.learning.lessons.model import Lesson


def lesson_in(variant: str) -> Lesson[Any] | None:
    """Return the lesson in a variant, None if there is none."""
    return _LESSONS.get(variant)


_LESSONS: dict[str, Lesson[Any]] = {
    lesson.variant.key: lesson for lesson in (TINC, ULTIMATE, NUMERIC, QUANTUM, EXTREME)
}
