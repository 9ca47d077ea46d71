"""The recipes of the handbooks: every command in them exists."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from capsule.__main__ import parse
from capsule.cli.admin import ACTIONS
from capsule.config import load
from capsule.mail.relay import relay_settings
from tests.support.handbook import HANDBOOK, ROOT, block
from tests.support.wire.confined import directives

BOTS, PUZZLES = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("engine/bots/README.md", "engine/puzzles/README.md")
)

MOST_EXPOSED = 2.5
"""The exposure of the service, as systemd rates it, that is not to be exceeded."""

NUMBERS = {"REPORT", "MESSAGE", "COMMENT", "NOTES", "DAYS"}
"""The words of the handbook for arguments that are numbers."""


def test_the_unit_of_systemd_serves_from_the_folder_that_it_may_write_to() -> None:
    unit = directives(block("ini", "[Unit]"))
    program, *arguments = shlex.split(*unit["ExecStart"])
    assert Path(program).name == "oxonaut"
    given = parse(arguments)
    assert (given.command, [given.home]) == (
        "serve",
        [f"/var/lib/{folder}" for folder in unit["StateDirectory"]],
    )
    assert unit["ProtectSystem"] == ["strict"]


def test_systemd_does_not_restart_a_capsule_whose_database_was_replaced() -> None:
    assert directives(block("ini", "[Unit]"))["RestartPreventExitStatus"] == [str(os.EX_CONFIG)]


def test_systemd_accepts_the_unit_and_finds_it_little_exposed(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / "oxonaut.service"
    # Systemd also looks whether the program is there.
    program = str(Path(sys.executable).with_name("oxonaut"))
    unit.write_text(
        block("ini", "[Unit]").replace("/opt/oxonaut/bin/oxonaut", program), encoding="utf-8"
    )

    def analysed(*options: str) -> str:
        command = ["systemd-analyze", *options, str(unit)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    assert analysed("verify", "--man=no") == ""
    rated = re.search(
        r"Overall exposure level for \S+: ([\d.]+)", analysed("security", "--offline=true")
    )
    assert rated
    assert float(rated[1]) <= MOST_EXPOSED


def test_the_container_serves_from_its_volume() -> None:
    recipe = block("dockerfile", "FROM")
    found = re.search(r"^CMD (.*)$", recipe, re.MULTILINE)
    assert found
    program, *arguments = json.loads(found[1])
    given = parse(arguments)
    assert (program, given.command) == ("oxonaut", "serve")
    assert f"VOLUME {given.home}\n" in recipe
    run = block("sh", "podman build")
    assert f":{given.home} " in run


def test_capsules_on_several_machines_are_told_what_they_share(tmp_path: Path) -> None:
    (tmp_path / "oxonaut.toml").write_text(block("toml", "hostname"), encoding="utf-8")
    config = load({"home": tmp_path}, {})
    assert config.proxy_protocol
    assert config.origin == "gemini://oxonaut.example.org"
    assert config.database_file is None
    backend = block("haproxy", "global").partition("backend")[2]
    assert re.findall(r"^    server .*:(\d+)$", backend, re.MULTILINE) == [str(config.port)] * 2


@pytest.mark.parametrize(
    ("start", "port", "user"), [('mail = "smtp:', 25, ""), ('mail = "smtps:', 465, "user")]
)
def test_the_settings_for_mail_name_a_relay(
    tmp_path: Path, start: str, port: int, user: str
) -> None:
    (tmp_path / "oxonaut.toml").write_text(block("toml", start), encoding="utf-8")
    (tmp_path / "mail-password").write_text("secret\n", encoding="utf-8")
    settings = relay_settings(load({"home": tmp_path}, {}))
    assert (settings.port, settings.user) == (port, user)


def test_the_handbook_lists_every_action_of_the_operator_with_what_it_takes() -> None:
    peace = HANDBOOK.partition("## Keep the peace")[2].partition("\n## ")[0]
    listed = [
        written.split()
        for cell in re.findall(r"^\| (`[^|]*`) \|", peace, re.MULTILINE)
        for written in re.findall("`([^`]+)`", cell.replace("oxonaut admin ...", ""))
    ]
    assert {name for name, *_ in listed} == {name for name, *_ in ACTIONS} - {"mail-test"}
    for name, *takes in listed:
        typed = [
            "3" if each in NUMBERS else "word" for each in takes if re.fullmatch("[A-Z-]+", each)
        ]
        assert parse(["admin", name, *typed]).name == name


def test_nothing_is_installed_by_a_name_that_no_index_has() -> None:
    """Whoever took the name would be installed with the rights of the operator."""
    listed = ["git", "ls-files", "*.md", "*.gmi", "*.po", "*.toml", "capsule/*.py", "engine/*.py"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    installed = [
        (name, word.strip("'\"`"))
        for name in names.splitlines()
        for command in re.findall(r"pip install([^`\n&]*)", (ROOT / name).read_text("utf-8"))
        for word in command.split()
    ]
    assert ("capsule/OPERATING.md", "/opt/oxonaut-src") in installed
    assert not [each for each in installed if re.match(r"oxonaut\b(?!-)", each[1])]


@pytest.mark.parametrize(
    "line",
    sorted(
        {
            line
            for text in (HANDBOOK, BOTS, PUZZLES)
            for line in re.findall(
                r"^(?:/opt/oxonaut/bin/)?(oxonaut [^#\n]*?)\s*(?:#.*)?$", text, re.MULTILINE
            )
        }
    ),
)
def test_every_command_can_be_typed_as_it_stands(line: str) -> None:
    assert parse(shlex.split(line)[1:]).command
