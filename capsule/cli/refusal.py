"""Refusing a command: one line for the operator, and an exit status."""

from __future__ import annotations

import sys


def refused(reason: object, status: int = 1) -> int:
    """Print why a command is refused, and return its exit status."""
    sys.stderr.write(f"oxonaut: {reason}\n")
    return status
