"""The operator of a capsule, who types commands on its home folder."""

import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from capsule.__main__ import main


@dataclass
class Operator:
    """Types commands on the home of a capsule."""

    home: Path
    capsys: pytest.CaptureFixture[str]

    def type(self, line: str) -> tuple[int, str, str]:
        """Return the exit status of a command, what it prints and its errors."""
        self.capsys.readouterr()
        name, *rest = shlex.split(line)
        status = main([name, "--home", str(self.home), *rest])
        printed, errors = self.capsys.readouterr()
        assert "Traceback" not in errors
        return status, printed, errors

    def printed(self, line: str) -> str:
        """Return what a command prints that succeeds."""
        status, printed, errors = self.type(line)
        assert (status, errors) == (0, "")
        return printed

    def refusal(self, line: str) -> str:
        """Return the sentence with which a command is refused."""
        status, printed, errors = self.type(line)
        assert (status, printed) == (1, "")
        assert errors.startswith("oxonaut: ")
        assert errors.count("\n") == 1
        return errors.removeprefix("oxonaut: ").rstrip()
