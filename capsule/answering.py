"""Answering requests: with the page at an address, from the cache if possible, or with an error."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import quote, unquote

from capsule.accounts import identity, sign_in
from capsule.accounts.identity import (
    CertificateMissing,
    CertificateNotAuthorised,
    CertificateRefused,
)
from capsule.accounts.newcomers import TooManyNewcomers
from capsule.accounts.pages import former_names
from capsule.db.database import NoDatabase
from capsule.db.faults import (
    CannotStore,
    CommitUnanswered,
    DatabaseAway,
    DatabaseBusy,
    DatabaseFault,
)
from capsule.db.retrying import retry
from capsule.errors import NotAtPresent, NotFound
from capsule.games.replay_cache import TooLong
from capsule.gemini.status import Status
from capsule.gemini.types import Freshness, Live, Response, Wait
from capsule.lobby.missing_pages import not_found
from capsule.play.following import followed_versions
from capsule.ui import parts, render
from capsule.ui.board_addresses import fits
from capsule.ui.exclusive import RETRY_SECONDS, Busy
from capsule.ui.language_addresses import in_language, live_in, with_links_in
from capsule.ui.languages import speaking, speech, with_key
from capsule.ui.narrow_pages import with_narrow_links
from capsule.ui.responses import redirect, slow_down, text
from capsule.ui.routes import page_name
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping
    from datetime import datetime

    from capsule.context import AppContext
    from capsule.db.shared_changes import SharedChanges
    from capsule.gemini.types import Answer, Request
    from capsule.ui.languages import Language, Speech
    from capsule.ui.page_cache import PageCache
    from capsule.ui.routes import Route, RouteTable
    from engine import Message

BUSY_SECONDS = 5
"""Seconds after which a visitor whose request met a busy database may ask again."""

KEPT_FOR = timedelta(seconds=10)
"""Time for which a cacheable page is reused if nothing changes: its times may be that old."""

A = TypeVar("A", bound="Answer")
T = TypeVar("T")

_STATUSES = {
    CertificateRefused: Status.CERTIFICATE_NOT_VALID,
    CertificateNotAuthorised: Status.CERTIFICATE_NOT_AUTHORISED,
    NotAtPresent: Status.NOT_FOUND,
}
"""The statuses of errors that carry the words for the visitor."""


class RequestHandler:
    """The application: the pages at their addresses, and responses to errors.

    Cacheable pages are kept in the `cache` and reused until something changes. They are made on the
    reactor's thread, apart from those of long games. If the database is `shared` with other
    machines, those alone that need no database are made there; and before somebody who is signed in
    is given a page again, it is asked for changes, while others may be given what was asked for a
    second ago.
    """

    def __init__(
        self,
        context: AppContext,
        routes: RouteTable,
        cache: PageCache,
        shared: SharedChanges | None = None,
    ) -> None:
        self._context = context
        self._routes = routes
        self._cache = cache
        self._shared = shared
        # The context of pages on the reactor's thread.
        self._at_hand = replace(
            context,
            replays=context.replays.bounded(),
            database=NoDatabase(context.database) if shared else context.database,
        )

    def answer_on_reactor(self, request: Request) -> Response | Callable[[], Answer]:
        """Return the response if it is cached or soon made, else a function that answers.

        The function raises only faults of the capsule itself.
        """
        asked = in_language(request)
        if isinstance(asked, str):
            return redirect(asked)
        asked = self._led_on(asked)
        language = with_key(asked.language)
        with speaking(language):
            answer = self._in_its_language(asked)
        return answer if isinstance(answer, Response) else partial(_said_in, language, answer)

    def _in_its_language(self, request: Request) -> Response | Callable[[], Answer]:
        """Return a response as `answer_on_reactor` does, once the request's language is spoken."""
        now = self._context.clock()
        self._context.looks.note(request, now)
        is_current = self._shared is None or (
            request.certificate is None and self._shared.is_recent(now)
        )
        page = self._on_reactor(request, now, is_current=is_current)
        answer = (
            self._with_part(request, page, now, is_current=is_current)
            if isinstance(page, Response)
            else lambda: self._completed(request, page())
        )
        if isinstance(answer, Response):
            return parts.with_time(answer, request, now)
        return lambda: parts.with_time(answer(), request, self._context.clock())

    def _led_on(self, request: Request) -> Request:
        """Return the request for the page that a query of `/play/` names, if it may be shown.

        The page is answered in place: a browser may use the certificate at that address alone.
        """
        goal = sign_in.goal_of(request.query) if request.path == sign_in.AREA else None
        if goal is None or identity.valid_certificate(self._context, request) is None:
            return request
        path, _, query = goal.partition("?")
        led = in_language(replace(request, path=path, query=query or None))
        return request if isinstance(led, str) else led

    def _completed(self, request: Request, answer: Answer) -> Answer:
        """Return an answer that has just been made, with the part that it lacks; on any thread."""
        if not isinstance(answer, Response):
            return answer
        completed = self._with_part(request, answer, self._context.clock(), is_current=True)
        return completed if isinstance(completed, Response) else completed()

    def _with_part(
        self, request: Request, page: Response, now: datetime, *, is_current: bool
    ) -> Response | Callable[[], Answer]:
        """Return a page with the part that it lacks, as `answer_on_reactor` returns a response."""
        name = parts.missing_part(page)
        if name is None:
            return page
        part = self._on_reactor(replace(request, path=name, query=None), now, is_current=is_current)
        if isinstance(part, Response):
            return parts.with_part(page, part)
        return lambda: parts.with_part(page, part())

    def _on_reactor(
        self, request: Request, now: datetime, *, is_current: bool
    ) -> Response | Callable[[], Answer]:
        """Return a response as `answer_on_reactor` does, without the part that it may lack.

        Unless changes are known to be `is_current`, only what depends on none comes from the cache.
        """
        found = self._routes.find(request.path, request.query)
        if found is None:
            nothing = partial(self._nothing_at, request)
            is_of_reader = request.is_readers_own and request.certificate is not None
            return nothing if is_of_reader else nothing()
        route, arguments = found
        request = route.as_read(request)
        page = partial(_page, route, request, arguments)
        made = partial(page, self._context)
        if not route.is_cacheable or self._context.clock.doubt:
            # While the clock is in doubt, a cached page may still offer to claim a game.
            return partial(self._answer, route, request, made)
        elsewhere = partial(self._answer, route, request, made)
        if self._shared is not None:
            # What is kept has its links in its language, as what is kept below has.
            answered = partial(self._page_or_error, route, request, made)
            asked = partial(self._after_asking, self._shared, request, answered)
            elsewhere = partial(self._retried, route, request, asked)
        try:
            cached = self._cache.get(request, now, is_current=is_current)
            if cached is not None:
                return cached
            since = self._cache.position
            response = self._page_or_error(route, request, partial(page, self._at_hand))
        except (DatabaseFault, TooLong):
            # Another thread may take its time, and explains it to the visitor if that is in vain.
            return elsewhere
        if not isinstance(response, Response):
            return elsewhere
        return self._keep(request, response, now, since)

    def _nothing_at(self, request: Request) -> Response:
        """Return the response to an address that no page has; for a player, on another thread."""
        with suppress(DatabaseFault):
            identity.speak_to_reader(self._context, request)
        answer = self._redirect_or_not_found(request)
        return with_links_in(answer, request, speech())

    def _redirect_or_not_found(self, request: Request) -> Response:
        """Return the redirect to the page at an address with one slash more at its end, or less.

        That is taken for a slip. Where there is no such page either, nothing is found.
        """
        path, query = request.path, request.query
        other = path[:-1] if path.endswith("/") else f"{path}/"
        if not path.endswith("//") and self._routes.find(other) is not None:
            text = f"?{quote(query, safe='/=&,~?')}" if query else ""
            address = f"{quote(other, safe='/+=,~')}{text}"
            if fits(self._context.origin, address):
                return redirect(address)
        return Response(Status.NOT_FOUND, render.translate(not_found(path)))

    def _after_asking(
        self, shared: SharedChanges, request: Request, page: Callable[[], Answer]
    ) -> Answer:
        """Return the page that is kept, if nothing has changed, or else make it; on any thread."""
        now = self._context.clock()
        shared.ask(now)
        cached = self._cache.get(request, now)
        if cached is not None:
            return cached
        since = self._cache.position
        answer = page()
        return self._keep(request, answer, now, since) if isinstance(answer, Response) else answer

    def _keep(self, request: Request, response: Response, now: datetime, since: int) -> Response:
        if response.status == Status.SUCCESS and response.freshness is None:
            response = replace(response, freshness=Freshness(now + KEPT_FOR))
        self._cache.keep(request, response, now, since)
        return response

    def _is_narrowable(self, path: str) -> bool:
        found = self._routes.find(path)
        return found is not None and found[0].is_narrowable

    def health(self) -> Response:
        """Return whether the database answers and stores, and since when, as was last seen."""
        seen = self._context.health.last_seen
        answers = "answers, and has" if seen.is_answering else "does not answer, and has not"
        lines = ["The capsule answers.", f"The database {answers} since {_in_words(seen.since)}."]
        outage = self._context.database.storage.outage
        if outage is not None:
            lines.append(f"Nothing can be stored since {_in_words(outage.since)}.")
        return text("".join(f"{line}\n" for line in lines))

    def versions(self, subjects: Collection[str]) -> Mapping[str, Hashable]:
        """Return the versions of games, none while the database is unavailable."""
        try:
            return followed_versions(self._context, subjects)
        except DatabaseFault:
            return {}

    def _answer(self, route: Route, request: Request, page: Callable[[], A]) -> A | Response:
        """Return a page's answer, or the response to its error or to a fault of the database."""
        return self._retried(route, request, partial(self._page_or_error, route, request, page))

    def _retried(
        self, route: Route, request: Request, made: Callable[[], A | Response]
    ) -> A | Response:
        """Return a complete answer, or the response to a fault of the database that stays."""
        try:
            answer = retry(made)
        except TooManyNewcomers as error:
            response = slow_down(error.seconds)
        except DatabaseBusy:
            response = slow_down(BUSY_SECONDS)
        except DatabaseAway as error:
            response = Response(
                Status.SERVER_UNAVAILABLE, render.translate(_words_for(error, route, request))
            )
        else:
            if isinstance(answer, Response) and answer.preface:
                return self._below_preface(request, answer)
            return answer
        # A request that the database leaves unanswered is counted with its page.
        return replace(response, page=page_name(route.page))

    def _below_preface(self, request: Request, redirect: Response) -> Response:
        """Return the page to which a redirect leads, below its preface; on another thread.

        That page may be kept for its own address, but never with a preface.
        """
        path, _, query = redirect.meta.partition("?")
        goal = in_language(replace(request, path=path, query=unquote(query) or None))
        if isinstance(goal, str):
            return replace(redirect, preface="")
        found = self._on_reactor(goal, self._context.clock(), is_current=self._shared is None)
        page = self._completed(goal, found if isinstance(found, Response) else found())
        if not isinstance(page, Response):
            return replace(redirect, preface="")
        if page.status != Status.SUCCESS:
            # If that is for a while only, the same request will be answered later.
            return page
        body = f"{redirect.preface}\n{page.body}"
        return replace(page, body=body, page=redirect.page, freshness=None)

    def _page_or_error(self, route: Route, request: Request, page: Callable[[], A]) -> A | Response:
        """Return a page's answer, or the response to its error."""
        answer: A | Response
        try:
            answer = page()
        except CertificateMissing:
            answer = redirect(_way_to_sign_in(route, request))
        except (CertificateRefused, CertificateNotAuthorised, NotAtPresent) as error:
            status = _STATUSES[type(error)]
            answer = Response(status, render.meta(render.translate(error.message)))
        except Busy:
            answer = slow_down(RETRY_SECONDS)
        except NotFound:
            other = former_names.redirect_for_former_name(self._context, request.path)
            # The redirect is temporary: in a year the old name may belong to somebody else.
            answer = self._redirect_or_not_found(request) if other is None else redirect(other)
        if isinstance(answer, Wait):
            finish = partial(self._answer, route, request, answer.finish)
            return replace(answer, finish=partial(_said_in, speech(), finish))
        if request.is_narrow and isinstance(answer, Response):
            answer = with_narrow_links(answer, self._is_narrowable)
        answer = replace(answer, page=page_name(route.page))
        if isinstance(answer, Live):
            return cast("A", live_in(answer, request, speech()))
        return with_links_in(answer, request, speech())


