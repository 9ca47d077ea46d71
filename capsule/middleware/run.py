"""The innermost handler: it calls the page of a request's route."""

from contextlib import suppress

from capsule.accounts import identity
from capsule.context import AppContext
from capsule.db.faults import DatabaseFault
from capsule.errors import NotFound
from capsule.gemini.types import Answer, Request


def run(context: AppContext, request: Request) -> Answer:
    """Call the page with the context, or what a wait has left to do in its place.

    If nothing is found, the language that the reader has chosen stays active for the response.
    """
    try:
        if request.resume is not None:
            return request.resume()
        return request.route.page(context, request=request, **request.arguments)
    except NotFound:
        with suppress(DatabaseFault):
            identity.activate_language_of_reader(context, request)
        raise
