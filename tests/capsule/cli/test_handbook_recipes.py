"""The recipes of the handbooks: every command in them exists."""

from __future__ import annotations

import json
import re
import shlex
from configparser import ConfigParser
from pathlib import Path

import pytest

from capsule.__main__ import _parser
from capsule.cli.admin import COMMANDS
from capsule.config import load
from tests.support.wire.running import ROOT

HANDBOOK, BOTS, PUZZLES = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("capsule/OPERATING.md", "engine/bots/README.md", "engine/puzzles/README.md")
)

NUMBERS = {"REPORT", "MESSAGE", "DAYS"}
"""The words of the handbook for arguments that are numbers."""


def block(kind: str, start: str) -> str:
    """Return the handbook's block of a kind that begins like this."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", HANDBOOK, re.MULTILINE | re.DOTALL)
    (text,) = (each for each in found if each.startswith(start))
    return str(text)


def test_the_unit_of_systemd_serves_from_the_folder_that_it_may_write_to() -> None:
    unit = ConfigParser(delimiters="=", strict=True)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(block("ini", "[Unit]"))
    service = unit["Service"]
    program, *arguments = shlex.split(service["ExecStart"])
    assert Path(program).name == "oxonaut"
    given = _parser().parse_args(arguments)
    assert (given.command, given.home) == ("serve", f"/var/lib/{service['StateDirectory']}")
    assert service["ProtectSystem"] == "strict"


def test_the_container_serves_from_its_volume() -> None:
    recipe = block("dockerfile", "FROM")
    found = re.search(r"^CMD (.*)$", recipe, re.MULTILINE)
    assert found
    program, *arguments = json.loads(found[1])
    given = _parser().parse_args(arguments)
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


def test_the_handbook_lists_every_action_of_the_operator_with_what_it_takes() -> None:
    peace = HANDBOOK.partition("## Keep the peace")[2].partition("\n## ")[0]
    listed = [
        written.split()
        for cell in re.findall(r"^\| (`[^|]*`) \|", peace, re.MULTILINE)
        for written in re.findall("`([^`]+)`", cell.replace("oxonaut admin ...", ""))
    ]
    assert {name for name, *_ in listed} == COMMANDS.keys()
    for name, *takes in listed:
        typed = [
            "3" if each in NUMBERS else "word" for each in takes if re.fullmatch("[A-Z-]+", each)
        ]
        assert _parser().parse_args(["admin", name, *typed]).name == name


@pytest.mark.parametrize(
    "line",
    sorted(
        {
            line
            for text in (HANDBOOK, BOTS, PUZZLES)
            for line in re.findall(r"^(oxonaut [^#\n]*?)\s*(?:#.*)?$", text, re.MULTILINE)
        }
    ),
)
def test_every_command_can_be_typed_as_it_stands(line: str) -> None:
    assert _parser().parse_args(shlex.split(line)[1:]).command
