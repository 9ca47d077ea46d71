"""Voting for the next move of everyone's game: a key votes once, and leads back to the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import action_keys, identity
from capsule.accounts.action_keys import ActionKey
from capsule.accounts.pages.outdated import Undone, page_below
from capsule.errors import OutdatedAction
from capsule.everyone import queries, voting
from capsule.everyone.pages.game import VOTING, key_subject, vote_key
from capsule.everyone.reading import last_places, shown_game, voter
from capsule.everyone.voting import MayNotVote
from capsule.ui import responses
from capsule.ui.routes import ANY, KEY
from engine import MoveError
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.everyone.reading import ShownGame
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Message

NOT_COUNTED = Undone(
    message("You did not vote: that page was out of date."),
    message("That link was out of date: nothing was changed."),
    message("Your move was:"),
)


def vote(context: AppContext, request: Request, key: str) -> Response:
    """Ask for the visitor's vote; with one, store it and go to the page of those who vote.

    A key that does not fit, of an old page or a planted link, changes nothing.
    """
    visitor = identity.signed_in(context, request)
    with context.database.reading() as connection:
        shown = shown_game(context, connection, None)
    if shown is None or visitor.player is None:
        return page_below(VOTING, NOT_COUNTED, request.typed)
    try:
        if not request.typed:
            return _ask(context, visitor, shown, key)
        game_id, ply = shown.game.id, shown.game.ply + 1
        presented = ActionKey(context.secret, visitor.identity, key_subject(game_id, ply), key)
        voting.vote(context, visitor.player, game_id, presented, request.typed)
    except MoveError as error:
        return responses.prompt_again(error.message, _your_vote(shown))
    except MayNotVote as error:
        return responses.refusal(
            visitor.preferences, "everyone/not_possible.gmi", error, VOTING, request.typed
        )
    except OutdatedAction:
        return _came_late(context, visitor, shown, key, request.typed)
    return responses.redirect(VOTING)


def _ask(context: AppContext, visitor: Visitor, shown: ShownGame, key: str) -> Response:
    with context.database.reading() as connection:
        reader = voter(context, connection, shown, visitor.player)
    changes = reader.changes if reader is not None else 0
    fitting = vote_key(context, visitor, shown.game.id, shown.game.ply + 1, changes)
    if not (shown.takes_votes and action_keys.fits(key, fitting)):
        raise OutdatedAction
    if reader is not None and reader.refusal is not None:
        raise MayNotVote(reader.refusal)
    position = shown.game.position
    example = message("For example {move}.", move=position.example())
    return responses.prompt(position.instruction(), example, _your_vote(shown))


def _your_vote(shown: ShownGame) -> Message:
    game = shown.game
    return message("Your vote, {side}", side=game.variant.side_name(game.position.turn))


def _came_late(
    context: AppContext, visitor: Visitor, shown: ShownGame, key: str, typed: str | None
) -> Response:
    """Return the page, which says that the vote was not taken.

    It does not if this very link has cast the vote that stands. The link may be of the game before,
    if that has ended since.
    """
    player = visitor.player
    if player is None:
        return page_below(VOTING, NOT_COUNTED, typed)
    with context.database.reading() as connection:
        places = [
            (game.stored.id, ply, changes)
            for game in (shown.numbered, *shown.earlier[:1])
            for ply, changes in last_places(connection, game, player)
        ]
        game_id, next_ply = shown.game.id, shown.game.ply + 1
        standing = queries.vote_of(connection, game_id, next_ply, player.id)
    place = next(
        (each for each in places if action_keys.fits(key, vote_key(context, visitor, *each))), None
    )
    if standing and typed and place == (game_id, next_ply, standing.changes - 1):
        try:
            if shown.game.position.parse(typed) == standing.move:
                return responses.redirect(VOTING)
        except MoveError:
            pass
    return page_below(VOTING, NOT_COUNTED, typed, is_own=place is not None)


ROUTES: Routes = ((f"{VOTING}{KEY}/vote", vote, ANY),)
