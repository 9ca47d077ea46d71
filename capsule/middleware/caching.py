"""Caching: a page is answered again without being rendered, until something on it changes."""

from dataclasses import replace
from datetime import datetime, timedelta

from capsule.db.changes import SharedChanges
from capsule.gemini.types import Answer, CachePolicy, Handler, Request, Response, Status
from capsule.timekeeping.trusted_clock import TrustedClock
from capsule.ui.page_cache import PageCache

KEPT_FOR = timedelta(seconds=10)
"""The time for which an unchanged page is reused; times on the page are late by at most this."""


def caching(
    handle: Handler,
    request: Request,
    *,
    cache: PageCache,
    clock: TrustedClock,
    shared: SharedChanges | None = None,
) -> Answer:
    """Cache the pages of cacheable routes, except while the clock is in doubt.

    A page cached before may offer to claim a game, which is impossible while in doubt.
    """
    if not request.route.is_cacheable or request.resume is not None or clock.doubt:
        return handle(request)
    now = clock()
    cached = cache.get(request, now, is_current=_is_current(request, now, shared))
    if cached is not None:
        return cached
    since = cache.position
    answer = handle(request)
    if not isinstance(answer, Response):
        return answer
    if answer.status == Status.SUCCESS and answer.cache_policy is None:
        answer = replace(answer, cache_policy=CachePolicy(now + KEPT_FOR))
    cache.keep(request, answer, now, since)
    return answer


def _is_current(request: Request, now: datetime, shared: SharedChanges | None) -> bool:
    """Return whether the cache knows all changes that matter to a visitor.

    If the database is `shared` with other machines, a worker asks it for changes first. The
    reactor's thread cannot ask: there, the cache counts as current for a visitor without a
    certificate if a worker has asked recently, and for nobody else.
    """
    if shared is None:
        return True
    if request.may_block:
        shared.ask(now)
        return True
    return request.certificate is None and shared.is_recent(now)
