"""The log: a line for each request, and nothing in it that is nobody's business."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from tests.wire import identities
from tests.wire.client import ask, fetch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.wire.conftest import StartEcho
    from tests.wire.running import Running

KEY = "5rabcdefghijklmnopqrstuvwx"


@pytest.fixture
def server(start_echo: StartEcho) -> Iterator[Running]:
    with start_echo() as server:
        yield server


def lines(server: Running, count: int) -> list[str]:
    """Return the lines of the log, when there are so many."""
    until = time.monotonic() + 10
    while len(found := server.printed.splitlines()[1:]) < count:
        assert time.monotonic() < until
        time.sleep(0.05)
    return found


def home(server: Running) -> str:
    return f"gemini://localhost:{server.address[1]}"


def test_a_request_is_one_line_without_query_key_name_or_address(
    server: Running, tmp_path: Path
) -> None:
    alice = identities.make(tmp_path, "alice")
    fetch(f"{home(server)}/play/k3x9m2pqrt/{KEY}/move?secret", server.address, alice)
    (line,) = lines(server, 1)
    assert re.fullmatch(r"INFO 20 /play/k3x9m2pqrt/…/move \d+ bytes \d+ ms", line)


def test_a_refused_request_is_a_line_without_its_address(server: Running) -> None:
    ask(b"gemini://example.org/secret\r\n", server.address)
    (line,) = lines(server, 1)
    assert re.fullmatch(r"INFO 53 - \d+ bytes \d+ ms", line)


def test_no_path_can_forge_a_line(server: Running) -> None:
    fetch(f"{home(server)}/x%E2%80%A8%E2%80%AE%20y", server.address)
    fetch(f"{home(server)}/x%0AINFO%2020", server.address)
    first, second = lines(server, 2)
    assert re.fullmatch(r"INFO 20 /x%E2%80%A8%E2%80%AE%20y \d+ bytes \d+ ms", first)
    assert re.fullmatch(r"INFO 51 - \d+ bytes \d+ ms", second)


def test_a_fault_is_told_by_where_it_happened(server: Running) -> None:
    assert fetch(f"{home(server)}/fault", server.address).status == 42
    printed = "\n".join(lines(server, 8))
    assert "ERROR A fault at /fault" in printed
    assert "tests/wire/echo.py" in printed
    assert "builtins.RuntimeError: 'secret fault: None'" in printed


@pytest.mark.parametrize("request_", ["/fault?dark%20secret", f"/fault/{KEY}", "/exit?secret"])
def test_a_fault_that_could_quote_the_request_is_told_without_its_words(
    server: Running, request_: str
) -> None:
    assert fetch(home(server) + request_, server.address).status == 42
    printed = "\n".join(lines(server, 8))
    assert "in answer" in printed
    assert "secret\n" not in printed
    assert "secret fault:" not in printed.replace('f"secret fault: {request.query}"', "")
    assert KEY not in printed
    assert "127.0.0.1" not in printed
