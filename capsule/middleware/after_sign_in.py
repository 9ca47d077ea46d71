"""Signing in: `/play/?goal` passes as a request for the goal, once it has a certificate."""

from collections.abc import Callable
from datetime import datetime

from capsule.accounts import identity
from capsule.gemini.types import Answer, Handler, Request
from capsule.languages.addresses import in_language, language_for
from capsule.languages.model import override_language


def after_sign_in(handle: Handler, request: Request, *, clock: Callable[[], datetime]) -> Answer:
    """Answer with the goal of a visitor who has just signed in, in the language of the goal.

    There is no redirect: a browser may use the certificate at the address of the request alone.
    """
    goal = identity.goal_of(request.query) if request.path == identity.AREA else None
    if goal is None or not identity.has_valid_certificate(request, clock()):
        return handle(request)
    path, _, query = goal.partition("?")
    found = in_language(request._replace(path=path, query=query or None))
    if isinstance(found, str):
        return handle(request)
    with override_language(language_for(found)):
        return handle(found)
