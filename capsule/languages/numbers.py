"""The format of numbers on pages."""

from engine import Message, in_context, message

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


def counted(number: int, thing: str) -> str:
    """Return a number with a thing, in the plural unless it is one.

    >>> [counted(number, "rated game") for number in (0, 1, 2)]
    ['0 rated games', '1 rated game', '2 rated games']
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


# Translators: what stands between facts that follow each other, such as “rated, since Monday”.
COMMA = in_context("facts", "{first}, {next}", first="", next="")

# Translators: what stands between a name, a move or a number and what is said of it.
COLON = in_context("a name and its text", "{name}: {text}", name="", text="")

# Translators: what stands between the sentences of a paragraph: a space, or nothing.
SPACE = in_context("sentences", "{first} {next}", first="", next="")
