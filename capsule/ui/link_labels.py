"""Unique link labels, for people who listen to their screen."""

from __future__ import annotations

import re

_LINK = re.compile(r"^=> (\S+) (.+)$", re.MULTILINE)


def with_distinct_labels(page: str) -> str:
    r"""Return a page of gemtext with a number after each label that an earlier link has, too.

    Links that lead to the same address may have the same label.

    >>> page = "=> /play/k3x9m2pqrt Tinc with bob\n=> /play/a7dw4nnh2c Tinc with bob\n"
    >>> print(with_distinct_labels(page), end="")
    => /play/k3x9m2pqrt Tinc with bob
    => /play/a7dw4nnh2c Tinc with bob (2)
    """
    targets_and_labels = set(_LINK.findall(page))
    if len({label for _, label in targets_and_labels}) == len(targets_and_labels):
        return page
    taken: dict[str, str] = {}
    lines, in_block = [], False
    for line in page.split("\n"):
        in_block ^= line.startswith("```")
        link = None if in_block else _LINK.fullmatch(line)
        lines.append(f"=> {link[1]} {_free_label(link[2], link[1], taken)}" if link else line)
    return "\n".join(lines)


def _free_label(label: str, target: str, taken: dict[str, str]) -> str:
    """Return the label, numbered if a link to another target has it, and note whose it is."""
    free, number = label, 1
    while taken.setdefault(free, target) != target:
        number += 1
        free = f"{label} ({number})"
    return free
