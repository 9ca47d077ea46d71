"""The innermost handler: it calls the page of a request's route, and answers for its errors."""

from collections.abc import Callable
from contextlib import suppress

from capsule.accounts import identity
from capsule.accounts.players import TooManyNewcomers
from capsule.context import AppContext
from capsule.db.faults import DatabaseFault
from capsule.errors import NotAtPresent, NotFound
from capsule.gemini.types import Answer, Request, Response, Status
from capsule.ui import render
from capsule.ui.responses import RETRY_SECONDS, Busy, redirect, slow_down

_STATUSES = {
    identity.CertificateRefused: Status.CERTIFICATE_NOT_VALID,
    identity.CertificateNotAuthorised: Status.CERTIFICATE_NOT_AUTHORISED,
    NotAtPresent: Status.NOT_FOUND,
}
"""The statuses of errors that carry the words for the visitor."""


def run(context: AppContext, request: Request, *, missing: Callable[[Request], Response]) -> Answer:
    """Return the answer of the page, or of what a wait has left to do in its place.

    Errors that any page may raise become responses: 60 by a redirect, 61, 62, 51 and 44. If
    nothing is found, the response is that of `missing`, in the language that the reader has chosen.
    """
    try:
        return _answer(context, request)
    except identity.CertificateMissing:
        return redirect(_way_to_sign_in(request))
    except (identity.CertificateRefused, identity.CertificateNotAuthorised, NotAtPresent) as error:
        status = _STATUSES[type(error)]
        return Response(status, render.meta(render.translate(error.message)))
    except NotFound:
        return missing(request)
    except TooManyNewcomers as error:
        return slow_down(error.seconds)
    except Busy:
        return slow_down(RETRY_SECONDS)


def _answer(context: AppContext, request: Request) -> Answer:
    try:
        if request.resume is not None:
            return request.resume()
        return request.route.page(context, request=request, **request.arguments)
    except NotFound:
        with suppress(DatabaseFault):
            identity.activate_language_of_reader(context, request)
        raise


def _way_to_sign_in(request: Request) -> str:
    """Return the address that asks for the certificate that a request lacks.

    It never leads to an action, whose key was not made for the player who signs in. The text for
    the action is lost: a page says so to people, and programs see it by the missing answer.
    """
    if not request.route.is_action:
        return identity.way_to(request.path, request.query)
    is_unsent = bool(request.query) and not request.path.endswith(".json")
    return identity.UNSENT if is_unsent else identity.AREA
