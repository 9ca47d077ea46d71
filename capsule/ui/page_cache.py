"""A cache of rendered pages, dropped when their data or a displayed time changes.

A page is cached for one visitor: for the path, the query and the certificate of the request, and as
narrow and in the language as it was asked for. In another language than English a game's page is
there twice, with different links: for everybody, and for its reader's own seat.

Tags pay for themselves. Of a hundred requests, 95 were for pages of 200 games, by their 100 players
(five of six signed in). Requests a second of the processor, by `tests.bench.kept_pages`:

| a change drops | pages with its tags | all pages | no cache |
|---|---|---|---|
| ten moves a minute | 1147 | 651 | 289 |
| ten moves a second | 808 | 273 | 285 |
| ten moves a minute, nobody signed in | 8592 | 7963 | 385 |
"""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from sys import getsizeof
from threading import Lock
from typing import Protocol, TypeAlias

from capsule.gemini.types import CachePolicy, CacheTag, Certificate, Request, Response

MAX_BYTES = 12_000_000
"""The size of the cache; pages requested least recently are dropped first."""

BYTES_PER_PAGE = 600
"""The size of a cached page without its text, its address and what follows."""

BYTES_PER_CERTIFICATE = 250
"""The size of a certificate without its words."""

BYTES_PER_TAG = 90
"""The size of a tag of a page."""

MAX_TAGS = 5_000
"""Changed tags that are remembered; after more than that, everything counts as changed."""

_Key: TypeAlias = tuple[str, str | None, bool, str, bool, Certificate | None]
"""The path, the query, the width, the language, the reader and the certificate of a request."""


class Changes(Protocol):
    """A source of changes, by this process or any other."""

    def changed(self) -> Collection[CacheTag] | None:
        """Return what has changed since the last call: games, and with them all games of players.

        None means that something else changed, or that it is not known what did.
        """


@dataclass(slots=True)
class _Entry:
    """A response whose text is stored as bytes: one dash would make every character take two.

    Its tags have not changed between the cache's `position` when it was made and this one.
    """

    response: Response
    text: bytes
    since: datetime
    until: datetime
    tags: frozenset[CacheTag] | None
    position: int
    size: int


class PageCache:
    """The cached pages, which threads may share if they can share the source of changes."""

    def __init__(self, changes: Changes, max_bytes: int = MAX_BYTES) -> None:
        self._changes = changes
        self._max_bytes = max_bytes
        self._bytes = 0
        self._lock = Lock()
        # The number of times that changes were found, and its value when everything changed last,
        # and when each tag has changed since then.
        self.position = self._all_changed = 0
        self._changed: dict[CacheTag, int] = {}
        self._pages: OrderedDict[_Key, _Entry] = OrderedDict()

    @property
    def size(self) -> int:
        """The bytes that the cached pages take, with all that belongs to them."""
        return self._bytes

    def get(self, request: Request, now: datetime, *, is_current: bool = True) -> Response | None:
        """Return the page that is cached for a request or for all its queries, or None.

        Unless the source of changes `is_current`, only a page that depends on none is returned.
        """
        with self._lock:
            self._note_changes()
            kept = self._get(request, now, is_current=is_current)
            if kept is not None or request.query is None:
                return kept
            kept = self._get(request._replace(query=None), now, is_current=is_current)
            return kept if kept is not None and kept.ignores_query else None

    def _get(self, request: Request, now: datetime, *, is_current: bool) -> Response | None:
        key = _key_of(request)
        kept = self._pages.get(key)
        if kept is None:
            return None
        # A page that is shown for a certificate depends on whose that is.
        is_independent = kept.tags == frozenset() and request.certificate is None
        if not (is_current or is_independent):
            return None
        if not kept.since <= now < kept.until or self._has_changed(kept):
            self._drop(key)
            return None
        kept.position = self.position
        self._pages.move_to_end(key)
        return replace(kept.response, body=kept.text.decode())

    def keep(self, request: Request, response: Response, now: datetime, since: int) -> None:
        """Keep a page, if it may be reused.

        One that `ignores_query` is cached for all queries. `since` is the `position` before it was
        made, and after `get`.
        """
        cache_policy = response.cache_policy
        if cache_policy is None:
            return
        shown_for = request._replace(query=None) if response.ignores_query else request
        with self._lock:
            self._keep(shown_for, response, now, since, cache_policy)

    def _keep(
        self,
        request: Request,
        response: Response,
        now: datetime,
        position: int,
        cache_policy: CachePolicy,
    ) -> None:
        until = cache_policy.until
        if request.certificate is not None:
            # A certificate that begins or ceases to be valid makes its holder another visitor.
            limits = (request.certificate.not_before, request.certificate.not_after)
            until = min([until, *(limit for limit in limits if limit >= now)])
        key = _key_of(request)
        self._drop(key)
        text = response.body.encode(errors="replace")
        size = _size_of(key, text, cache_policy.tags)
        self._pages[key] = _Entry(
            replace(response, body=""), text, now, until, cache_policy.tags, position, size
        )
        self._bytes += size
        while self._bytes > self._max_bytes:
            self._drop(next(iter(self._pages)))

    def _note_changes(self) -> None:
        changed = self._changes.changed()
        if changed is not None and not changed:
            return
        self.position += 1
        self._changed.update(dict.fromkeys(changed or (), self.position))
        if changed is None or len(self._changed) > MAX_TAGS:
            self._all_changed = self.position
            self._changed.clear()
            self._pages.clear()
            self._bytes = 0

    def _has_changed(self, kept: _Entry) -> bool:
        """Return whether something has changed that a page depends on."""
        since, tags = kept.position, kept.tags
        return since < self.position and (
            tags is None
            or since < self._all_changed
            or any(self._changed.get(tag, 0) > since for tag in tags)
        )

    def _drop(self, key: _Key) -> None:
        kept = self._pages.pop(key, None)
        if kept is not None:
            self._bytes -= kept.size


def _key_of(request: Request) -> _Key:
    shown = request.is_narrow, request.language, request.is_readers_own
    return request.path, request.query, *shown, request.certificate


def _size_of(key: _Key, text: bytes, tags: frozenset[CacheTag] | None) -> int:
    """Return the bytes that a page takes."""
    path, query, *_, certificate = key
    size = BYTES_PER_PAGE + getsizeof(path) + getsizeof(query) + getsizeof(text)
    if certificate is not None:
        words = getsizeof(certificate.fingerprint) + getsizeof(certificate.common_name)
        size += BYTES_PER_CERTIFICATE + words
    if tags is not None:
        size += getsizeof(tags) + BYTES_PER_TAG * len(tags)
    return size
