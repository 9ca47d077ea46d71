"""The sentences of status 51, most of them with another address."""

from capsule.languages.addresses import address_in
from capsule.languages.model import page_language
from engine.game import Message, message

_NOTHING = message("There is nothing at this address")

_BY_BEGINNING = {
    "/players/ladder/": message(
        "There is no such ladder (all of them: {address})", address="/players/"
    ),
    "/players/": message(
        "There is no such player (search by name: {address})", address="/players/find"
    ),
    "/play/tournaments/": message("There is no such tournament (all of them: /play/tournaments/)"),
    "/play/cups/": _NOTHING,
    "/play/new/": message("There is no such game (all of them: /play/new/)"),
    "/play/me/": _NOTHING,
    "/play/mistakes/": _NOTHING,
    "/play/puzzles/": _NOTHING,
    "/play/": message(
        "There is no such game or position. Is the address complete? (Public games: {address})",
        address="/games/",
    ),
    "/games/": message(
        "There is no such list of games (all public games: {address})", address="/games/"
    ),
    "/rules/": message(
        "There are no such rules (those of all games: {address})", address="/rules/"
    ),
    "/board/": message(
        "There is no such board (boards to try moves on: {address})", address="/board/"
    ),
    "/try/": message("There is no such game (all that you can try: {address})", address="/try/"),
    "/puzzles/": message("There is no such puzzle (all of them: {address})", address="/puzzles/"),
    "/daily/": message("There is no position of that day (today's: {address})", address="/daily/"),
    "/cups/": message("There is no cup of that month (all of them: {address})", address="/cups/"),
    "/help/": message("There is no such page of help (all of them: {address})", address="/help/"),
}
"""The sentences by how a path begins; the first that fits is used."""


def not_found(path: str) -> Message:
    """Return the sentence for a path at which there is nothing, with an address in its language."""
    found = next(
        (each for start, each in _BY_BEGINNING.items() if path.startswith(start)), _NOTHING
    )
    address = str(found.values.get("address", ""))
    return found.filled(address=address_in(page_language(), address))
