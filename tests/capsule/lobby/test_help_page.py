"""The help pages and that about security: what they quote and claim is so."""

import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from capsule.db.upgrading import KEPT_FOR
from capsule.lobby.pages import help as help_pages
from capsule.lobby.pages.home import CRASHES, MANY_CRASHES
from capsule.ui.boards import after
from engine import VARIANTS
from tests.support.client import Client, links
from tests.support.gemtext import SCREEN, blocks, lines_shown, prose
from tests.support.stories import start_between

pytestmark = pytest.mark.sqlite  # hardly any of it comes from the database

BROWSERS = ("Lagrange", "Amfora", "Kristall", "Elpher", "offpunk", "Astronomo")
CERTIFICATES = "/help/certificates"
PAGES = [
    "/help/",
    *(f"/help/{topic}" for topic in help_pages.TOPICS),
    *(f"{CERTIFICATES}/{browser}" for browser in help_pages.BROWSERS),
    "/help/programs/json",
]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_found_by_links_from_the_first(client: Client, path: str) -> None:
    found = set(links(client.get("/help/")).values())
    for page in (CERTIFICATES, "/help/programs"):
        found |= set(links(client.get(page)).values())
    assert path in {"/help/", *found}


def test_the_first_page_is_a_screen_of_links(client: Client) -> None:
    page = client.get("/help/")
    topics = [f"/help/{topic}" for topic in help_pages.TOPICS]
    found = list(links(page).values())
    assert [target for target in found if target in topics] == topics
    assert topics[-1] == "/help/programs", "few people write programs"
    assert found[-2:] == ["/pt/help/", "/zh/help/"]
    assert found[: len(topics) - 1] == topics[:-1]
    assert lines_shown(page) <= SCREEN


@pytest.mark.parametrize("browser", BROWSERS)
def test_every_browser_has_a_page_of_its_own(client: Client, browser: str) -> None:
    page = client.get(links(client.get(CERTIFICATES))[browser])
    assert page.startswith(f"# {browser}\n")
    assert "\n## Sign in\n" in page


def test_the_settings_for_browsers_name_this_capsule(client: Client) -> None:
    pages = [client.get(f"{CERTIFICATES}/{name}") for name in ("amfora", "kristall", "elpher")]
    rows = [row for page in pages for block in blocks(page) for row in block.rows]
    assert "\"localhost\" = '~/oxonaut.crt'" in rows
    assert "\"localhost\" = '~/oxonaut.key'" in rows
    assert "gemini://localhost/*" in rows
    assert '      \'(("gemini://localhost/play/"' in rows


def test_it_quotes_links_as_the_game_page_has_them(client: Client) -> None:
    text = prose(client.get(CERTIFICATES))
    game_page = client.get(start_between(client, "tinc"))
    for label in ("Sign in with a certificate, if this is your game", "Refresh"):
        assert f"“{label}”" in text
        assert label in links(game_page)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_its_commands_make_a_certificate_and_renew_it_on_the_same_key(
    client: Client, tmp_path: Path
) -> None:
    commands = [
        "\n".join(block.rows)
        for block in blocks(client.get(f"{CERTIFICATES}/openssl"))
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
    lines = prose(client.get("/help/moves")).splitlines()
    (line,) = (line for line in lines if line.startswith(f"* {VARIANTS[key].name}: "))
    assert typed in line
    assert typed in after(key, moves).legal_moves()


# Security


def test_its_figures_are_those_of_the_tests(client: Client) -> None:
    page = client.get("/about/security")
    assert f"the capsule is killed {CRASHES} times while people and bots play" in page
    assert f"before a release {MANY_CRASHES} times" in page


def test_it_says_what_is_not_protected(client: Client) -> None:
    _, _, rest = client.get("/about/security").partition("## What is not protected\n")
    assert len([line for line in rest.splitlines() if line.startswith("* ")]) >= 6


def test_the_privacy_page_names_the_copy_from_before_an_upgrade(client: Client) -> None:
    assert f"may be kept for {KEPT_FOR.days} days" in client.get("/help/privacy")


def test_it_is_found_from_the_pages_where_people_look(client: Client) -> None:
    for path in ("/about", "/help/privacy"):
        assert "/about/security" in links(client.get(path)).values()
