"""Caching: a page passes again without being made, until something on it changes."""

from dataclasses import replace
from datetime import datetime, timedelta

from capsule.db.changes import SharedChanges
from capsule.gemini.types import Answer, CachePolicy, Handler, Request, Response, Status
from capsule.timekeeping.trusted_clock import TrustedClock
from capsule.ui.page_cache import PageCache

KEPT_FOR = timedelta(seconds=10)
"""Time for which a cacheable page is reused if nothing changes: its times may be that old."""


def caching(
    handle: Handler,
    request: Request,
    *,
    cache: PageCache,
    clock: TrustedClock,
    shared: SharedChanges | None = None,
) -> Answer:
    """Keep the pages of cacheable routes, but not while the clock is in doubt.

    A page may offer then to claim a game.
    """
    if not request.route.is_cacheable or request.resume is not None or clock.doubt:
        return handle(request)
    now = clock()
    kept = cache.get(request, now, is_current=_is_current(request, now, shared))
    if kept is not None:
        return kept
    since = cache.position
    answer = handle(request)
    if not isinstance(answer, Response):
        return answer
    if answer.status == Status.SUCCESS and answer.cache_policy is None:
        answer = replace(answer, cache_policy=CachePolicy(now + KEPT_FOR))
    cache.keep(request, answer, now, since)
    return answer


def _is_current(request: Request, now: datetime, shared: SharedChanges | None) -> bool:
    """Return whether the cache knows of all changes that matter to a visitor.

    If the database is `shared` with other machines, a worker asks it for changes first. Without
    that, a visitor who is not signed in may be given what was known a second ago, and others only
    what depends on no change.
    """
    if shared is None:
        return True
    if request.may_block:
        shared.ask(now)
        return True
    return request.certificate is None and shared.is_recent(now)
