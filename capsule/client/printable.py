"""Printable text from a server, safe for a terminal and a log."""

from __future__ import annotations

import logging

MAX_LENGTH = 1000
"""Characters of a line that are printed."""


def printable(text: str) -> str:
    r"""Return one line of a text, with "?" in place of each unprintable character.

    >>> printable("\x1b[2J e5\nto\u202e move")
    '?[2J e5?to? move'
    """
    cut = text[: MAX_LENGTH - 1] + "…" if len(text) > MAX_LENGTH else text
    return "".join(character if character.isprintable() else "?" for character in cut)


class PrintableFormatter(logging.Formatter):
    """Formats each record as one printable line, and a traceback below it as it is."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line of a record."""
        return printable(super().formatMessage(record))
