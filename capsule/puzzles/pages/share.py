"""The position of a day as a text to paste into a gemlog, without its solution."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from capsule.errors import NotFound
from capsule.puzzles import daily
from capsule.puzzles.pages.panel import panel_for, visitor_in
from capsule.ui.routes import narrowable
from capsule.ui.sharing import FORM, Share, share_response, shared_text

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


@narrowable
def share(
    context: AppContext, request: Request, area: str | None, day: str, form: str | None
) -> Response:
    """Return a day's position as a text to paste; below `/play/`, with the reader's own tries."""
    visitor = visitor_in(context, request, area)
    try:
        position = daily.position_on(context, date.fromisoformat(day))
    except ValueError as error:
        raise NotFound from error
    if position is None:
        raise NotFound
    preferences = visitor.preferences
    panel = panel_for(context, visitor, position.puzzle)
    own = daily.own_result(context, position, visitor.player if area else None)
    text = shared_text(
        preferences,
        "puzzles/share.gmi",
        context.origin,
        position.path,
        daily=position,
        panel=panel,
        board=panel.line.view(preferences.style),
        standing=daily.standing(context, position.day, None),
        own=own,
    )
    home = f"{area or ''}{position.path}"
    twin = "" if area else f"/play{position.path}/share"
    return share_response(preferences, form, Share(text, f"{home}/share", home, twin))


ROUTES: Routes = (
    (f"(?P<area>/play)?/daily/(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})/{FORM}", share),
)
