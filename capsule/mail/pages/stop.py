"""Stopping mail without a certificate, from the address at the end of each letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import reading
from capsule.errors import NotFound
from capsule.mail import stopping
from capsule.ui import responses
from capsule.ui.preferences import DEFAULT_PREFERENCES

if TYPE_CHECKING:
    from capsule.context import AppContext, Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


STOP_KEY = "(?P<stop_key>[a-z2-7]{32})"


@reading
def offer(transaction: Transaction, request: Request, stop_key: str) -> Response:
    """Return the page with the one link that stops all mail to an address."""
    del request
    if not transaction.context.mail_from:
        raise NotFound
    return responses.page(
        DEFAULT_PREFERENCES,
        "mail/stop.gmi",
        key=stop_key if stopping.can_be_stopped(transaction, stop_key) else None,
    )


def stop(context: AppContext, request: Request, stop_key: str) -> Response:
    """Stop all mail to the address that has this key, and say so.

    Only letters have the key, so nobody else can follow this link or be made to.
    """
    del request
    if not context.mail_from:
        raise NotFound
    stopping.stop(context, stop_key)
    return responses.page(DEFAULT_PREFERENCES, "mail/stopped.gmi")


ROUTES: Routes = (
    (f"/mail/{STOP_KEY}/stop", offer),
    (f"/mail/{STOP_KEY}/stopped", stop),
)
