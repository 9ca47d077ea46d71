"""The nine cells of a small board by their places, as the lessons name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import in_context

if TYPE_CHECKING:
    from engine import Message

CELL_PLACES: tuple[Message, ...] = (
    # Translators: a cell by its place in its small board, as in “b2 is the centre cell of its small
    # board”.
    in_context("a cell", "top left cell"),
    in_context("a cell", "top centre cell"),
    in_context("a cell", "top right cell"),
    in_context("a cell", "middle left cell"),
    in_context("a cell", "centre cell"),
    in_context("a cell", "middle right cell"),
    in_context("a cell", "bottom left cell"),
    in_context("a cell", "bottom centre cell"),
    in_context("a cell", "bottom right cell"),
)
