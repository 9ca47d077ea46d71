"""Spaces in Chinese sentences: one beside Latin letters and digits, none between Chinese words.

A translator cannot know which of them a value will be, such as the side X or 奇數方, and puts a
space.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_BEGIN, _END = "\ufdd0", "\ufdd1"
"""The ends of a value while its sentence is filled: characters that no text has."""

# Ideographs, and the signs of the same width.
_HAN = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uff5e"

_HAS_SPACE = re.compile(r" %\(| \{|\)s |\} ")
_BEFORE = re.compile(rf"(?<=[{_HAN}]) {_BEGIN}(?=[{_HAN}])")
_AFTER = re.compile(rf"(?<=[{_HAN}]){_END} (?={_BEGIN}?[{_HAN}])")
_ENDS = re.compile(f"[{_BEGIN}{_END}]")


class SpacedSentence(str):
    """A Chinese sentence that has no space beside those of its values that are Chinese.

    >>> turn = SpacedSentence("輪到 %(player)s，第 %(number)s 步")
    >>> turn % {"player": "alice", "number": 5}, turn % {"player": "奇數方", "number": 5}
    ('輪到 alice，第 5 步', '輪到奇數方，第 5 步')
    >>> SpacedSentence("{one} 和 {other} 已經有人下了").format(one="左上", other="e5")
    '左上和 e5 已經有人下了'
    """

    __slots__ = ()

    def __mod__(self, values: Mapping[str, object]) -> str:
        """Return the sentence with the values of a template."""
        return _closed_up(super().__mod__(_marked(values)))

    def format(self, *_: object, **values: object) -> str:
        """Return the sentence with the values of a message, which have names."""
        return _closed_up(super().format(**_marked(values)))


def spaced(sentence: str) -> str:
    """Return a sentence whose spaces go with its values, the same if it has none beside them."""
    return SpacedSentence(sentence) if _HAS_SPACE.search(sentence) else sentence


def _marked(values: Mapping[str, object]) -> Mapping[str, str]:
    return {name: f"{_BEGIN}{value}{_END}" for name, value in values.items()}


def _closed_up(text: str) -> str:
    return _ENDS.sub("", _AFTER.sub(_END, _BEFORE.sub(_BEGIN, text)))
