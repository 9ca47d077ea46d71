"""Live pages look for news, send it to their readers, and end, by a clock that tests set."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from twisted.internet.task import Clock

from capsule.gemini.limits import WaitLimit
from capsule.gemini.live import LONGEST_SECONDS, LOOK_SECONDS, LiveReaders
from capsule.gemini.types import Live, Response


class Threads:
    """A pool that does everything at once."""

    def callInThread(self, act: Callable[..., None], *arguments: object) -> None:  # noqa: N802
        act(*arguments)


class Reactor(Clock):
    """A reactor whose time is set."""

    def callFromThread(self, act: Callable[..., None], *arguments: object) -> None:  # noqa: N802
        act(*arguments)


@dataclass(eq=False)
class Reader:
    """A connection that writes down what it is sent."""

    received: list[str] = field(default_factory=list)
    has_ended: bool = False

    def send_more(self, text: str) -> None:
        assert not self.has_ended
        self.received.append(text)

    def end_live(self, text: str) -> None:
        self.send_more(text)
        self.has_ended = True


class Story:
    """A subject that changes, and the application that describes it."""

    def __init__(self) -> None:
        self.version, self.last, self.made = 0, 1000, 0
        self.is_news = True
        self.error: Exception | None = None

    def versions(self, subjects: Collection[str]) -> Mapping[str, int]:
        if self.error is not None:
            raise self.error
        return dict.fromkeys(subjects, self.version)

    def live(self, audience: str | None = None) -> Live:
        self.made += 1
        return Live(
            subject="story",
            version=self.version,
            text=f"part {self.version}" if self.is_news else "",
            more=partial(self.live, audience),
            on_expiry=lambda: "late",
            on_shutdown=lambda: "stopped",
            fallback=Response(40, "no"),
            on_full=Response(40, "full"),
            audience=audience,
            is_over=self.version >= self.last,
        )


class Stage:
    """A server's live readers."""

    def __init__(self) -> None:
        self.reactor, self.waiting_threads, self.application = Reactor(), Threads(), Story()
        self.errors: list[BaseException] = []
        server: Any = self
        self.readers = LiveReaders(server, WaitLimit(3, 2), self.errors.append)

    def admit(self, owner: str, audience: str | None = None) -> Reader:
        reader = Reader()
        assert self.readers.admit(reader, self.application.live(audience), [owner])
        return reader

    def look(self) -> None:
        self.reactor.advance(LOOK_SECONDS)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_news_are_sent_once_and_by_the_next_look(stage: Stage) -> None:
    reader = stage.admit("alice")
    stage.look()
    assert reader.received == []
    stage.application.version = 3
    stage.look()
    stage.look()
    assert reader.received == ["part 3"]


def test_a_reader_with_as_many_as_may_be_is_distinguished_from_a_full_server(stage: Stage) -> None:
    for owner in ("alice", "alice"):
        stage.admit(owner)
    assert not stage.readers.admit(Reader(), stage.application.live(), ["alice"])
    assert not stage.readers.is_full
    stage.admit("bob")
    assert not stage.readers.admit(Reader(), stage.application.live(), ["carol"])
    assert stage.readers.is_full


def test_it_ends_with_its_subject(stage: Stage) -> None:
    reader = stage.admit("alice")
    stage.application.version = stage.application.last
    stage.look()
    assert (reader.received, reader.has_ended, len(stage.readers)) == (["part 1000"], True, 0)
    assert not stage.reactor.getDelayedCalls(), "nobody looks for nobody"


def test_it_ends_after_half_an_hour(stage: Stage) -> None:
    reader = stage.admit("alice")
    stage.reactor.pump([LOOK_SECONDS] * int(LONGEST_SECONDS / LOOK_SECONDS - 1))
    assert not reader.has_ended
    stage.look()
    assert (reader.received, reader.has_ended) == (["late"], True)


def test_it_ends_when_the_server_stops(stage: Stage) -> None:
    reader = stage.admit("alice")
    stage.readers.stop()
    assert (reader.received, reader.has_ended, len(stage.readers)) == (["stopped"], True, 0)


def test_a_connection_that_ends_makes_room(stage: Stage) -> None:
    readers = [stage.admit("alice"), stage.admit("alice")]
    assert not stage.readers.admit(Reader(), stage.application.live(), ["alice"])
    stage.admit("bob")
    assert not stage.readers.admit(Reader(), stage.application.live(), ["carol"]), "it is full"
    stage.readers.leave(readers[0])
    stage.readers.leave(readers[0])
    stage.admit("alice")
    assert not stage.readers.admit(Reader(), stage.application.live(), ["alice"])
    stage.application.version = 1
    stage.look()
    assert readers[0].received == []


def test_a_fault_is_described_and_the_next_look_goes_on(stage: Stage) -> None:
    reader = stage.admit("alice")
    stage.application.version, stage.application.error = 1, RuntimeError("broken")
    stage.look()
    assert [str(error) for error in stage.errors] == ["broken"]
    stage.application.error = None
    stage.look()
    assert reader.received == ["part 1"]
