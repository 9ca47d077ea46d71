"""The work of a page is bounded, however much is stored: nobody waits for others' pages."""

import sys
from collections import Counter
from collections.abc import Iterator
from types import FrameType

import pytest

from capsule.app import compiled_routes
from capsule.gemini.types import Request, Response, Wait
from tests.support import laden_capsule
from tests.support.client import Client, answer_at_once, answer_of
from tests.support.laden_capsule import FULL, LIGHT, PROGRAM, Laden
from tests.support.query_log import recorded_queries
from tests.support.stories import ALICE, CAROL

# Its capsule takes longer to fill than the tests take.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("laden capsule")]

MAX_STATEMENTS, MAX_STEPS, MAX_CALLS = 12, 100_000, 30_000
"""The most work for a page: statements, steps of SQLite's machine, and calls of functions.

That is about ten milliseconds; unlike these, the numbers are the same on every machine.
"""

MOST = (MAX_STATEMENTS, MAX_STEPS, MAX_CALLS)

STEPS = 100
"""Steps of SQLite that are counted at a time."""


@pytest.fixture(
    scope="module",
    params=[LIGHT, pytest.param(FULL, marks=pytest.mark.deep)],
    ids=["light", "full"],
)
def laden(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[tuple[Client, Laden]]:
    client = Client(tmp_path_factory.mktemp("laden"))
    yield client, laden_capsule.fill(client, request.param)
    client.database.close()


@pytest.mark.slow
@pytest.mark.sqlite  # on PostgreSQL no page that reads is made there
def test_pages_on_the_reactor_take_no_longer_however_much_is_stored(
    laden: tuple[Client, Laden],
) -> None:
    client, filled = laden
    for address in filled.addresses:
        # Some statements are made only for those who have played as much as alice.
        for who in (CAROL, ALICE):
            client.ask(address, who)
    # Templates and statements have been compiled; no page and no position is kept.
    client.restart()
    dear = []
    for address in filled.addresses:
        for who in (None, ALICE, PROGRAM):
            path, _, query = address.partition("?")
            request = Request(path, query or None, who)
            work = work_of(client, request)
            if any(did > most for did, most in zip(work, MOST, strict=True)):
                dear.append((address, who and who.common_name, *work))
    assert not dear


@pytest.mark.sqlite
def test_pages_of_company_take_no_longer_on_any_thread(laden: tuple[Client, Laden]) -> None:
    client, filled = laden
    for address in filled.company:
        for who in (CAROL, ALICE):
            assert client.ask(address, who).status == 20, address
    client.restart()
    dear = []
    for address in filled.company:
        for who in (None, ALICE, PROGRAM):
            path, _, query = address.partition("?")
            work = work_of(client, Request(path, query or None, who), is_finished=True)
            if any(did > most for did, most in zip(work, MOST, strict=True)):
                dear.append((address, who and who.common_name, *work))
    assert not dear


@pytest.mark.parametrize(
    "address",
    ["/play/", "/play/desk", "/play/desk.json", "/play/me/export.json", "/play/me/records.txt"],
)
def test_hundreds_of_games_are_asked_for_at_once(laden: tuple[Client, Laden], address: str) -> None:
    client, _ = laden
    # No position is kept.
    client.configure()
    for who in (ALICE, PROGRAM):
        with recorded_queries(client) as recorded:
            answer = answer_of(client.application, Request(address, None, who, may_block=True))
            if isinstance(answer, Wait):
                answer = answer.finish()
        assert isinstance(answer, Response)
        assert answer.status == 20
        (most,) = Counter(query.sql for query in recorded if query.is_read).most_common(1)
        assert most[1] <= 3, most


def work_of(client: Client, request: Request, *, is_finished: bool = False) -> tuple[int, int, int]:
    """Return the statements, the steps of SQLite and the calls of functions on the reactor.

    If the page `is_finished`, what another thread does for it is counted, too.
    """
    steps = calls = 0

    def step() -> None:
        nonlocal steps
        steps += STEPS

    def call(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event.endswith("call")

    with recorded_queries(client) as recorded, client.database.engine.connect() as connection:
        # The pool hands out the connection that was given back last.
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.set_progress_handler(step, STEPS)
        connection.close()
        sys.setprofile(call)
        try:
            (answer_of if is_finished else answer_at_once)(client.application, request)
        finally:
            sys.setprofile(None)
            raw.set_progress_handler(None, 0)
    return sum(query.is_read for query in recorded), steps, calls


def test_every_cacheable_page_is_among_them(laden: tuple[Client, Laden]) -> None:
    table = compiled_routes()
    tried = {found[0] for each in laden[1].addresses if (found := table.find(each.split("?")[0]))}
    assert {route.page for route in table if route.is_cacheable} == {
        route.page for route in tried if route.is_cacheable
    }
