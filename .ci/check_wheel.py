"""Build a wheel, install it in an empty virtual environment elsewhere, and play on it."""

import os
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import create_connection

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Fail unless the wheel serves the page of a game that was started on it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pip = [sys.executable, "-m", "pip", "-q"]
        subprocess.run([*pip, "wheel", "--no-deps", "-w", folder, ROOT], check=True)
        (wheel,) = folder.glob("oxonaut-*.whl")
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv/bin/python"
        constraints = ["-c", ROOT / ".ci/constraints.txt"]
        subprocess.run([python, "-m", "pip", "-q", "install", *constraints, wheel], check=True)
        home = folder / "home"
        home.mkdir()
        subprocess.run([python, "-c", EVERY_MASTER], cwd=home, check=True)
        offered = subprocess.check_output([python, "-c", OFFERED], cwd=home, text=True)
        play_on(folder / "venv/bin/oxonaut", home, map(str.split, offered.splitlines()))
    print(f"{wheel.name} serves a game page")  # noqa: T201 - for the log of the build


def play_on(command: Path, home: Path, languages: Iterable[Sequence[str]]) -> None:
    """Start the capsule, start a game on it, and look at its page and the rules in all languages.

    Each of these is its tag, and its prefix if it has one.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with subprocess.Popen(
        [command, "serve", "--host", "127.0.0.1", "--port", "0"],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        port = next(int(found[1]) for line in server.stdout if (found := PORT.search(line)))
        context = browser(home)
        new = ask(context, port, "/play/new/quantum")
        start = re.search(r"^=> (\S+/invite\S*) ", new, re.MULTILINE)
        assert start, new
        game = ask(context, port, start[1]).split()[1]
        page = ask(context, port, game)
        assert page.startswith("20 text/gemini"), page
        assert "# Quantum: wheel (X)" in page, page
        titles = set()
        for tag, *prefix in languages:
            rules = ask(context, port, f"{''.join(prefix)}/rules/extreme")
            header, title, *_ = rules.splitlines()
            assert header == f"20 text/gemini; charset=utf-8; lang={tag}", rules
            assert title not in titles, "it is translated"
            titles.add(title)
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 0


EVERY_MASTER = """
from engine import VARIANTS
from engine.bots import suggest
for variant in VARIANTS.values():
    variant.start.play(suggest(variant.start))
"""
"""Asks the best bot of each game for a move, which needs the tables that it learned."""

OFFERED = """
from capsule.languages import catalogues
from capsule.languages import model as languages
for language in languages.LANGUAGES.values():
    if language.prefix:
        assert catalogues.compiled(catalogues.FOLDER, language.key), language
for language in languages.OFFERED.values():
    print(language.tag, language.prefix)
"""
"""Prints the tags and prefixes of languages that are offered, and fails without a catalogue."""

PORT = re.compile(r"^Listening on .*, port (\d+)$")


def browser(folder: Path) -> ssl.SSLContext:
    """Return the TLS of a visitor who has a certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "wheel")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = folder / "identity.pem"
    pem.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(pem)
    return context


def ask(context: ssl.SSLContext, port: int, path: str) -> str:
    """Return the whole answer to a request."""
    with (
        create_connection(("127.0.0.1", port), timeout=20) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        connection.sendall(f"gemini://localhost:{port}{path}\r\n".encode())
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return received.decode()


if __name__ == "__main__":
    main()
