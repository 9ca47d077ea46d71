"""The page "More about this game": what its players and visitors seldom want of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import reading
from capsule.play.visits import visit_of
from capsule.social import annotating
from capsule.social import panel as social_panel
from capsule.social.pages import annotations as annotation_pages
from capsule.social.pages.panel import social_section
from capsule.ui import responses
from capsule.ui.routes import GAME, narrowable

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


@narrowable
@reading
def more(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the page with a game's moves, records and players, and with the visitor's notes."""
    visit, context = visit_of(transaction, request, game_id), transaction.context
    game, visitor = visit.game, visit.visitor
    panel = social_panel.panel_for(transaction.connection, game, visitor.player)
    return responses.page(
        visitor.preferences,
        "play/more.gmi",
        game=game,
        has_live=game.stored.has_live,
        social=social_section(context, game, visitor, panel),
        annotation=annotating.own_annotation(transaction, game, visitor.player),
        annotation_key=visitor.account_key(context, annotation_pages.SUBJECT),
        people=game.stored.player_names,
        visitor=visitor,
    )


ROUTES: Routes = ((f"/play/{GAME}/more", more),)
