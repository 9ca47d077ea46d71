"""Faults of the database: conflicts are retried, and other faults become responses."""

import re
from functools import partial

from capsule.db.faults import (
    CannotStore,
    CommitOutcomeUnknown,
    DatabaseBusy,
    DatabaseFault,
    DatabaseUnavailable,
    retry,
)
from capsule.errors import WouldBlock
from capsule.gemini.types import Answer, Handler, Request, Response, Status
from capsule.ui import render, responses
from engine import Message, message

BUSY_SECONDS = 5
"""Seconds after which a visitor whose request met a busy database may ask again."""


def database_faults(handle: Handler, request: Request) -> Answer:
    """Try again after a conflict; answer 44 while the database is busy, and 41 while it is away.

    Where blocking is forbidden, a worker meets the fault again, and may take its time.
    """
    if not request.may_block:
        try:
            return handle(request)
        except DatabaseFault as fault:
            raise WouldBlock from fault
    try:
        return retry(partial(handle, request))
    except DatabaseBusy:
        return responses.slow_down(BUSY_SECONDS)
    except DatabaseUnavailable as fault:
        return Response(Status.SERVER_UNAVAILABLE, render.translate(_reason(fault, request)))


def _reason(fault: DatabaseUnavailable, request: Request) -> Message:
    """Return the sentence for a visitor whose request the database has left unanswered."""
    is_move = re.search(r"/move(\.json)?$", request.path)
    if not request.route.is_action:
        if isinstance(fault, CannotStore):
            return message("Nothing can be stored at present. Try again later")
        return message("The database does not answer. Try again soon")
    if isinstance(fault, CommitOutcomeUnknown):
        if is_move:
            return message("Your move may have been stored. Look at the game before you try again")
        return message("This may have been stored. Look at the page before you try again")
    if is_move:
        return message("Your move was not stored. Try again later")
    return message("This was not stored. Try again later")
