"""The terms of a new game: whose side, how many days a move, listed or not, rated or casual."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class TermsRefused(ValueError):
    """Terms that cannot be read."""


def read_choices(query: str | None, values: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Return what a query chooses, by name, where `values` are those that there are of each.

    Raises `TermsRefused` where it says something else, or something twice.
    """
    said: dict[str, str] = {}
    for part in filter(None, (query or "").split("&")):
        name, _, value = part.partition("=")
        if value not in values.get(name, ()) or name in said:
            raise TermsRefused(part)
        said[name] = value
    return said


def write_choices(chosen: Mapping[str, str], usual: Mapping[str, str]) -> str:
    """Return a query that chooses values, by name, without those that are as usual."""
    return "&".join(f"{name}={value}" for name, value in chosen.items() if usual[name] != value)
