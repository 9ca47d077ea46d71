"""A connection reads one line, and sends its response as fast as the visitor takes it."""

import pytest
from hypothesis import given, strategies as st
from twisted.internet.testing import StringTransport

from capsule.gemini.transfer import CHUNK, LineReader, Outbox
from capsule.gemini.url import MAX_LINE_BYTES

SECONDS = 7


class Sending:
    """An outbox, what it has sent, whether TLS has ended, and its deadlines."""

    def __init__(self) -> None:
        self.tls = StringTransport()
        self.tls.transport = StringTransport()
        self.deadlines: list[float | None] = []
        self.outbox = Outbox(self.tls, self.deadlines.append, SECONDS)

    @property
    def state(self) -> tuple[int, bool]:
        return len(self.tls.value()), self.tls.disconnecting


@pytest.fixture
def sending() -> Sending:
    return Sending()


@given(st.lists(st.binary(), min_size=1))
def test_a_line_is_the_same_however_it_arrives(parts: list[bytes]) -> None:
    reader, received = LineReader(), b"".join(parts)
    for part in parts:
        reader.feed(part)
    line, newline, _ = received.partition(b"\n")
    assert reader.first.is_done == bool(newline)
    if newline:
        assert reader.first.result == line + newline


def test_no_more_is_read_of_a_line_than_says_that_it_is_too_long() -> None:
    reader = LineReader()
    reader.feed(b"a" * MAX_LINE_BYTES + b"\r")
    assert not reader.first.is_done
    reader.feed(b"a")
    reader.feed(b"a\r\n")
    assert reader.first.result == b"a" * MAX_LINE_BYTES + b"\ra"


def test_the_next_piece_goes_when_the_system_has_taken_the_one_before(sending: Sending) -> None:
    sent = sending.outbox.send(b"a" * (CHUNK + 1))
    sending.outbox.resumeProducing()
    assert sending.state == (CHUNK, False)
    sending.outbox.resumeProducing()
    assert sending.state == (CHUNK + 1, True)
    assert not sent.is_done
    sending.outbox.resumeProducing()
    assert sent.result is True
    assert sending.deadlines == [SECONDS, SECONDS]


def test_a_response_is_not_sent_to_a_visitor_who_has_gone(sending: Sending) -> None:
    sent = sending.outbox.send(b"a" * (CHUNK + 1))
    sending.outbox.resumeProducing()
    sending.outbox.stopProducing()
    assert sent.result is False


def test_a_response_that_goes_on_has_no_deadline_between_its_parts(sending: Sending) -> None:
    sending.outbox.is_open = True
    sending.outbox.send(b"first ")
    sending.outbox.resumeProducing()
    sending.outbox.send_more("second ")
    assert sending.state == (len("first "), False)
    sending.outbox.resumeProducing()
    sending.outbox.resumeProducing()
    sending.outbox.send_more("third")
    sending.outbox.resumeProducing()
    assert sending.tls.value() == b"first second third"
    assert sending.deadlines == [SECONDS, SECONDS, None, SECONDS, None]


@pytest.mark.parametrize("text", ["", "last"])
@pytest.mark.parametrize("is_idle", [False, True])
def test_a_response_that_went_on_ends_with_tls(
    sending: Sending, text: str, *, is_idle: bool
) -> None:
    sending.outbox.is_open = True
    sent = sending.outbox.send(b"first ")
    sending.outbox.resumeProducing()
    if is_idle:
        sending.outbox.resumeProducing()
    sending.outbox.end_live(text)
    if not is_idle:
        sending.outbox.resumeProducing()
    assert sending.state == (len(f"first {text}"), True)
    assert not sent.is_done


def test_a_reader_who_takes_nothing_is_left(sending: Sending) -> None:
    sending.outbox.is_open = True
    sending.outbox.send(b"first")
    sending.outbox.resumeProducing()
    sending.outbox.send_more("a" * CHUNK)
    assert not sending.tls.transport.disconnected
    sending.outbox.send_more("a")
    assert sending.tls.transport.disconnected
