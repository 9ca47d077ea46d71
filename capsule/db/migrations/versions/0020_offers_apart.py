"""Takebacks asked for, apart from draws offered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Note both kinds of offers by themselves, so that one does not cost the other.

    What was noted of a turn that still goes on may have been a takeback, or a challenge: then it
    must not pass for a draw that was declined.
    """
    for side in "xo":
        op.add_column("games", sa.Column(f"{side}_takeback_asked_at_turn", sa.Integer))
        op.execute(
            f"UPDATE games SET {side}_takeback_asked_at_turn = {side}_offered_at_turn "  # noqa: S608 - constants
            f"WHERE takeback_asked_by = '{side.upper()}'"
        )
        op.execute(
            f"UPDATE games SET {side}_offered_at_turn = turn_counter - 1 "  # noqa: S608 - constants
            f"WHERE {side}_offered_at_turn = turn_counter "
            f"AND coalesce(draw_offered_by, '') <> '{side.upper()}' AND ended_at IS NULL"
        )
