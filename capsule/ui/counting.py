"""Numbers of things in English sentences for operators, which are not translated."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Return a number with a thing, in the plural unless it is one.

    >>> [counted(number, "rated game") for number in (0, 1, 2)]
    ['0 rated games', '1 rated game', '2 rated games']
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
