"""Signing in: `/play/?goal` passes as a request for the goal, once it has a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity, sign_in
from capsule.ui.language_addresses import in_language

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.gemini.types import Answer, Handler, Layer, Request


def after_sign_in(clock: Callable[[], datetime]) -> Layer:
    """Follow the goal of somebody who has just signed in.

    The page is answered in place: a browser may use the certificate at that address alone.
    """

    def follow_sign_in_goal(request: Request) -> Request:
        goal = sign_in.goal_of(request.query) if request.path == sign_in.AREA else None
        if goal is None or not identity.has_valid_certificate(request, clock()):
            return request
        path, _, query = goal.partition("?")
        found = in_language(request._replace(path=path, query=query or None))
        return request if isinstance(found, str) else found

    def layer(handle: Handler) -> Handler:
        def handle_after_sign_in(request: Request) -> Answer:
            return handle(follow_sign_in_goal(request))

        return handle_after_sign_in

    return layer
