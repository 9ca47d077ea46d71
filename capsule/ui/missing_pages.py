"""Missing pages: what is not found leads to where it is now, or is answered with 51."""

from collections.abc import Callable
from urllib.parse import quote

from capsule.gemini.types import NO_ROUTE, Request, Response, Status
from capsule.languages.addresses import address_in
from capsule.ui import boards, render, responses
from capsule.ui.routes import RouteTable
from engine import Message, message

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
    "/games/": message("There is no such list of games (all public games: {address})"),
    "/rules/": message("There are no such rules (those of all games: {address})"),
    "/board/": message("There is no such board (boards to try moves on: {address})"),
    "/try/": message("There is no such game (all that you can try: {address})"),
    "/puzzles/": message("There is no such puzzle (all of them: {address})"),
    "/daily/": message("There is no position of that day (today's: {address})"),
    "/cups/": message("There is no cup of that month (all of them: {address})"),
    "/help/": message("There is no such page of help (all of them: {address})"),
}
"""The sentences by how a path begins; the first that fits is used.

Without another one, that beginning itself is the address to go to.
"""


def missing_page(
    request: Request, *, table: RouteTable, origin: str, renamed: Callable[[str], str | None]
) -> Response:
    """Redirect from a player's former name, and from a slash too many or too few at the end.

    `renamed` returns the path that a path with a former name has now, None for any other.
    """
    path = request.path
    former = None if request.route is NO_ROUTE else renamed(path)
    if former is not None:
        # The redirect is temporary: in a year the old name may belong to somebody else.
        return responses.redirect(former)
    other = path[:-1] if path.endswith("/") else f"{path}/"
    if not path.endswith("//") and table.find(other) is not None:
        query = f"?{quote(request.query, safe='/=&,?~')}" if request.query else ""
        address = f"{quote(other, safe='/+=,~')}{query}"
        if boards.fits(origin, address):
            return responses.redirect(address)
    return Response(Status.NOT_FOUND, render.translate(_not_found(path)))


def _not_found(path: str) -> Message:
    """Return the sentence for a path at which there is nothing, with an address in its language."""
    beginning = next(filter(path.startswith, _BY_BEGINNING), "")
    found = _BY_BEGINNING.get(beginning, _NOTHING)
    address = str(found.values.get("address", beginning))
    return found.filled(address=address_in(address))
