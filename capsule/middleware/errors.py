"""Errors: those that pages raise for their visitors pass no further, but become responses."""

from collections.abc import Callable

from capsule.accounts import identity
from capsule.accounts.players import TooManyNewcomers
from capsule.errors import NotAtPresent, NotFound
from capsule.gemini.types import Answer, Handler, Request, Response, Status
from capsule.ui import render
from capsule.ui.responses import RETRY_SECONDS, Busy, redirect, slow_down

_STATUSES = {
    identity.CertificateRefused: Status.CERTIFICATE_NOT_VALID,
    identity.CertificateNotAuthorised: Status.CERTIFICATE_NOT_AUTHORISED,
    NotAtPresent: Status.NOT_FOUND,
}
"""The statuses of errors that carry the words for the visitor."""


def errors(handle: Handler, request: Request, *, missing: Callable[[Request], Response]) -> Answer:
    """Turn errors that every page may raise into responses: 60 by a redirect, 61, 62, 51 and 44.

    `missing` returns the response where nothing is found.
    """
    try:
        return handle(request)
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


def _way_to_sign_in(request: Request) -> str:
    """Return the address that asks for the certificate that a request lacks.

    It never leads to an action, whose key was not made for the player who signs in. The text for
    the action is lost: a page says so to people, and programs see it by the missing answer.
    """
    if not request.route.is_action:
        return identity.way_to(request.path, request.query)
    is_unsent = bool(request.query) and not request.path.endswith(".json")
    return identity.UNSENT if is_unsent else identity.AREA
