"""The blocks of the operator's handbook, for tests that do what it says."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

HANDBOOK = (ROOT / "capsule/OPERATING.md").read_text(encoding="utf-8")


def block(kind: str, start: str) -> str:
    """Return the handbook's block of a kind that begins like this."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", HANDBOOK, re.MULTILINE | re.DOTALL)
    (text,) = (each for each in found if each.startswith(start))
    return str(text)
