"""Bounded work: the reactor's thread answers only pages whose work has a constant bound."""

from capsule.errors import WouldBlock, without_blocking
from capsule.gemini.types import NO_ROUTE, Answer, Handler, Request
from capsule.timekeeping.trusted_clock import TrustedClock


def bounded(handle: Handler, request: Request, *, clock: TrustedClock) -> Answer:
    """Raise `WouldBlock` for a request that needs a worker, unless a worker is answering it.

    While the clock is in doubt, every page needs one. A page also raises `WouldBlock` by itself if
    it turns out to block.
    """
    if request.may_block:
        return handle(request)
    route = request.route
    if route is not NO_ROUTE and (not route.is_cacheable or clock.doubt):
        raise WouldBlock
    with without_blocking():
        return handle(request)
