"""Messages: sentences for people, which can be translated, and the names and numbers in them.

Translators get each template by itself. A context or a comment says what it is about:

- "what a move does": words whose subject is a move, such as "e5 takes the centre board"
- "how a bot plays": words whose subject is a bot, such as "misses most of your lines"
- "why a game ended": a clause that begins with a small letter, such as "O fills row 3"
- "a small board", "a line", "a side": names, of which the comments say where they stand
- "in a line", "of a line": names that follow "in" and "of", for languages that join these to an
  article
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
from typing import Self, cast


class Translations(NullTranslations):
    """Translations that also write quantities; these leave everything in English.

    A language with its own catalogue and numerals overrides the methods of both.
    """

    def number(self, number: float) -> str:
        """Return a quantity in figures, with the marks for thousands and decimals.

        >>> ENGLISH.number(8000), ENGLISH.number(0.5)
        ('8,000', '0.5')
        """
        return f"{number:,}"


ENGLISH = Translations()
"""The translations that leave each sentence as it stands in the code."""


@dataclass(frozen=True)
class Message:
    """A sentence for people: an English template and the values that fill its braces.

    A value may be a message itself, or a tuple of words and messages, which is read out as a list,
    so that each part can be translated on its own. A message with a plural has its form for other
    numbers than one in `several`; the value `count` is the number. A `context` distinguishes for
    translators the meanings of one English word. `plural` and `in_context` make such messages.

    The count of a plural and each float are quantities, which every language writes in its way if
    the translations know numbers. Any other whole number is a name, such as that of a row.

    >>> str(Message("{cells} are taken", {"cells": ("e5", "e6")}))
    'e5, e6 are taken'
    """

    text: str
    values: Mapping[str, object] = field(default_factory=dict)
    several: str = ""
    context: str = ""

    def filled(self, **values: object) -> "Message":
        """Return the message with these values, too.

        >>> str(plural("{count} day", "{count} days").filled(count=2))
        '2 days'
        """
        return type(self)(self.text, {**self.values, **values}, self.several, self.context)

    def render(self, translations: NullTranslations = ENGLISH) -> str:
        """Return the sentence, every template in it in the language of `translations`."""
        values = {name: _spoken(value, translations) for name, value in self.values.items()}
        if self.several:
            values["count"] = _quantity(self._count, translations)
        return self.template(translations).format(**values)

    @property
    def _count(self) -> int:
        return cast("int", self.values["count"])

    def template(self, translations: NullTranslations) -> str:
        """Return the template in the language of `translations`, with its braces."""
        if self.several:
            if self.context:
                return translations.npgettext(self.context, self.text, self.several, self._count)
            return translations.ngettext(self.text, self.several, self._count)
        if self.context:
            return translations.pgettext(self.context, self.text)
        return translations.gettext(self.text)

    def __str__(self) -> str:
        return self.render()

    def __hash__(self) -> int:
        return hash((self.text, tuple(sorted(self.values))))


class Words(str):
    """The text of a message: English by itself, and in any language where a message shows it.

    It may be compared, written into records and sent to programs as any other text.

    >>> Words(message("a former player")) == "a former player"
    True
    """

    __slots__ = ("message",)

    message: Message

    def __new__(cls, said: Message) -> Self:
        """Return the text of a message."""
        made = super().__new__(cls, said.render())
        made.message = said
        return made

    def __getnewargs__(self) -> tuple[Message]:  # type: ignore[override] # those of `__new__`
        """Return the message, from which a copy is made."""
        return (self.message,)

    def render(self, translations: NullTranslations = ENGLISH) -> str:
        """Return the text in the language of `translations`."""
        return str(self) if translations is ENGLISH else self.message.render(translations)


def _spoken(value: object, translations: NullTranslations) -> str:
    """Return a value of a message as it is read out."""
    if isinstance(value, (Message, Words)):
        return value.render(translations)
    if isinstance(value, tuple):
        joint = LIST.render(translations) if len(value) > 1 else ""
        return joint.join(_spoken(part, translations) for part in value)
    if isinstance(value, float):
        return _quantity(value, translations)
    return str(value)


def _quantity(value: float, translations: NullTranslations) -> str:
    """Return a quantity as `translations` write it, in English if they know no numbers."""
    return (translations if isinstance(translations, Translations) else ENGLISH).number(value)


def message(text: str, /, **values: object) -> Message:
    """Return the `Message` of a template and its values; this call marks a text for translation.

    >>> str(message("{side} wins", side="X"))
    'X wins'
    """
    return Message(text, values)


def plural(one: str, several: str, /, **values: object) -> Message:
    """Return a message that agrees with its value `count`: whole sentences for one and for several.

    A template may leave the count to `Message.filled`.

    >>> for count in (0, 1, 2):
    ...     print(plural("{count} try is left", "{count} tries are left", count=count))
    0 tries are left
    1 try is left
    2 tries are left
    """
    return Message(one, values, several)


def in_context(context: str, text: str, /, **values: object) -> Message:
    """Return a message whose context says to translators what a text is about.

    >>> print(in_context("a move that is typed", "clear"))
    clear
    """
    return Message(text, values, context=context)


def plural_in_context(context: str, one: str, several: str, /, **values: object) -> Message:
    """Return a message as from `plural`, with a context as from `in_context`.

    >>> print(plural_in_context("of a tournament", "{count} round", "{count} rounds", count=3))
    3 rounds
    """
    return Message(one, values, several, context)


# Translators: how the parts of a list are joined, such as “a1, b2, c3”. The braces stay: what you
# write between them stands between each part and the next.
LIST = in_context("a list", "{first}, {next}", first="", next="")
"""The sign that stands between the parts of a list."""


def only(value: object) -> Message:
    """Return a message that is its value and no more, which leaves nothing to be translated.

    >>> print(only("e5"))
    e5
    """
    return Message("{value}", {"value": value})
