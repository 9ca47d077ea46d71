"""Missing pages: what is not found leads to where it is now, or is answered with 51."""

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote

from capsule.errors import NotFound
from capsule.gemini.types import NO_ROUTE, Answer, Handler, Request, Response, Status
from capsule.lobby.missing_pages import not_found
from capsule.ui import render
from capsule.ui.boards import fits
from capsule.ui.responses import redirect
from capsule.ui.routes import RouteTable


def missing_pages(
    handle: Handler,
    request: Request,
    *,
    table: RouteTable,
    origin: str,
    renamed: Callable[[str], str | None],
) -> Answer:
    """Redirect from a player's former name, and from a slash too many or too few at the end.

    `renamed` returns the path that a path with a former name has now, None for any other.
    """
    with suppress(NotFound):
        return handle(request)
    path = request.path
    former = None if request.route is NO_ROUTE else renamed(path)
    if former is not None:
        # The redirect is temporary: in a year the old name may belong to somebody else.
        return redirect(former)
    other = path[:-1] if path.endswith("/") else f"{path}/"
    if not path.endswith("//") and table.find(other) is not None:
        query = f"?{quote(request.query, safe='/=&,?~')}" if request.query else ""
        address = f"{quote(other, safe='/+=,~')}{query}"
        if fits(origin, address):
            return redirect(address)
    return Response(Status.NOT_FOUND, render.translate(not_found(path)))
