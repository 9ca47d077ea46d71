"""haproxy as the handbook sets it up, in front of capsules of this machine."""

import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.waiting import wait_until
from tests.support.wire.mortal import Address
from tests.support.wire.running import ROOT


class NoBalancer(Exception):
    """haproxy is not installed here; the message says so."""


def program() -> str:
    """Return the path of haproxy. Raises `NoBalancer`."""
    # Debian keeps it where only root's PATH may lead.
    found = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
    if found is None:
        raise NoBalancer("haproxy is not installed (apt-get install haproxy)")
    return found


def needed_program() -> str:
    """Return the path of haproxy; skip the test where there is none."""
    try:
        return program()
    except NoBalancer as error:
        pytest.skip(str(error))


def recipe() -> str:
    """Return haproxy's configuration as it stands in the handbook."""
    handbook = (ROOT / "capsule" / "OPERATING.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"^```haproxy\n(.*?)^```$", handbook, re.MULTILINE | re.DOTALL)
    return str(found)


def further_check() -> str:
    """Return the line that takes a capsule that stores nothing from the balancer."""
    handbook = (ROOT / "capsule" / "OPERATING.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"^    (tcp-check expect ! .*)$", handbook, re.MULTILINE)
    return str(found)


def configuration(entrance: Address, capsules: Sequence[Address], check: str = "") -> str:
    """Return the handbook's configuration for other addresses, and otherwise as it stands.

    A further `check` comes after those that it has.
    """
    text, bound = re.subn(r"^( +bind) .*$", rf"\1 {_named(entrance)}", recipe(), flags=re.MULTILINE)
    text, asked = re.subn("(?<=gemini://)[a-z.]+", f"localhost:{entrance[1]}", text)
    common, *servers = re.split(r"^ +server \w+ \S+\n", text, flags=re.MULTILINE)
    # The servers come last, with no options but those of all.
    assert (bound, asked, servers) == (1, 1, ["", ""]), recipe()
    names = ("first", "second")
    common = re.sub(r"^( +tcp-check expect .*\n)", rf"\1    {check}\n", common, flags=re.MULTILINE)
    return common + "".join(
        f"    server {name} {_named(capsule)}\n"
        for name, capsule in zip(names, capsules, strict=False)
    )


@contextmanager
def balancing(
    folder: Path, entrance: Address, capsules: Sequence[Address], check: str = ""
) -> Iterator[None]:
    """Run haproxy in front of capsules during the block. Raises `NoBalancer`."""
    haproxy, file = program(), folder / "haproxy.cfg"
    file.write_text(configuration(entrance, capsules, check), encoding="utf-8")
    with (folder / "haproxy.output").open("wb") as output:
        process = subprocess.Popen(
            [haproxy, "-db", "-f", str(file)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until(lambda: _accepts(entrance) or process.poll() is not None)
        assert process.poll() is None, (folder / "haproxy.output").read_text()
        yield
    finally:
        process.kill()
        process.wait()


def _accepts(address: Address) -> bool:
    try:
        socket.create_connection(address).close()
    except OSError:
        return False
    return True


def _named(address: Address) -> str:
    host, port = address
    return f"{host}:{port}"
