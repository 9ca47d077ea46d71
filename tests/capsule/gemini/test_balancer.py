"""Headers of the PROXY protocol, whole, in parts and broken."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from capsule.gemini.balancer import MAX_BYTES, MAX_TEXT_BYTES, read_header

V2 = b"\r\n\r\n\0\r\nQUIT\n"
HEADERS = {
    b"PROXY TCP4 192.0.2.7 192.0.2.1 5000 1965\r\n": "192.0.2.7",
    b"PROXY TCP6 2001:db8::7 2001:db8::1 5000 1965\r\n": "2001:db8::7",
    b"PROXY UNKNOWN\r\n": None,
    b"PROXY UNKNOWN 1 2 3 4\r\n": None,
    V2 + b"\x21\x11\0\x0c" + bytes([192, 0, 2, 7, 192, 0, 2, 1, 0, 80, 7, 173]): "192.0.2.7",
    V2 + b"\x21\x21\0\x24" + bytes(15) + b"\7" + bytes(20): "0:0:0:0:0:0:0:7",
    V2 + b"\x21\x31\0\xd8" + bytes(216): None,
    V2 + b"\x20\0\0\0": None,
}


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_names_the_visitor_once_it_is_whole(header: bytes) -> None:
    for length in range(len(header)):
        assert read_header(header[:length]) is None
    for rest in (b"", b"\x16\x03\x01 and what else TLS begins with"):
        found = read_header(header + rest)
        assert found is not None
        assert found.size == len(header)
        assert (found.visitor and found.visitor.host) == HEADERS[header]


@given(st.one_of(st.just(b""), st.sampled_from([b"PROXY ", V2, V2 + b"\x21"])), st.binary())
def test_other_bytes_are_refused_or_waited_for_up_to_a_length(begun: bytes, rest: bytes) -> None:
    received = begun + rest
    with suppress(ValueError):
        if read_header(received) is None:
            longest = MAX_BYTES if received.startswith(V2) else MAX_TEXT_BYTES
            with pytest.raises(ValueError, match="no header"):
                assert read_header(received.ljust(longest + 1, b"-")) is None
