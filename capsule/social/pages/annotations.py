"""Published notes: publishing one's own, those on a game, and the list of annotated games."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.accounts.pages.outdated import NOTHING_CHANGED
from capsule.context import reading
from capsule.social import annotating
from capsule.social.pages.panel import SUBJECT as PEOPLE
from capsule.social.pages.panel import game_at, game_path
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import FEED, GAME, KEY, cacheable, narrowable, one_of
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

SUBJECT = "published notes"
"""The subject of the keys of these actions."""

_VERBS = {"publish": annotating.publish, "unpublish": annotating.unpublish}


def notes_path(game_id: str) -> str:
    """Return the address of the published notes on a game."""
    return f"/play/{game_id}/notes"


def _change(transaction: Transaction, attempt: Attempt) -> str:
    verb, game_id = attempt["verb"], attempt["game_id"]
    _VERBS[verb](transaction, attempt.player, game_id)
    return notes_path(game_id) if verb == "publish" else f"{game_path(attempt)}/more"


CHANGE = Action(
    name="change",
    counter=ActionsOf(SUBJECT),
    back=game_path,
    does=_change,
    notice=replace(NOTHING_CHANGED, refused=message("Nothing was published. {reason}.")),
)


@cacheable
@narrowable
@reading
def show(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the published notes on a game, by its moves."""
    context = transaction.context
    game = game_at(transaction, game_id)
    visitor = identity.visitor_of(transaction, request)
    return responses.page(
        visitor.preferences,
        "social/annotation.gmi",
        stored=game.stored,
        by_move=annotating.notes_by_move(transaction, game_id, visitor.player),
        own=annotating.own_annotation(transaction, game, visitor.player),
        key=visitor.account_key(context, SUBJECT),
        others=annotating.others_of(transaction, game_id, visitor.player),
        report_key=visitor.account_key(context, PEOPLE),
    )


@cacheable
@reading
def annotated(transaction: Transaction, request: Request) -> Response:
    """Return the list of annotated games; the query is the number of that with which it begins."""
    number = None if request.query is None else int(request.query)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "social/annotated_games.gmi",
        page=annotating.annotated_games(transaction, number),
    )


@reading
def feed(transaction: Transaction, request: Request, form: str | None) -> Response:
    """Return the feed of the annotated games."""
    preferences = identity.visitor_of(transaction, request).preferences
    origin = transaction.context.origin
    return feed_response(preferences, annotating.feed(transaction), form, origin)


ROUTES: Routes = (
    ("/games/annotated", annotated, "[1-9][0-9]{0,8}"),
    (f"/games/annotated/{FEED}", feed),
    (f"/play/{GAME}/notes", show),
    (f"/play/{GAME}/{KEY}/{one_of('verb', _VERBS)}", CHANGE),
)
