"""Waiting for something slow: nobody else notices, however many wait."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.waiting import wait_until
from tests.support.wire.connection import connect, fetch
from tests.support.wire.gates import Gate
from tests.support.wire.running import Running
from tests.wire.conftest import StartEcho

MANY = 60


def at(gate: Gate) -> str:
    """Return where alice waits for a gate as she would for a bot."""
    return gate.path.replace("/gate", "/wait/alice")


def test_sixty_waits_of_one_visitor_hold_nobody_up(start_echo: StartEcho, tmp_path: Path) -> None:
    gate = Gate(tmp_path)
    room = {"connections_per_address": 2 * MANY, "held_back_per_address": MANY}
    with start_echo(rate=0, threads=2, **room) as server, ThreadPoolExecutor(MANY + 1) as visitors:

        def ask(path: str) -> int:
            return fetch(f"{server.home}{path}", server.address).status

        waits = [visitors.submit(ask, at(gate)) for _ in range(MANY)]
        answers = [visitors.submit(ask, "/page") for _ in range(MANY)]
        assert {answer.result() for answer in answers} == {20}
        wait_until(lambda: sum(wait.done() for wait in waits) == MANY - 1)
        gate.open()
        statuses = sorted(wait.result() for wait in waits)
        assert statuses == [20] + [44] * (MANY - 1)
        assert ask("/wait/alice") == 20, "who has waited may wait again"


def test_a_wait_that_its_visitor_gave_up_is_over_when_it_ends(
    start_echo: StartEcho, tmp_path: Path
) -> None:
    gate = Gate(tmp_path)
    with start_echo(rate=0) as server:
        with connect(server.address) as impatient:
            impatient.sendall(f"{server.home}{at(gate)}\r\n".encode())
            wait_until(lambda: gate.waiting)
        assert fetch(f"{server.home}/wait/alice", server.address).status == 44
        gate.open()
        wait_until(lambda: fetch(f"{server.home}/wait/alice", server.address).status == 20)


def test_an_answer_at_once_is_like_any_other(echo: Running, home: str) -> None:
    reply = fetch(f"{home}/at-once/large/200000", echo.address)
    assert (reply.status, len(reply.body), reply.closed_cleanly) == (20, 200_000, True)
    assert fetch(f"{home}/at-once/nothing", echo.address).status == 42
    assert fetch(f"{home}/at-once/fault/x", echo.address).status == 42


def test_a_path_that_always_blocks_is_answered_by_a_thread_alone(echo: Running, home: str) -> None:
    assert fetch(f"{home}/at-once/blocked/x", echo.address).body == "by a thread"
    assert fetch(f"{home}/at-once/x", echo.address).body != "by a thread"
