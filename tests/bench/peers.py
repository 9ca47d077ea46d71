"""Other Gemini servers, which serve a static page, to measure against.

gmcapsule and nauyaca are Python programs, each with a virtual environment of its own, made from
PyPI where there is none; molly-brown is a Go program, and a package of Debian. Each is configured
as its documentation says, without limits on requests, and with the capsule's own certificate.

nauyaca either demands a client certificate of everybody or asks nobody for one, so that it is
configured for what is measured. gmcapsule and molly-brown ask everybody, and take none.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

PAGE = "page.gmi"


class Missing(Exception):
    """A server cannot be had here; the message says why."""


@dataclass(frozen=True)
class Site:
    """The site of a server: a page in a folder of its own, with a certificate and a key."""

    folder: Path
    page: bytes
    certificate: Path
    key: Path
    port: int
    demands_certificates: bool


@dataclass(frozen=True)
class Peer:
    """A server: how its program is found, and how a site is configured; the aim of our ratio."""

    name: str
    found: Callable[[Path], Path]
    configured: Callable[[Path, Site], Sequence[object]]
    aim: float


def _from_pypi(name: str, program: str) -> Callable[[Path], Path]:
    def found(environments: Path) -> Path:
        environment = environments / name
        path = environment / "bin" / program
        if not path.exists():
            for command in (
                [sys.executable, "-m", "venv", environment],
                [environment / "bin" / "pip", "install", "-q", name],
            ):
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    raise Missing(f"cannot be installed: {(done.stderr or done.stdout)[-300:]}")
        return path

    return found


def _from_debian(name: str) -> Callable[[Path], Path]:
    def found(environments: Path) -> Path:
        path = shutil.which(name, path=f"{environments / name}:/usr/bin:/usr/local/bin")
        if path is None:
            raise Missing(f"is not installed (apt-get install {name})")
        return type(environments)(path)

    return found


def _gmcapsule(program: Path, site: Site) -> Sequence[object]:
    # Its certificates and its pages are in folders named after the host.
    certificates, pages = site.folder / "certs" / "localhost", site.folder / "pages" / "localhost"
    certificates.mkdir(parents=True)
    pages.mkdir(parents=True)
    shutil.copyfile(site.certificate, certificates / "cert.pem")
    shutil.copyfile(site.key, certificates / "key.pem")
    (pages / PAGE).write_bytes(site.page)
    configuration = site.folder / "gmcapsule.ini"
    configuration.write_text(
        "[server]\nhost = localhost\naddress = 127.0.0.1\n"
        f"port = {site.port}\ncerts = {certificates.parent}\n\n"
        f"[static]\nroot = {pages.parent}\n",
        encoding="utf-8",
    )
    return [program, "-c", configuration]


def _nauyaca(program: Path, site: Site) -> Sequence[object]:
    pages = site.folder / "pages"
    pages.mkdir()
    (pages / PAGE).write_bytes(site.page)
    configuration = site.folder / "nauyaca.toml"
    # JSON's strings and truths are TOML's, too.
    configuration.write_text(
        f'[server]\nhost = "127.0.0.1"\nport = {site.port}\n'
        f"document_root = {json.dumps(str(pages))}\n"
        f"certfile = {json.dumps(str(site.certificate))}\n"
        f"keyfile = {json.dumps(str(site.key))}\n"
        f"require_client_cert = {json.dumps(site.demands_certificates)}\n\n"
        "[rate_limit]\nenabled = false\n",
        encoding="utf-8",
    )
    return [program, "serve", "--config", configuration]


def _molly_brown(program: Path, site: Site) -> Sequence[object]:
    pages = site.folder / "pages"
    pages.mkdir()
    (pages / PAGE).write_bytes(site.page)
    configuration = site.folder / "molly.conf"
    configuration.write_text(
        f'Port = {site.port}\nHostname = "localhost"\n'
        f"CertPath = {json.dumps(str(site.certificate))}\n"
        f"KeyPath = {json.dumps(str(site.key))}\n"
        f"DocBase = {json.dumps(str(pages))}\n"
        f"AccessLog = {json.dumps(str(site.folder / 'access.log'))}\n"
        f"ErrorLog = {json.dumps(str(site.folder / 'error.log'))}\n",
        encoding="utf-8",
    )
    return [program, "-c", configuration]


PEERS = (
    Peer("gmcapsule", _from_pypi("gmcapsule", "gmcapsuled"), _gmcapsule, 1.0),
    Peer("nauyaca", _from_pypi("nauyaca", "nauyaca"), _nauyaca, 1.0),
    Peer("molly-brown", _from_debian("molly-brown"), _molly_brown, 0.7),
)
