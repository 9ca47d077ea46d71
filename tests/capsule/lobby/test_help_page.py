"""The help page: commands, settings and moves that it quotes do what it says."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from capsule.ui.boards import MAX_COLUMNS, after
from capsule.ui.render import templates_folder
from engine import VARIANTS
from tests.support.client import links
from tests.support.gemtext import blocks, prose
from tests.support.pseudo_translation import pseudo_translated, untranslated

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.client import Client

BROWSERS = ("Lagrange", "Amfora", "Kristall", "Elpher", "offpunk")
NAMES = [name for variant in VARIANTS.values() for name in (variant.title, variant.name)]


def test_every_browser_has_a_heading_of_its_own(client: Client) -> None:
    lines = client.get("/help/").splitlines()
    for browser in BROWSERS:
        assert f"### {browser}" in lines


def test_blocks_fit_on_a_screen_and_say_what_they_are(client: Client) -> None:
    for block in blocks(client.get("/help/")):
        assert block.title.strip()
        assert max(map(len, block.rows)) <= MAX_COLUMNS, block.title


def test_every_link_leads_somewhere(client: Client) -> None:
    for target in links(client.get("/help/")).values():
        assert client.ask(target).status == (60 if target == "/play/" else 20), target


def test_every_word_can_be_translated(client: Client) -> None:
    with pseudo_translated():
        page = client.get("/help/")
    assert not untranslated(page, [*NAMES, *BROWSERS])


def test_the_settings_for_browsers_name_this_capsule(client: Client) -> None:
    rows = [row for block in blocks(client.get("/help/")) for row in block.rows]
    assert "\"localhost\" = '~/oxonaut.crt'" in rows
    assert "\"localhost\" = '~/oxonaut.key'" in rows
    assert "gemini://localhost/play/*" in rows


def test_it_quotes_links_as_the_game_page_has_them(client: Client) -> None:
    text = prose(client.get("/help/"))
    game_page = (templates_folder() / "play/game.gmi").read_text()
    for label in ("Sign in with a certificate, if this is your game", "Refresh"):
        assert f"“{label}”" in text
        assert f"{{% trans %}}{label}{{% endtrans %}}" in game_page


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_its_commands_make_a_certificate_and_renew_it_on_the_same_key(
    client: Client, tmp_path: Path
) -> None:
    commands = [
        "\n".join(block.rows)
        for block in blocks(client.get("/help/"))
        if block.rows[0].startswith("openssl")
    ]
    assert len(commands) == 2
    made, renewed = (certificate_made_by(command, tmp_path) for command in commands)
    assert made.serial_number != renewed.serial_number
    assert public_key(made) == public_key(renewed)
    assert made.subject.rfc4514_string() == "CN=your-name"
    assert (made.not_valid_after_utc - made.not_valid_before_utc).days == 3650


def certificate_made_by(command: str, folder: Path) -> x509.Certificate:
    """Return the certificate that a command of the page leaves in `oxonaut.crt`."""
    subprocess.run(["sh", "-c", command], cwd=folder, check=True, capture_output=True)
    assert (folder / "oxonaut.key").is_file()
    return x509.load_pem_x509_certificate((folder / "oxonaut.crt").read_bytes())


def public_key(made: x509.Certificate) -> bytes:
    return made.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


@pytest.mark.parametrize(
    ("key", "moves", "typed"),
    [
        ("tinc", "a1 c1 e1 g1", "c3"),
        ("tinc", "a1 c1 e1 g1", "c3+d4"),
        ("ultimate", "", "e5"),
        ("numeric", "", "b2=5"),
        ("quantum", "", "a1+c3"),
        ("quantum", "a1+b2 a1+b2", "b2"),
        ("extreme", "", "e5"),
        ("extreme", "", "n5"),
    ],
)
def test_its_examples_of_moves_can_be_played(
    client: Client, key: str, moves: str, typed: str
) -> None:
    lines = prose(client.get("/help/")).splitlines()
    (line,) = (line for line in lines if line.startswith(f"* {VARIANTS[key].name}: "))
    assert typed in line
    assert typed in after(key, moves).legal_moves()
