"""Bots in another process, asked through sockets; whichever process receives, or none."""

import logging
import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from capsule.bots import pool
from capsule.bots.pool import Answering, RemoteBots, question_sockets
from capsule.bots.service import Hint
from engine import message
from tests.support.waiting import PATIENCE, wait_until

LOG = logging.getLogger("oxonaut.test")

REASON = message("{cells} win at once", cells=(message("{cell}", cell="a1"), "b2"))


class Bots:
    """Bots who say what they are asked, and know one reason for everything."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.may_answer = Event()
        self.may_answer.set()

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        self.asked.append((game_id, turn_counter, owner))
        self.may_answer.wait(PATIENCE)

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        if variant == "fault":
            raise RuntimeError("a fault")
        self.asked.append((variant, *moves, owner))
        return (
            None if variant == "none" else Hint(f"move {len(moves)}", REASON, 0.75, is_exact=True)
        )

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        self.asked.append((variant, *moves, level, seed, owner))
        return None if variant == "none" else f"move {len(moves)}"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody wait for an answer for longer than any machine takes to give one."""
    monkeypatch.setattr(pool, "REPLY_WAIT_SECONDS", 2 * PATIENCE)
    monkeypatch.setattr(pool, "HINT_WAIT_SECONDS", 2 * PATIENCE)


@contextmanager
def at_once() -> Iterator[None]:
    """Require that the block does not wait until nobody waits for an answer any more."""
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < PATIENCE


@pytest.fixture
def sockets() -> Iterator[tuple[socket.socket, socket.socket]]:
    sending, receiving = question_sockets()
    yield sending, receiving
    sending.close()
    receiving.close()


@pytest.fixture
def bots() -> Bots:
    return Bots()


@pytest.fixture
def here(sockets: tuple[socket.socket, socket.socket], bots: Bots) -> RemoteBots:
    """A client of the bots, and the bots that answer."""
    sending, receiving = sockets
    Answering(receiving.dup(), bots, LOG).start()
    return RemoteBots(sending)


def test_a_hint_arrives_with_its_reason(here: RemoteBots, bots: Bots) -> None:
    hint = here.hint("tinc", ["a1", "b1"], 7)
    assert hint is not None
    assert (hint.move, str(hint.reason)) == ("move 2", str(REASON))
    assert bots.asked == [("tinc", "a1", "b1", 7)]
    assert here.hint("none", [], 7) is None


def test_a_move_in_a_game_that_is_not_stored_arrives(here: RemoteBots, bots: Bots) -> None:
    seed = 2**256 - 1
    assert here.move("noughts", ["a1", "b1"], "novice", seed, "strangers") == "move 2"
    assert bots.asked == [("noughts", "a1", "b1", "novice", seed, "strangers")]
    assert here.move("none", [], "novice", seed, "strangers") is None


def test_the_moves_of_a_very_long_game_arrive(here: RemoteBots) -> None:
    hint = here.hint("tinc", ["aa100"] * 10_000, 7)
    assert hint is not None
    assert hint.move == "move 10000"


def test_a_move_is_waited_for(here: RemoteBots, bots: Bots) -> None:
    bots.may_answer.clear()
    waiting = Thread(target=here.request_reply, args=("k3x9m2pqrt", 12, 7))
    waiting.start()
    wait_until(lambda: bots.asked)
    assert waiting.is_alive()
    assert bots.asked == [("k3x9m2pqrt", 12, 7)]
    with at_once():
        bots.may_answer.set()
        waiting.join()


def test_several_wait_at_a_time(here: RemoteBots, bots: Bots) -> None:
    bots.may_answer.clear()
    waiting = [Thread(target=here.request_reply, args=(f"game {n}", n, n)) for n in range(5)]
    for thread in waiting:
        thread.start()
    hint = here.hint("tinc", [], 7)
    assert hint is not None
    bots.may_answer.set()
    for thread in waiting:
        thread.join()
    assert set(bots.asked) == {("tinc", 7)} | {(f"game {n}", n, n) for n in range(5)}


def test_a_fault_there_is_no_hint_here(here: RemoteBots, caplog: pytest.LogCaptureFixture) -> None:
    with at_once():
        assert here.hint("fault", [], 7) is None
    assert "a fault" in caplog.text


def test_while_nobody_receives_a_question_waits_for_the_next_process(
    sockets: tuple[socket.socket, socket.socket], bots: Bots
) -> None:
    sending, receiving = sockets
    here = RemoteBots(sending)
    waiting = Thread(target=here.request_reply, args=("k3x9m2pqrt", 12, 7))
    waiting.start()
    time.sleep(0.2)
    assert waiting.is_alive()
    with at_once():
        Answering(receiving.dup(), bots, LOG).start()
        waiting.join()
    assert bots.asked == [("k3x9m2pqrt", 12, 7)]


def test_nobody_waits_for_ever(
    sockets: tuple[socket.socket, socket.socket], bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    sending, receiving = sockets
    with monkeypatch.context() as impatient:
        impatient.setattr(pool, "HINT_WAIT_SECONDS", 0.1)
        impatient.setattr(pool, "DELIVERY_SECONDS", 0.1)
        assert RemoteBots(sending).hint("tinc", [], 7) is None
    # A later receiver does not think of questions that nobody waits for any more.
    Answering(receiving.dup(), bots, LOG).start()
    assert RemoteBots(sending).hint("none", [], 8) is None
    assert bots.asked == [("none", 8)]


def test_a_process_that_dies_with_a_question_keeps_nobody_waiting(
    sockets: tuple[socket.socket, socket.socket],
) -> None:
    sending, receiving = sockets

    def receive_and_die() -> None:
        _, descriptors, *_ = socket.recv_fds(receiving, 1000, 1)
        for descriptor in descriptors:
            os.close(descriptor)

    dying = Thread(target=receive_and_die)
    dying.start()
    with at_once():
        assert RemoteBots(sending).hint("tinc", [], 7) is None
    dying.join()
