"""Choices in the query of an address, such as "days=3&rated=no"; some defaults are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class TermsRefused(ValueError):
    """Terms that no page has written."""


def read_choices(query: str | None, options: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Return the choices that a query makes, by name; `options` are the values that each may have.

    Raises `TermsRefused` for any other name or value, and for a choice that is made twice.

    >>> read_choices("rated=no", {"rated": ("yes", "no")})
    {'rated': 'no'}
    """
    choices: dict[str, str] = {}
    for part in filter(None, (query or "").split("&")):
        name, _, value = part.partition("=")
        if value not in options.get(name, ()) or name in choices:
            raise TermsRefused(part)
        choices[name] = value
    return choices


def write_choices(choices: Mapping[str, str], defaults: Mapping[str, str]) -> str:
    """Return the query that makes these choices, without those that are the defaults.

    >>> write_choices({"days": "3", "rated": "no"}, {"days": "3"})
    'rated=no'
    """
    return "&".join(
        f"{name}={value}" for name, value in choices.items() if defaults.get(name) != value
    )
