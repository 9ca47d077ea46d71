"""Published notes: publishing one's own, those on a game, and the list of annotated games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.errors import NotFound, OutdatedAction, Refused
from capsule.games import reading
from capsule.social import annotating
from capsule.social.pages.panel import SUBJECT as PEOPLE
from capsule.ui import responses
from capsule.ui.atom import feed_response
from capsule.ui.routes import FEED, GAME, KEY, cacheable, narrowable, one_of
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

SUBJECT = "published notes"
"""The subject of the keys of these actions."""

_ACTIONS = {"publish": annotating.publish, "unpublish": annotating.unpublish}


def notes_path(game_id: str) -> str:
    """Return the address of the published notes on a game."""
    return f"/play/{game_id}/notes"


def change(context: AppContext, request: Request, game_id: str, key: str, verb: str) -> Response:
    """Publish the player's notes on a game, or make them private, and go to the game."""
    home = f"/play/{game_id}"
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        _ACTIONS[verb](context, player, game_id)
    except Refused as error:
        refused = message("Nothing was published. {reason}.", reason=error.message)
        return outdated.page_below(home, outdated.always(refused))
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(home)
    return responses.redirect(notes_path(game_id) if verb == "publish" else f"{home}/more")


@cacheable
@narrowable
def show(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the published notes on a game, by its moves."""
    game = reading.find_game(context, game_id)
    if game is None:
        raise NotFound
    visitor = identity.visitor_of(context, request)
    return responses.page(
        visitor.preferences,
        "social/annotation.gmi",
        stored=game.stored,
        by_move=annotating.notes_by_move(context, game_id, visitor.player),
        own=annotating.own_annotation(context, game, visitor.player),
        key=visitor.account_key(context, SUBJECT),
        others=annotating.others_of(context, game_id, visitor.player),
        report_key=visitor.account_key(context, PEOPLE),
    )


@cacheable
def annotated(context: AppContext, request: Request) -> Response:
    """Return the list of annotated games; the query is the number of that with which it begins."""
    number = None if request.query is None else int(request.query)
    return responses.page(
        identity.preferences_of(context, request),
        "social/annotated_games.gmi",
        page=annotating.annotated_games(context, number),
    )


def feed(context: AppContext, request: Request, form: str | None) -> Response:
    """Return the feed of the annotated games."""
    preferences = identity.preferences_of(context, request)
    return feed_response(preferences, annotating.feed(context), form, context.origin)


ROUTES: Routes = (
    ("/games/annotated", annotated, "[1-9][0-9]{0,8}"),
    (f"/games/annotated/{FEED}", feed),
    (f"/play/{GAME}/notes", show),
    (f"/play/{GAME}/{KEY}/{one_of('verb', _ACTIONS)}", change),
)
