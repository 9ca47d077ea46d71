"""Programs that know no more than the help for programs play real games over TLS."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import VARIANTS
from tests.support.client import link
from tests.support.wire.browser import Browser
from tests.support.wire.connection import fetch
from tests.support.wire.identities import Identity, make
from tests.support.wire.running import Running, running, serving

pytestmark = pytest.mark.slow

PLAIN = Path(__file__).with_name("plain.py")

MAX_LINES = 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(serving(tmp_path_factory.mktemp("home"))) as started:
        yield started


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return make(tmp_path_factory.mktemp("identity"), "robot")


def run(program: str, *arguments: str, folder: Path | None = None) -> str:
    """Return what a program printed, which sees none of this project."""
    command = [sys.executable, "-I", "-c", program, *arguments]
    ended = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=150, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize(
    "variant",
    [pytest.param(key, marks=() if key == "tinc" else pytest.mark.slow) for key in VARIANTS],
)
def test_a_program_of_sixty_lines_plays_a_game(
    server: Running, identity: Identity, variant: str
) -> None:
    program = PLAIN.read_text()
    assert len(program.splitlines()) <= MAX_LINES
    host, port = server.address
    printed = run(program, host, str(port), str(identity.certificate), str(identity.key), variant)
    status, _, *moves = printed.split()
    assert status in {"finished", "resigned", "agreed"}
    position = VARIANTS[variant].replay(moves)
    assert (position.outcome is not None) == (status == "finished")


def test_the_program_on_the_help_page_makes_a_move_as_it_stands_there(
    server: Running, tmp_path: Path
) -> None:
    host, port = server.address
    page = fetch(f"gemini://localhost:{port}/help/programs", server.address).body
    _, program, _ = page.split("```", 2)
    program = program.partition("\n")[2]
    assert 'HOST, PORT = "localhost",' in program
    identity = make(tmp_path, "oxonaut")
    identity.certificate.rename(tmp_path / "oxonaut.crt")
    identity.key.rename(tmp_path / "oxonaut.key")
    program = program.replace('"localhost"', repr(host)).replace("{HOST}", "localhost")
    begin = program.replace(
        program[program.index("for game in") :],
        'print(ask(ask("/play/new/numeric/keys.json?side=x")["invite"])["id"])',
    )
    game = run(begin, folder=tmp_path).strip()
    opponent = Browser(server, make(tmp_path, "opponent"))
    opponent.ask(link(opponent.get(f"/play/{game}"), "/join"))
    assert game in run(program, folder=tmp_path)
    record = fetch(f"gemini://localhost:{port}/play/{game}/state.json", server.address).body
    assert '"ply": 1' in record
