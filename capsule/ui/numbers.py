"""The format of numbers on pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import message

if TYPE_CHECKING:
    from engine import Message

_WORDS = (
    message("no"),
    message("one"),
    message("two"),
    message("three"),
    message("four"),
    message("five"),
    message("six"),
    message("seven"),
    message("eight"),
    message("nine"),
    message("ten"),
    message("eleven"),
    message("twelve"),
)


def in_words(number: int) -> Message:
    """Return a count as prose writes it: up to twelve as a word.

    >>> str(in_words(5)), str(in_words(13))
    ('five', '13')
    """
    if number < len(_WORDS):
        return _WORDS[number]
    return message("{number}", number=number)


def score(points: float) -> str:
    """Return points as a score is written.

    >>> [score(points) for points in (1, 0, 0.5, 20.5)]
    ['1', '0', '½', '20½']
    """
    whole, half = divmod(points, 1)
    if half == 0:
        return f"{whole:.0f}"
    return f"{whole:.0f}½" if whole > 0 else "½"
