"""The log: a line for each request, and nothing in it that is nobody's business."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from capsule.app import compiled_routes
from tests.capsule.test_typed_story import CONSTANT_KEYS, SECRETS, TEXTS, WORDS_AND_LINKS
from tests.support.waiting import wait_until
from tests.support.wire import identities
from tests.support.wire.connection import ask, fetch
from tests.support.wire.running import Running
from tests.wire.conftest import StartEcho

pytestmark = pytest.mark.slow

KEY = "5rabcdefghijklmnopqrstuvwx"
ADDRESS = "5rabcdefghijklmnopqrstuvwxyz2345"

GAME = "k3x5m2pqrt"

ACTIONS = [
    template.format(key=KEY, game=GAME, ended=GAME, tournament=GAME)
    for template in (*TEXTS, *WORDS_AND_LINKS, *CONSTANT_KEYS, *SECRETS)
]

SECRET_PATHS = (
    *ACTIONS,
    f"/feed/{ADDRESS}",
    f"/feed/{ADDRESS}.xml",
    f"/play/new/tinc/{KEY}/side=x&days=1/challenge",
    f"/play/me/{KEY};lang=zh/name",
    f"/play/me/{KEY}/link/{GAME}",
    f"/mail/{KEY}/stop",
    f"/zh/mail/{KEY}/stop",
    f"/mail/{KEY}/stopped",
    f"/play/tournaments/{KEY}/seats=4/announce",
    f"/play/tournaments/{GAME}/{KEY}/join.json",
    f"/play/{GAME}/{KEY}/move.json",
    f"/play/new/tinc/{KEY}/open.json",
    f"/play/new/tinc/{KEY}/challenge.json",
    f"/play/me/{KEY}/program/declare.json",
)
"""A path of each form that has a key, or the address of a private feed, in it."""


Lines: TypeAlias = Callable[[int], list[str]]
"""Returns the lines of the log since the test began, once there are as many."""


@pytest.fixture(scope="module")
def server(start_echo: StartEcho) -> Iterator[Running]:
    with start_echo(rate=0) as server:
        yield server


@pytest.fixture
def lines(server: Running) -> Lines:
    before = len(server.printed.splitlines())

    def read(count: int) -> list[str]:
        wait_until(lambda: len(server.printed.splitlines()) >= before + count)
        return server.printed.splitlines()[before:]

    return read


def test_a_request_is_one_line_without_query_key_name_or_address(
    server: Running, lines: Lines, tmp_path: Path
) -> None:
    alice = identities.make(tmp_path, "alice")
    fetch(f"{server.home}/play/k3x9m2pqrt/{KEY}/move?secret", server.address, alice)
    (line,) = lines(1)
    assert re.fullmatch(r"INFO 20 /play/k3x9m2pqrt/…/move \d+ bytes \d+ ms", line)


def test_no_form_of_path_brings_a_key_or_a_private_address_into_the_log(
    server: Running, lines: Lines
) -> None:
    patterns = [route.pattern for route in compiled_routes()]
    secret = [path for path in patterns if path.groupindex.keys() & {"key", "address"}]
    missing = {path.pattern for path in secret if not any(map(path.fullmatch, SECRET_PATHS))}
    assert not missing, "a form of path that is not in the list"
    for path in SECRET_PATHS:
        fetch(f"{server.home}{path}?K7QM-4T2XW9", server.address)
    found = lines(len(SECRET_PATHS))
    assert all("…" in line for line in found)
    for secret_part in (KEY, ADDRESS, "K7QM"):
        assert secret_part not in server.printed


def test_a_refused_request_is_a_line_without_its_address(server: Running, lines: Lines) -> None:
    ask(b"gemini://example.org/secret\r\n", server.address)
    (line,) = lines(1)
    assert re.fullmatch(r"INFO 53 - \d+ bytes \d+ ms", line)


def test_no_path_can_forge_a_line(server: Running, lines: Lines) -> None:
    fetch(f"{server.home}/x%E2%80%A8%E2%80%AE%20y", server.address)
    fetch(f"{server.home}/x%0AINFO%2020", server.address)
    first, second = lines(2)
    assert re.fullmatch(r"INFO 20 /x%E2%80%A8%E2%80%AE%20y \d+ bytes \d+ ms", first)
    assert re.fullmatch(r"INFO 51 - \d+ bytes \d+ ms", second)


def test_a_fault_is_logged_with_where_it_happened(server: Running, lines: Lines) -> None:
    assert fetch(f"{server.home}/fault", server.address).status == 42
    wait_until(lambda: "builtins.RuntimeError: 'secret fault: None'\n" in server.printed)
    printed = "\n".join(lines(8))
    assert "ERROR A fault at /fault" in printed
    assert "tests/support/wire/echo.py" in printed


@pytest.mark.parametrize("request_", ["/fault?dark%20secret", f"/fault/{KEY}", "/exit?secret"])
def test_a_fault_that_could_quote_the_request_is_logged_without_its_words(
    server: Running, lines: Lines, request_: str
) -> None:
    assert fetch(server.home + request_, server.address).status == 42
    printed = "\n".join(lines(8))
    assert "in answer" in printed
    assert "secret\n" not in printed
    assert "secret fault:" not in printed.replace('f"secret fault: {request.query}"', "")
    assert KEY not in printed
    assert "127.0.0.1" not in printed
