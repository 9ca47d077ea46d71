"""The table of absent variants: those of stored games whose plug-in is not loaded any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Column, String, Table, or_, select

from capsule.db.schema.base import Moment, metadata

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

absent_variants = Table(
    "absent_variants",
    metadata,
    Column("variant", String(16), primary_key=True),
    # When the capsule first started without it.
    Column("since", Moment, nullable=False),
)

_ABSENT = select(absent_variants.c.variant)


def is_present(variant: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that a variant is not absent, for all lists and counts of its games."""
    # While none is absent, which is nearly always, SQLite need not look beyond an index for it.
    return or_(~_ABSENT.exists(), variant.not_in(_ABSENT))
