"""`oxonaut admin feature`: pick the game of the week."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.featured import choosing

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from capsule.context import AppContext


def feature(context: AppContext, arguments: argparse.Namespace) -> Iterator[str]:
    """Pick a game, and yield the line that reports it."""
    choosing.pick(context, arguments.game, " ".join(arguments.why))
    yield f"It is the game of the week for seven days: {context.origin}/games/"
