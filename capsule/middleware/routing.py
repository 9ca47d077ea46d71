"""Routing: a request passes with its route, the arguments in its path, and what its page reads."""

from contextlib import nullcontext
from dataclasses import replace

from capsule.gemini.types import NO_ARGUMENTS, NO_ROUTE, Answer, Handler, Request, Wait
from capsule.ui.columns import leading_to_narrow_pages, without_narrow
from capsule.ui.routes import RouteTable, reads


def routing(handle: Handler, request: Request, *, table: RouteTable) -> Answer:
    """Find the route of each request; where there is none, that is `NO_ROUTE`.

    Of its query, as much is left as the page reads. A narrow page leads to others that may be so.
    Each answer gets the name under which its page is measured; after a wait, the last one does.
    """
    path, query = request.path, request.query
    route, arguments = table.find(path, query) or (NO_ROUTE, NO_ARGUMENTS)
    is_narrow = False
    if route.is_narrowable:
        query, is_narrow = without_narrow(query)
    if query is not None and route is not NO_ROUTE and not reads(route, query):
        query = None
    routed = request._replace(query=query, is_narrow=is_narrow, route=route, arguments=arguments)
    with leading_to_narrow_pages(table.is_narrowable) if is_narrow else nullcontext():
        answer = handle(routed)
    return answer if isinstance(answer, Wait) else replace(answer, page=route.name)
