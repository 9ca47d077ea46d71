"""Bounded work: on the reactor's thread pass only pages whose work a constant bounds."""

from capsule.errors import WouldBlock, without_blocking
from capsule.gemini.types import NO_ROUTE, Answer, Handler, Request
from capsule.timekeeping.trusted_clock import TrustedClock


def bounded(handle: Handler, request: Request, *, clock: TrustedClock) -> Answer:
    """Raise `WouldBlock` for what a worker is to answer, unless one does.

    While the clock is in doubt, that is every page. What is found to block while it is made raises
    the same.
    """
    if request.may_block:
        return handle(request)
    route = request.route
    if route is not NO_ROUTE and (not route.is_cacheable or clock.doubt):
        raise WouldBlock
    with without_blocking():
        return handle(request)
