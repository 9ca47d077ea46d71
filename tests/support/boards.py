"""Boards as pages show them: what the last turn has marked stands in brackets."""

from collections.abc import Sequence

from engine import VARIANTS


def shown_after(variant: str, moves: Sequence[str]) -> str:
    """Return the board that a page of a game shows after these moves."""
    position, latest, mover = VARIANTS[variant].start, list[str](), None
    for move in moves:
        if position.turn is not mover:
            latest, mover = [], position.turn
        latest += position.marked_by(move)
        position = position.play(move)
    return position.view(latest=latest).drawing
