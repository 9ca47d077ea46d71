"""Pages that are kept, by the rules of one process and of several machines."""

import re
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from typing import Any

from capsule.gemini.types import (
    Answer,
    CachePolicy,
    CacheTag,
    Handler,
    Request,
    Response,
    Route,
    Wait,
)
from capsule.middleware.caching import KEPT_FOR, caching
from capsule.ui.page_cache import PageCache
from tests.support.client import BEGINNING, certificate


def nothing(context: object, request: Request) -> Response:
    raise NotImplementedError


ROUTE = Route(re.compile("/page"), nothing, is_cacheable=True)
REQUEST = Request("/page", route=ROUTE)


class Clock:
    """A clock that is set, and doubted, by a test."""

    now, doubt = BEGINNING, False

    def __call__(self) -> datetime:
        return self.now


class Machines:
    """Changes that other machines make, as far as they have been asked for."""

    asked, is_known = 0, True

    def ask(self, now: datetime) -> None:
        self.asked += 1

    def is_recent(self, now: datetime) -> bool:
        return self.is_known

    def changed(self) -> Collection[CacheTag]:
        return ()


def counted(
    clock: Clock, shared: Machines | None = None, made: Callable[[int], Answer] | None = None
) -> Handler:
    """Return a handler that counts how often its page is made."""
    times = 0

    def handle(_request: Request) -> Answer:
        nonlocal times
        times += 1
        return made(times) if made else Response(20, "", f"{times}")

    machines: Any = shared or Machines()
    layer = partial(caching, cache=PageCache(machines), clock=clock, shared=shared)
    return partial(layer, handle)


def bodies(handle: Handler, *requests: Request) -> list[str]:
    return [handle(each).body for each in requests]


def test_a_page_is_kept_for_a_while() -> None:
    clock = Clock()
    handle = counted(clock)
    assert bodies(handle, REQUEST, REQUEST, REQUEST._replace(may_block=True)) == ["1", "1", "1"]
    clock.now += KEPT_FOR
    assert bodies(handle, REQUEST, REQUEST) == ["2", "2"]


def test_some_pages_are_made_each_time() -> None:
    clock = Clock()
    for request in (Request("/page"), REQUEST._replace(resume=lambda: Response(20, ""))):
        assert bodies(counted(clock), request, request) == ["1", "2"]
    clock.doubt = True
    assert bodies(counted(clock), REQUEST, REQUEST) == ["1", "2"]


def test_only_pages_are_kept() -> None:
    wait = Wait("alice", lambda: Response(20, ""), Response(44, "1"))
    handle = counted(Clock(), made=lambda times: [wait, Response(51, "")][times % 2])
    assert [handle(REQUEST), handle(REQUEST), handle(REQUEST)] == [Response(51, ""), wait] * 1 + [
        Response(51, "")
    ]


def test_a_worker_asks_a_shared_database_for_changes_first() -> None:
    shared = Machines()
    handle = counted(Clock(), shared)
    assert bodies(handle, *[REQUEST._replace(may_block=True)] * 2) == ["1", "1"]
    assert shared.asked == 2
    assert bodies(handle, REQUEST) == ["1"]
    assert shared.asked == 2


def test_what_is_kept_of_a_shared_database_goes_to_strangers_alone_while_it_is_recent() -> None:
    shared = Machines()
    own = REQUEST._replace(certificate=certificate("alice"))
    handle = counted(Clock(), shared)
    assert bodies(handle, REQUEST, REQUEST, own, own) == ["1", "1", "2", "3"]
    shared.is_known = False
    assert bodies(handle, REQUEST) == ["4"]


def test_what_depends_on_no_change_is_always_given_to_strangers() -> None:
    shared = Machines()
    shared.is_known = False
    always = CachePolicy(BEGINNING + KEPT_FOR, frozenset())
    handle = counted(
        Clock(), shared, lambda times: Response(20, "", f"{times}", cache_policy=always)
    )
    assert bodies(handle, REQUEST, REQUEST) == ["1", "1"]
