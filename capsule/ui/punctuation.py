"""The signs between the texts of a line, which are not the same in every language."""

from __future__ import annotations

from engine.game import in_context

# Translators: what stands between facts that follow each other, such as “rated, since Monday”.
COMMA = in_context("facts", "{first}, {next}", first="", next="")

# Translators: what stands between a name, a move or a number and what is said of it.
COLON = in_context("a name and its text", "{name}: {text}", name="", text="")

# Translators: what stands between the sentences of a paragraph: a space, or nothing.
SPACE = in_context("sentences", "{first} {next}", first="", next="")
