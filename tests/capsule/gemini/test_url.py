"""Request lines: which page each asks for, and why the others get none."""

from urllib.parse import quote

import pytest
from hypothesis import example, given, strategies as st

from capsule.gemini.url import RequestRefused, RequestTarget, authority_of, parse_url

HERE = authority_of("localhost", 1965)


def read(url: str) -> RequestTarget:
    return parse_url(url.encode(), HERE)


def refusal(url: str | bytes) -> int:
    with pytest.raises(RequestRefused) as refused:
        parse_url(url if isinstance(url, bytes) else url.encode(), HERE)
    reason = refused.value.reason
    assert reason.isprintable()
    assert reason.isascii()
    return refused.value.status


@pytest.mark.parametrize(
    ("url", "path", "query"),
    [
        ("gemini://localhost/", "/", None),
        ("gemini://localhost", "/", None),
        ("gemini://localhost?", "/", ""),
        ("gemini://localhost?k3x9m2pqrt", "/", "k3x9m2pqrt"),
        ("gemini://localhost/play/", "/play/", None),
        ("gemini://localhost/play", "/play", None),
        ("gemini://localhost//play/", "//play/", None),
        ("gemini://localhost/a;b=c,d:e@f!$&'()*+-._~", "/a;b=c,d:e@f!$&'()*+-._~", None),
        ("gemini://localhost/...", "/...", None),
        ("gemini://localhost/.well-known", "/.well-known", None),
        ("gemini://localhost/a%20b", "/a b", None),
        ("gemini://localhost/caf%C3%A9", "/café", None),
        ("gemini://localhost/café", "/café", None),
        ("gemini://localhost/%252e%252e", "/%2e%2e", None),
        ("gemini://localhost/%3Fa%23b", "/?a#b", None),
        ("gemini://localhost/%5C", "/\\", None),
    ],
)
def test_a_path_is_percent_decoded_once(url: str, path: str, query: str | None) -> None:
    assert read(url) == RequestTarget(path, query)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("", ""),
        ("b2%20=%205", "b2 = 5"),
        ("g1+a1", "g1+a1"),
        ("a?b/c", "a?b/c"),
        ("%0D%0A20%20forged", "\r\n20 forged"),
        ("%00%1B%7F", "\0\x1b\x7f"),
        ("%EF%BB%BF", "\ufeff"),
        ("%F0%9F%98%80", "😀"),
        ("%2e%2E%2f", "../"),
        ("name@example", "name@example"),
    ],
)
def test_a_query_may_hold_anything_that_is_percent_encoded(query: str, text: str) -> None:
    assert read(f"gemini://localhost/?{query}") == RequestTarget("/", text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        *((f"a{sign}b", f"a{sign}b") for sign in '"<>\\^`{|}[]'),
        ("100%%20agreed", "100% agreed"),
        ("100%", "100%"),
        ("%", "%"),
        ("%%", "%%"),
        ("%4", "%4"),
        ("%zz", "%zz"),
        ("%4z", "%4z"),
        ("%é9", "%é9"),
        ("%%%41", "%%A"),
        ("%%34%31", "%41"),
        ("%2541", "%41"),
        ("%5Bx]%20{%7D", "[x] {}"),
        ("[%C3%A9|é]", "[é|é]"),
        ("??", "??"),
    ],
)
def test_what_some_browsers_do_not_encode_in_a_query_stands_for_itself(
    query: str, text: str
) -> None:
    assert read(f"gemini://localhost/?{query}") == RequestTarget("/", text)
    assert read(f"gemini://localhost?{query}") == RequestTarget("/", text)


@pytest.mark.parametrize("query", ["%%FF", "[%C3]", "50%ab", "%%%C0%AF", "%zz%ED%A0%80"])
def test_a_query_that_decodes_to_no_utf_8_is_a_bad_request(query: str) -> None:
    assert refusal(f"gemini://localhost/?{query}") == 59


@pytest.mark.parametrize(
    "url",
    [
        "gemini://localhost:1965/",
        "gemini://localhost:/",
        "gemini://localhost:01965/",
        "gemini://LocalHost/",
        "GEMINI://localhost/",
        "gemini://localhost./",
        "gemini://local%68ost/",
    ],
)
def test_spellings_of_our_own_host_and_port_are_ours(url: str) -> None:
    assert read(url).path == "/"


