"""The board at an address, or the response of an address that is not quite a board's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.boards import reading
from capsule.boards.model import BrokenLine
from capsule.ui import responses

if TYPE_CHECKING:
    from capsule.boards.model import Board
    from capsule.context import Transaction
    from capsule.gemini.types import Response
    from capsule.ui.preferences import Preferences


def board_at(
    transaction: Transaction, preferences: Preferences, variant: str, line: str
) -> Board | Response:
    """Return a board, or the page of the move that fails, or the redirect to the usual address.

    Raises `NotFound`.
    """
    found = reading.read_board(transaction, variant, line)
    if isinstance(found, BrokenLine):
        return responses.page(preferences, "boards/broken.gmi", broken=found, last=found.board)
    if line != found.line_as_written:
        return responses.redirect(found.address)
    return found
