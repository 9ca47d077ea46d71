"""The order of the parts of a game's page, by the reader's screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capsule.play.visits import Visit
    from engine.game import View

TALL_BOARD = 13
"""The lines of a board that leaves little room below it on a screen of 24."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The order of a game's page.

    `is_move_above_board` puts the link to move above a board that fills a narrow screen.
    `is_last_move_below_links` is for those who wait to take a seat, and for the player to move on a
    tall board, below which a long turn would leave no room for the link to move.
    """

    has_words_first: bool
    is_move_above_board: bool
    is_last_move_below_links: bool


def layout_for(visit: Visit, board: View, *, decides_about_seat: bool) -> Layout:
    """Return the layout of a game's page for its visitor, who may be about to take a seat."""
    preferences, is_turn = visit.visitor.preferences, visit.view.is_turn
    is_tall = board.drawing.count("\n") >= TALL_BOARD
    is_move_above_board = is_turn and preferences.narrow
    return Layout(
        has_words_first=preferences.words_first,
        is_move_above_board=is_move_above_board,
        is_last_move_below_links=decides_about_seat
        or (is_turn and is_tall and not is_move_above_board),
    )