def _page(
    route: Route, request: Request, arguments: Mapping[str, str | None], context: AppContext
) -> Answer:
    """Return a page's answer; if it finds nothing, its reader is told so in their language."""
    try:
        return route.page(context, request=request, **arguments)
    except NotFound:
        identity.speak_to_reader(context, request)
        raise


def _said_in(language: Language | Speech, answer: Callable[[], T]) -> T:
    """Return what a function returns that speaks a language, on another thread."""
    with speaking(language):
        return answer()


def _way_to_sign_in(route: Route, request: Request) -> str:
    """Return the address that asks for the certificate that a request lacks.

    Nobody goes on to an action: its key was not made for the player who signs in. Its text is lost,
    which they are told; programs learn that from the missing answer.
    """
    if not route.is_action:
        return sign_in.way_to(request.path, request.query)
    is_unsent = bool(request.query) and not request.path.endswith(".json")
    return sign_in.UNSENT if is_unsent else sign_in.AREA


def _words_for(error: DatabaseAway, route: Route, request: Request) -> Message:
    """Return the sentence for somebody whose request the database has left unanswered."""
    is_move = re.search(r"/move(\.json)?$", request.path)
    if not route.is_action:
        if isinstance(error, CannotStore):
            return message("Nothing can be stored at present. Try again later")
        return message("The database does not answer. Try again soon")
    if isinstance(error, CommitUnanswered):
        if is_move:
            return message("Your move may have been stored. Look at the game before you try again")
        return message("This may have been stored. Look at the page before you try again")
    if is_move:
        return message("Your move was not stored. Try again later")
    return message("This was not stored. Try again later")


def _in_words(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
