"""Tables of opening moves that were worked out once, each beside the program that makes it."""

from __future__ import annotations
