"""What a visitor learns of faults of the database."""

import re
from collections.abc import Callable
from functools import partial

import pytest

from capsule.db import faults
from capsule.db.faults import (
    CannotStore,
    CommitOutcomeUnknown,
    Conflict,
    DatabaseBusy,
    DatabaseFault,
    DatabaseUnavailable,
)
from capsule.errors import WouldBlock
from capsule.gemini.types import Answer, Request, Response, Route
from capsule.middleware.database_faults import database_faults


def nothing(context: object, request: Request) -> Response:
    raise NotImplementedError


PAGE = Route(re.compile("/page"), nothing, name="page")
ACTION = Route(re.compile("/(?P<key>key)/.*"), nothing, name="action")


def failing(error: Exception, times: int = 1000) -> Callable[[Request], Answer]:
    left = [times]

    def handle(_request: Request) -> Answer:
        if left[0]:
            left[0] -= 1
            raise error
        return Response(20, "", "page")

    return partial(database_faults, handle)


@pytest.mark.parametrize(
    ("error", "route", "path", "expected"),
    [
        (DatabaseBusy(), PAGE, "/page", (44, "5")),
        (
            DatabaseUnavailable(),
            PAGE,
            "/page",
            (41, "The database does not answer. Try again soon"),
        ),
        (CannotStore("no"), PAGE, "/page", (41, "Nothing can be stored at present.")),
        (DatabaseUnavailable(), ACTION, "/key/say", (41, "This was not stored. Try again later")),
        (DatabaseUnavailable(), ACTION, "/key/move.json", (41, "Your move was not stored.")),
        (CommitOutcomeUnknown(), ACTION, "/key/say", (41, "This may have been stored. Look")),
        (CommitOutcomeUnknown(), ACTION, "/key/move", (41, "Your move may have been stored.")),
    ],
)
def test_it_is_answered_for_the_page_that_met_it(
    error: DatabaseFault, route: Route, path: str, expected: tuple[int, str]
) -> None:
    answer = failing(error)(Request(path, route=route, may_block=True))
    assert isinstance(answer, Response)
    assert (answer.status, answer.meta[: len(expected[1])]) == expected


def test_a_conflict_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "PAUSE_SECONDS", 0)
    request = Request("/page", may_block=True)
    assert failing(Conflict(), faults.MAX_ATTEMPTS - 1)(request) == Response(20, "", "page")
    with pytest.raises(Conflict):
        failing(Conflict(), faults.MAX_ATTEMPTS)(request)


@pytest.mark.parametrize("error", [Conflict(), DatabaseBusy(), DatabaseUnavailable()])
def test_a_worker_meets_it_once_more(error: DatabaseFault) -> None:
    with pytest.raises(WouldBlock):
        failing(error)(Request("/page"))