@pytest.mark.parametrize(
    ("hostname", "authority"),
    [
        ("café.example", "CAFÉ.example"),
        ("café.example", "xn--caf-dma.example"),
        ("café.example", "XN--CAF-DMA.EXAMPLE"),
        ("café.example", "caf%C3%A9.example"),
        ("xn--caf-dma.example", "café.example"),
        ("::1", "[::1]"),
        ("[::1]", "[0:0:0:0:0:0:0:1]"),
        ("2001:db8::a", "[2001:DB8::A]"),
        ("192.0.2.1", "192.0.2.1"),
    ],
)
def test_international_names_and_numbers_are_hosts_too(hostname: str, authority: str) -> None:
    line = f"gemini://{authority}/".encode()
    assert parse_url(line, authority_of(hostname, 1965)) == RequestTarget("/", None)


@pytest.mark.parametrize("hostname", ["", " ", "a b", "a..b", "[::1", "::1::", "a/b", "a:1965"])
def test_what_is_no_host_name_is_no_site(hostname: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of several kinds
        authority_of(hostname, 1965)


@pytest.mark.parametrize(
    "url",
    [
        "https://localhost/",
        "gopher://localhost:1965/",
        "mailto:alice@localhost",
        "gemini2://localhost/",
        "localhost:1965/",
        "gemini://example.org/",
        "gemini://localhost.example.org/",
        "gemini://127.0.0.1/",
        "gemini://[::1]/",
        "gemini://[v1.future]/",
        "gemini://localhost:1966/",
        "gemini://localhost:0/",
        "gemini://localhost:65535/",
        "gemini://example.org/%2e%2e/",
    ],
)
def test_another_scheme_host_or_port_is_refused_as_another_server(url: str) -> None:
    assert refusal(url) == 53


def test_an_address_without_a_port_means_1965_wherever_we_listen() -> None:
    with pytest.raises(RequestRefused) as refused:
        parse_url(b"gemini://localhost/", authority_of("localhost", 1966))
    assert refused.value.status == 53
    assert parse_url(b"gemini://localhost:1966/", authority_of("localhost", 1966)).path == "/"


@pytest.mark.parametrize(
    "url",
    [
        # No absolute address.
        *("", "/", "/play/", "//localhost/", "localhost/", "gemini", "gemini:", "gemini:/"),
        *("gemini:play", "://localhost/", "1gemini://localhost/", "?gemini://localhost/"),
        # With a fragment.
        *("gemini://localhost/#", "gemini://localhost/#top", "gemini://localhost#top"),
        *("gemini://localhost/?query#top", "gemini://localhost/?100%#top"),
        "gemini://localhost/?[#]",
        # With a user name, even an empty one.
        *("gemini://@localhost/", "gemini://alice@localhost/", "gemini://alice:secret@localhost/"),
        *("gemini://:@localhost/", "gemini://localhost@example.org/"),
        "gemini://localhost:1965@/",
        # Without a host.
        *("gemini:///", "gemini://", "gemini://?query", "gemini://:1965/"),
        # With a malformed port.
        *("gemini://localhost:abc/", "gemini://localhost:-1/", "gemini://localhost:+1965/"),
        *("gemini://localhost:19 65/", "gemini://localhost:99999/", "gemini://localhost:65536/"),
        *("gemini://localhost:١٩٦٥/", "gemini://localhost:1965:1965/"),
        # With a malformed host.
        *("gemini://::1/", "gemini://[::1/", "gemini://::1]/", "gemini://[::1]1965/"),
        *("gemini://[localhost]/", "gemini://[]/", "gemini://[::1%25eth0]/", "gemini://[::g]/"),
        *("gemini://local%host/", "gemini://local%00host/", "gemini://local%2Fhost/"),
        *("gemini://local%FFhost/", "gemini://localhost%40/", "gemini://local|host/"),
        *("gemini://local\\host/", "gemini://.localhost/", "gemini://local..host/"),
        *("gemini://localhost../", "gemini://./", "gemini://℀.example/"),
        # After a byte order mark.
        *(f"{mark}gemini://localhost/" for mark in ("\ufeff", "\ufffe", "\xef\xbb\xbf")),
        # With a percent sign in a path that encodes nothing.
        *(f"gemini://localhost/a{each}" for each in ("%", "%4", "%zz", "%4z", "%é9", "%%20")),
    ],
)
def test_what_is_no_proper_address_is_a_bad_request(url: str) -> None:
    assert refusal(url) == 59


@pytest.mark.parametrize("url", ["gemini://localhost/{}", "gemini://localhost/?{}", "{}"])
def test_raw_spaces_and_control_characters_are_a_bad_request(url: str) -> None:
    for code in (*range(0x21), *range(0x7F, 0xA0), 0xFEFF):
        assert refusal(url.format(chr(code))) == 59, code


@pytest.mark.parametrize("query", ["", "?", "?a"])
def test_characters_that_need_percent_encoding_in_a_path_are_a_bad_request(query: str) -> None:
    for character in '"<>\\^`{|}[]':
        assert refusal(f"gemini://localhost/a{character}b{query}") == 59, character


@pytest.mark.parametrize("encoded", ["%FF", "%C3", "%C0%AF", "%ED%A0%80"])
@pytest.mark.parametrize("url", ["gemini://localhost/a{}", "gemini://localhost/?a{}"])
def test_percent_encoding_that_is_no_utf_8_is_a_bad_request(url: str, encoded: str) -> None:
    assert refusal(url.format(encoded)) == 59


def test_a_line_that_is_no_utf_8_is_a_bad_request() -> None:
    assert refusal(b"gemini://localhost/\xff") == 59
    assert refusal(b"gemini://localhost/\xed\xa0\x80") == 59


def test_an_address_has_at_most_1024_bytes() -> None:
    longest = "gemini://localhost/".ljust(1024, "a")
    assert len(read(longest).path) == 1024 - len("gemini://localhost")
    assert refusal(longest + "a") == 59
    assert refusal("gemini://localhost/" + "é" * 503) == 59


@pytest.mark.parametrize(
    ("size", "excess"),
    [
        (1025, "1"),
        (1680, "656"),
        (4096, "3072"),
        (4097, "more than 3072"),
        (70_000, "more than 3072"),
    ],
)
def test_the_refusal_of_an_address_says_by_how_much_it_is_too_long(size: int, excess: str) -> None:
    with pytest.raises(RequestRefused) as refused:
        read("gemini://localhost/?".ljust(size, "a"))
    assert refused.value.reason == (
        f"The address, with the text that you typed, may have 1024 bytes. It has {excess} too many"
    )


@pytest.mark.parametrize(("letter", "count"), [("e", 900), ("é", 480), ("д", 480), ("棋", 320)])
def test_a_text_in_plain_utf_8_is_read_and_takes_less_room(letter: str, count: int) -> None:
    target = read(f"gemini://localhost/play/?{letter * count}")
    assert target == RequestTarget("/play/", letter * count)


@pytest.mark.parametrize(
    "path",
    [
        # With dot segments.
        *("/.", "/..", "/./", "/../", "/play/../rules", "/play/.", "/%2e", "/%2E%2E/", "/.%2e/"),
        "/play/%2e%2e/rules",
        # With an encoded slash, which does not become a separator.
        *("/play%2Fnew", "/%2f", "/a%2F..%2Fb"),
        # With control characters.
        *(f"/play{code}/" for code in ("%00", "%0A", "%0D%0A", "%1b", "%7F", "%C2%85")),
    ],
)
def test_a_path_that_no_page_can_have_is_not_found(path: str) -> None:
    assert refusal(f"gemini://localhost{path}") == 51


SEGMENT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/")).filter(
    lambda segment: segment not in {".", ".."}
)
QUERY = st.none() | st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(SEGMENT, max_size=4), QUERY)
def test_what_a_browser_encodes_arrives_as_it_was(segments: list[str], query: str | None) -> None:
    path = "/" + "/".join(segments)
    url = "gemini://localhost" + quote(path)
    if query is not None:
        url += "?" + quote(query, safe="")
    if len(url) <= 1024:
        assert read(url) == RequestTarget(path, query)


PIECES = st.sampled_from(
    ["gemini", ":", "//", "/", "localhost", "1965", "?", "#", "@", "[", "]", "%", "%2e", "%ff", "é"]
)


LINE = st.lists(PIECES | st.text(max_size=3)).map(
    lambda pieces: "".join(pieces).encode(errors="surrogatepass")
)


@given(LINE | st.binary(max_size=1100))
@example(b"gemini://[")
@example(b"gemini://localhost:" + b"9" * 1000)
@example("gemini://{}/".format("é" * 500).encode())
def test_no_line_does_worse_than_to_be_refused(line: bytes) -> None:
    try:
        address = parse_url(line, HERE)
    except RequestRefused as refused:
        status = refused.status
    else:
        status = 20
        assert address.path.startswith("/")
        assert not {".", ".."} & set(address.path.split("/"))
    assert status in {20, 51, 53, 59}
