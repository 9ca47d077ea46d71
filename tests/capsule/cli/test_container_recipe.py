"""The container of the handbook: its recipe's steps, done one by one, make a capsule that serves.

No image is needed: the steps are run as they stand in a root of their own, with this Python as the
one of the base image.
"""

import json
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.client import link
from tests.support.handbook import ROOT, block
from tests.support.wire.browser import Browser
from tests.support.wire.identities import make
from tests.support.wire.running import running

# It has a database of its own.
pytestmark = [pytest.mark.deep, pytest.mark.sqlite]  # it installs everything, for a minute or two

ROOT_OF_ITS_OWN = """
set -eu
root=$1 base=$2
for path in /*; do
    case $path in
        /dev | /etc | /home | /proc | /root | /run | /src | /sys | /tmp | /var) ;;
        *)
            if [ -L "$path" ]; then
                cp -a "$path" "$root$path"
            elif [ -d "$path" ]; then
                mkdir "$root$path"
                mount --rbind "$path" "$root$path"
            fi ;;
    esac
done
mkdir -p "$root/local" "$root/dev" "$root/home" "$root/proc" "$root/root" "$root/var/tmp"
mkdir -m 1777 "$root/tmp"
cp -a /etc "$root/etc"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount --bind "$root/local" "$root/usr/local"
if [ ! -d "$root$base" ]; then
    mkdir -p "$root$base"
    mount --bind "$base" "$root$base"
fi
chroot "$root" "$base/bin/python3" -m venv /usr/local
export PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
"""
"""Mounts a root that has this machine's programs, and this Python at /usr/local."""


def steps(recipe: str) -> Iterator[tuple[str, str]]:
    """Yield each instruction of a recipe, and its arguments."""
    for line in recipe.splitlines():
        instruction, _, arguments = line.partition(" ")
        yield instruction, arguments


def checkout(folder: Path) -> None:
    """Copy into a folder what a checkout has."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def script(root: Path) -> str:
    """Return the shell script that does the steps of the recipe; the last one serves."""
    done, user = [ROOT_OF_ITS_OWN], "root"
    for instruction, arguments in steps(block("dockerfile", "FROM")):
        match instruction:
            case "COPY":
                source, target = arguments.split()
                assert source == "."
                checkout(root / target.lstrip("/"))
            case "RUN":
                done.append(f'chroot "$root" sh -ec {shlex.quote(arguments)}')
            case "USER":
                user = arguments
            case "CMD":
                command = shlex.join(json.loads(arguments))
                done.append(f'exec chroot --userspec={user} "$root" {command}')
            case "STOPSIGNAL":
                assert getattr(signal, arguments) is signal.SIGTERM
            case _:
                assert instruction in {"FROM", "VOLUME", "EXPOSE"}
    return "\n".join(done)


def test_the_steps_of_the_recipe_make_a_capsule_that_serves(tmp_path: Path) -> None:
    tried = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    if tried.returncode != 0:
        pytest.skip("only root can mount here")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        command = ["unshare", "--mount", "sh", "-c", script(root), "sh", name, sys.base_prefix]
        # As `podman run -e` would give them; the port of the recipe may be taken here.
        env = {"OXONAUT_HOST": "127.0.0.1", "OXONAUT_PORT": "0"}
        with running(command, env, seconds=600) as server:
            alice = Browser(server, make(tmp_path, "alice"))
            url = alice.ask(link(alice.get("/play/new/ultimate"), "/solo")).meta
            alice.move(url, "e5")
            assert "Move 2" in alice.get(url)
            stored = (root / "home/oxonaut/capsule/oxonaut.db").stat()
            assert (stored.st_mode & 0o777, stored.st_uid == 0) == (0o600, False)
            assert "Traceback" not in server.printed
