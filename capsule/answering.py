"""How requests are answered: the page for an address, at once if it can be, and errors."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import sign_in
from capsule.accounts.identity import (
    CertificateMissing,
    CertificateNotAuthorised,
    CertificateRefused,
)
from capsule.accounts.newcomers import TooManyNewcomers
from capsule.accounts.pages import former_names
from capsule.db.changes import game_changes
from capsule.db.faults import DatabaseAway, DatabaseBusy, DatabaseFault
from capsule.db.retrying import retrying
from capsule.errors import NotFound
from capsule.games.reading import turn_counters
from capsule.gemini.types import GEMTEXT, Freshness, Live, Response, Wait
from capsule.ui import render
from capsule.ui.exclusive import RETRY_SECONDS, Busy
from capsule.ui.page_cache import PageCache
from capsule.ui.responses import redirect
from capsule.ui.routes import page_name
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from capsule.context import AppContext
    from capsule.gemini.types import Answer, Request
    from capsule.ui.routes import CompiledRoutes, Route

SUCCESS = 20

BUSY_SECONDS = 5
"""Seconds after which a visitor whose request met a busy database may ask again."""

KEPT_FOR = timedelta(seconds=10)
"""How long a quick page is given again if nothing changes: the times on it may be that old."""


class Capsule:
    """The application: the pages at their addresses, and responses to errors.

    Where the database is a file, quick pages are answered at once, and given again while nothing
    has changed. PostgreSQL may be far away: there every page is made on a thread.
    """

    def __init__(self, context: AppContext, routes: CompiledRoutes) -> None:
        self._context = context
        self._routes = routes
        changes = game_changes(context.database)
        self._kept = None if changes is None else PageCache(changes)

    def answer_at_once(self, request: Request) -> Response | None:
        """Return the response if it is kept or quickly made, else None."""
        found = None if self._kept is None else self._find(request.path)
        if self._kept is None or found is None or not found[0].is_quick:
            return None
        now = self._context.clock()
        try:
            kept = self._kept.get(request, now)
            if kept is not None:
                return kept
            response = self._answer_at(*found, request)
        except DatabaseFault:
            # A thread may try for longer, and tells the visitor if that was in vain.
            return None
        if not isinstance(response, Response):
            return None
        if response.status == SUCCESS and response.freshness is None:
            response = replace(response, freshness=Freshness(now + KEPT_FOR))
        self._kept.keep(request, response, now)
        return response

    def answer(self, request: Request) -> Answer:
        """Return the response, or how to wait for it; raises only faults of the capsule itself."""
        found = self._find(request.path)
        if found is None:
            return _redirect_or_not_found(self._routes, request.path)
        answer = _or_fault(partial(self._answer_at, *found, request))
        if isinstance(answer, Response) and not answer.page:
            # What the database keeps from being answered is counted with the page it was to be.
            return replace(answer, page=page_name(found[0].page))
        return answer

    def versions(self, subjects: Collection[str]) -> Mapping[str, int]:
        """Return the turn counters of games, none while the database cannot tell."""
        try:
            return turn_counters(self._context, subjects)
        except DatabaseFault:
            return {}

    def __call__(self, request: Request) -> Response:
        """Return the response, once it has been waited for; of a live one, how it begins."""
        answer = self.answer_at_once(request) or self.answer(request)
        if isinstance(answer, Wait):
            return answer.finish()
        if isinstance(answer, Live):
            return Response(SUCCESS, GEMTEXT, answer.text, answer.page)
        return answer

    def _find(self, path: str) -> tuple[Route, Mapping[str, str | None]] | None:
        for route in self._routes:
            match = route.pattern.fullmatch(path)
            if match is not None:
                return route, match.groupdict()
        return None

    def _answer_at(
        self, route: Route, groups: Mapping[str, str | None], request: Request
    ) -> Answer:
        answer = self._guarded(
            route, request, partial(route.page, self._context, request, **groups)
        )
        if isinstance(answer, Wait):
            return replace(answer, finish=partial(self._finish, route, request, answer))
        return replace(answer, page=page_name(route.page))

    def _finish(self, route: Route, request: Request, wait: Wait) -> Response:
        answer = _or_fault(partial(self._guarded, route, request, wait.finish))
        if not isinstance(answer, Response):
            raise TypeError("A wait must end with a response")
        return replace(answer, page=page_name(route.page))

    def _guarded(self, route: Route, request: Request, page: Callable[[], Answer]) -> Answer:
        """Return a page's answer, or the response to its error."""
        try:
            return page()
        except CertificateMissing:
            # Nobody goes on to an action: its key was not made for whoever signs in.
            asking = sign_in.way_to(request.path, request.query)
            return redirect(sign_in.AREA if route.is_action else asking)
        except (CertificateRefused, CertificateNotAuthorised) as error:
            status = 62 if isinstance(error, CertificateRefused) else 61
            return Response(status, render.meta(render.translate(error.message)))
        except Busy:
            return Response(44, str(RETRY_SECONDS))
        except NotFound:
            other = former_names.redirect_for_former_name(self._context, request.path)
            if other is None:
                return _redirect_or_not_found(self._routes, request.path)
            # The redirect is temporary: in a year the old name may belong to somebody else.
            return redirect(other)


def _or_fault(answer: Callable[[], Answer]) -> Answer:
    """Return an answer, or the response to a fault of the database."""
    try:
        return retrying(answer)
    except TooManyNewcomers as error:
        return Response(44, str(error.seconds))
    except DatabaseBusy:
        return Response(44, str(BUSY_SECONDS))
    except DatabaseAway:
        return Response(41, render.translate(message("The database is away: try again soon")))


def _redirect_or_not_found(routes: CompiledRoutes, path: str) -> Response:
    # A path with a final slash too many or too few is taken for a typing error.
    other = path[:-1] if path.endswith("/") else f"{path}/"
    is_plain = re.fullmatch("(/[a-z0-9]+)+/?", other)
    if is_plain and any(route.pattern.fullmatch(other) for route in routes):
        return redirect(other)
    return Response(51, render.translate(message("There is nothing at this address")))
