"""The position of a day as a text to paste into a gemlog, without its solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import reading
from capsule.puzzles import daily
from capsule.puzzles.pages.panel import panel_for, position_written, visitor_in
from capsule.ui.routes import narrowable
from capsule.ui.sharing import FORM, Share, links_to_game, share_response, shared_text
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


@narrowable
@reading
def share(
    transaction: Transaction, request: Request, area: str | None, day: str, form: str | None
) -> Response:
    """Return a day's position as a text to paste; below `/play/`, with the reader's own tries."""
    visitor = visitor_in(transaction, request, area)
    position = position_written(day, transaction.now)
    preferences = visitor.preferences
    panel = panel_for(transaction, visitor, position.puzzle)
    own = daily.own_result(transaction.connection, position, visitor.player if area else None)
    text = shared_text(
        preferences,
        "puzzles/share.gmi",
        transaction.context.origin,
        [
            (position.path, message("This position, to solve")),
            *links_to_game(panel.line.variant),
        ],
        daily=position,
        panel=panel,
        board=panel.line.view(preferences.style),
        standing=daily.standing(transaction, position.day, None),
        own=own,
    )
    home = f"{area or ''}{position.path}"
    twin = "" if area else f"/play{position.path}/share"
    return share_response(preferences, form, Share(text, f"{home}/share", home, twin))


ROUTES: Routes = (
    (f"(?P<area>/play)?/daily/(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})/{FORM}", share),
)
