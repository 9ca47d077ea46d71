"""The sentences of status 51, most of them with an address to go on to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import message

if TYPE_CHECKING:
    from engine import Message

_NOTHING = message("There is nothing at this address")

_BY_BEGINNING = {
    "/players/ladder/": message("There is no such ladder: all are at /players/"),
    "/players/": message("There is no such player: search for one at /players/find"),
    "/play/tournaments/": message("There is no such tournament: all are at /play/tournaments/"),
    "/play/new/": message("There is no such game: choose one at /play/new/"),
    "/play/me/": _NOTHING,
    "/play/mistakes/": _NOTHING,
    "/play/puzzles/": _NOTHING,
    "/play/": message(
        "There is no such game or position. Is the address complete? Public games are at /games/"
    ),
    "/games/": message("There is no such list of games: all public games are at /games/"),
    "/rules/": message("There are no such rules: those of all games are at /rules/"),
    "/board/": message("There is no such board: boards to try moves on are at /board/"),
    "/puzzles/": message("There is no such puzzle: all are at /puzzles/"),
    "/daily/": message("There is no position of that day: today's is at /daily/"),
    "/help/": message("There is no such page of help: all are at /help/"),
}
"""The sentences by how a path begins; the first one that fits is said."""


def not_found(path: str) -> Message:
    """Return the sentence for a path at which there is nothing."""
    return next((said for start, said in _BY_BEGINNING.items() if path.startswith(start)), _NOTHING)
