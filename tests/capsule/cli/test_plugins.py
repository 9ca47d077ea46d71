"""Plug-ins that the operator names, or has installed, are there in every command."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from capsule.__main__ import main
from engine import VARIANTS, plugins

PLUGIN = "tests.support.noughts"


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """Unload what a test has loaded."""
    yield
    for name in plugins.loaded():
        plugins.unload(name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder from which modules can be imported, and in which commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def arena(*arguments: str) -> int:
    """Return the exit status of one game of noughts and crosses between two quick bots."""
    return main(
        ["arena", "noughts", "novice", "novice", "-n", "1", "--seconds", "0.01", *arguments]
    )


def test_without_the_plugin_there_is_no_such_variant(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena() == 2
    assert "There is no variant noughts" in capsys.readouterr().err


def test_the_command_line_names_a_plugin(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert arena("--plugin", PLUGIN) == 0
    assert "Noughts" in capsys.readouterr().out


def test_the_environment_names_plugins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OXONAUT_PLUGINS", PLUGIN)
    assert main(["status"]) == 1, "There is no database"
    assert plugins.loaded() == (PLUGIN,)


def test_the_file_names_plugins(folder: Path) -> None:
    (folder / "oxonaut.toml").write_text(f'plugins = ["{PLUGIN}"]\n')
    assert main(["status"]) == 1, "There is no database"
    assert "noughts" in VARIANTS


def test_an_installed_package_names_its_plugin(folder: Path) -> None:
    about = folder / "notakto-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: notakto\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[oxonaut.variants]\nnoughts = {PLUGIN}\n")
    assert main(["status", "--plugin", PLUGIN]) == 1
    assert plugins.loaded() == (PLUGIN,), "once, though it is named as well"


BROKEN = {
    "missing": (None, "ModuleNotFoundError: No module named 'broken'"),
    "no register": ("", "AttributeError: module 'broken' has no attribute 'register'"),
    "fails at import": ("raise RuntimeError('no\\ngood')", "RuntimeError: no good"),
    "fails to register": ("def register():\n    1 / 0\n", "ZeroDivisionError: division by zero"),
    "key taken": (
        "from engine import variants\ndef register():\n    variants.register(variants.TINC)\n",
        "ValueError: There is a variant tinc already",
    ),
}
"""Plug-ins that cannot be loaded: each with its source, and why it cannot."""


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("command", [["serve"], ["check"], ["puzzles", "export"]])
def test_a_plugin_that_cannot_be_loaded_stops_every_command_with_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str], fault: str
) -> None:
    source, why = BROKEN[fault]
    sys.modules.pop("broken", None)
    (folder / "oxonaut.toml").write_text('plugins = ["broken"]\n')
    if source is not None:
        (folder / "broken.py").write_text(source)
    assert main(command) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"oxonaut: The plug-in broken cannot be loaded: {why}\n"
    assert not (folder / "oxonaut.db").exists(), "nothing has been begun"
