"""Views of games: records who has viewed which game, so that turns seen are not mailed."""

from collections.abc import Callable
from datetime import datetime

from capsule.gemini.types import Answer, Handler, Request


def game_views(
    handle: Handler,
    request: Request,
    *,
    record: Callable[[Request, datetime], None],
    clock: Callable[[], datetime],
) -> Answer:
    """Record each request with a certificate, when it comes for the first time."""
    if request.certificate is not None and not request.may_block:
        record(request, clock())
    return handle(request)
