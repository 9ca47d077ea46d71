"""What is answered on the reactor's thread, and what is left to a worker."""

import re
from datetime import datetime
from functools import partial

import pytest

from capsule.errors import WouldBlock, require_worker
from capsule.gemini.types import Request, Response, Route
from capsule.middleware.bounded import bounded
from tests.support.client import BEGINNING


def nothing(context: object, request: Request) -> Response:
    raise NotImplementedError


PAGE = Request("/page", route=Route(re.compile("/page"), nothing, is_cacheable=True))
ACTION = Request("/act", route=Route(re.compile("/act"), nothing))


class Clock:
    doubt = False

    def __call__(self) -> datetime:
        return BEGINNING


def long(_request: Request) -> Response:
    require_worker()
    return Response(20, "", "long")


def short(_request: Request) -> Response:
    return Response(20, "", "short")


def test_only_bounded_pages_are_answered_at_once() -> None:
    layer = partial(bounded, clock=Clock())
    for request in (PAGE, Request("/nowhere")):
        assert layer(short, request).body == "short"
        with pytest.raises(WouldBlock):
            layer(long, request)
    with pytest.raises(WouldBlock):
        layer(short, ACTION)
    for request in (PAGE, ACTION):
        assert layer(long, request._replace(may_block=True)).body == "long"


def test_no_page_is_made_at_once_while_the_clock_is_in_doubt() -> None:
    clock = Clock()
    clock.doubt = True
    layer = partial(bounded, clock=clock)
    with pytest.raises(WouldBlock):
        layer(short, PAGE)
    assert layer(short, PAGE._replace(may_block=True)).body == "short"
