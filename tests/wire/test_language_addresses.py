"""Addresses in other languages on the wire, as somebody types them who looks for a way around."""

from collections.abc import Iterator

import pytest

from tests.support.native_typing import english_in
from tests.support.wire.connection import Reply, ask
from tests.support.wire.running import Running, running, serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(serving(tmp_path_factory.mktemp("home"))) as started:
        yield started
        assert "Traceback" not in started.printed, started.printed


def answer(server: Running, path: str, host: str = "localhost") -> Reply:
    """Return the answer to a path that no client has made proper."""
    return ask(f"gemini://{host}:{server.address[1]}{path}\r\n".encode(), server.address)


@pytest.mark.parametrize(
    "path",
    [
        *("/pt//evil.example/", "/pt//", "//pt/", "/pt/pt/", "/pt/zh/", "/zh/en/", "/en/", "/fr/"),
        *("/PT/", "/Pt/", "/pt%2Frules/", "/%70t%20/", "/pt;lang=zh/", "/pt/PLAY/", "/pt%00/"),
        *(
            "/pt/%0D%0A20%20text/gemini",
            "/pt/../",
            "/pt/%2e%2e/",
            "/zh/play/../",
            "/zh/play/%2E%2e/pt/",
            "/pt/./rules/",
        ),
        *("/pt/robots.txt", "/zh/favicon.txt", "/pt/health", "/pt/players/ladder/tinc.csv"),
        *("/ptrules/", "/ｐｔ/", "/pt/rules/\N{FULLWIDTH SOLIDUS}"),
    ],
)
def test_nothing_is_where_no_page_is(server: Running, path: str) -> None:
    assert answer(server, path).status in (51, 59), path


@pytest.mark.parametrize(
    ("path", "goal"),
    [
        ("/pt", "/pt/"),
        ("/pt?x", "/pt/"),
        ("/%70t", "/pt/"),
        ("/zh/rules", "/zh/rules/"),
        ("/pt/play", "/play/?pt/"),
        ("/pt/play//evil.example/", "/play/?pt//evil.example/"),
        ("/pt/play/new/tinc?side=o", "/play/?pt/new/tinc?side=o"),
        ("/pt/play/?pt/new/", "/play/?pt/?pt/new/"),
        ("/zh/play/no%20page", "/play/?zh/"),
        ("/pt/play/new/?%0D%0Ax", "/play/?pt/"),
        (f"/pt/play/{'x' * 900}", f"/play/?pt/{'x' * 900}"),
    ],
)
def test_a_redirect_stays_at_the_capsule_and_on_one_line(
    server: Running, path: str, goal: str
) -> None:
    reply = answer(server, path)
    assert (reply.status, reply.meta, reply.body) == (30, goal, "")


@pytest.mark.parametrize(
    "query", ["pt//evil", "pt/../", "pt/pt/new/", "zh/zh/", "pt/%0D%0A20%20x", "pt/?pt/", "pt"]
)
def test_whoever_signs_in_for_no_page_is_asked_in_the_language(server: Running, query: str) -> None:
    reply = answer(server, f"/play/?{query}")
    assert reply.status == 60
    assert not english_in(reply.meta)


@pytest.mark.parametrize("query", ["PT/new/", "xx/new/", "ptnew/", "en/new/", "pt%2520/", "/pt/"])
def test_what_names_no_other_language_is_asked_in_english(server: Running, query: str) -> None:
    reply = answer(server, f"/play/?{query}")
    assert reply.status == 60
    assert english_in(reply.meta)


@pytest.mark.parametrize("prefix", ["/pt", "/zh"])
def test_what_is_no_request_for_this_capsule_is_refused_in_english(
    server: Running, prefix: str
) -> None:
    foreign = answer(server, f"{prefix}/", "example.org")
    assert (foreign.status, english_in(foreign.meta)) == (53, True)
    for improper in ("/#top", "/\x01", "/%zz", "/%ff", f"/{'x' * 1024}"):
        refused = answer(server, f"{prefix}{improper}")
        assert (refused.status, english_in(refused.meta)) == (59, True)


@pytest.mark.parametrize(
    "typed", ["%0D%0A20%20text/gemini", "%EF%B7%BA" * 100, "%EF%BC%8E" * 100, "%E2%80%AE%00"]
)
@pytest.mark.parametrize("prefix", ["/pt", "/zh"])
def test_what_is_typed_forges_no_header_and_makes_none_too_long(
    server: Running, prefix: str, typed: str
) -> None:
    for prompt in ("players/find", "board/ultimate/move", "puzzles/numeric/1/answer"):
        reply = answer(server, f"{prefix}/{prompt}?{typed}")
        assert reply.status in (10, 20, 30, 51, 59)
        assert len(reply.meta.encode()) <= 1024
        assert reply.meta.isprintable()
