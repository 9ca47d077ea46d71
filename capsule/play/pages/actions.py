"""Actions in a game: each needs the visitor's key, takes effect once, and leads to the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule import errors
from capsule.accounts import action_keys, identity
from capsule.bots import turns as bot_turns
from capsule.errors import OutdatedAction, Refused
from capsule.games import conditional_moves, early_endings, moves, offers, reading
from capsule.games.listed import Listing
from capsule.games.point_of_view import view_of
from capsule.games.quota import TooManyGames
from capsule.gemini.types import Response, Wait
from capsule.play import challenges, rematches, starting
from capsule.play.pages import waiting
from capsule.play.pages.late_actions import late_action, late_move, late_plan
from capsule.play.pages.refusals import not_possible, too_many_games
from capsule.ui import responses
from capsule.ui.fresh_addresses import fresh
from capsule.ui.query_terms import TermsRefused, read_choices
from capsule.ui.routes import ANY, GAME, KEY, one_of
from capsule.ui.typed_words import ABORT, CLAIM, RESIGN, is_typed, naming
from engine import MoveError
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.game import Game
    from capsule.games.model import StoredGame
    from capsule.gemini.types import Request
    from capsule.ui.routes import Routes
    from engine import Message

    Action = Callable[[AppContext, Visitor, Game, str | None], Response | Wait]


MOVE, PLAN = "move", "plan"

DESK = "/play/desk"
"""The page to which a move that was typed there leads back."""


@dataclass(frozen=True, slots=True)
class MoveLink:
    """A link to move in a game: the page to which it leads back, and what it asks for."""

    game_id: str
    key: str
    page: str
    ask: Callable[[StoredGame], Message]


def act(
    context: AppContext, request: Request, game_id: str, key: str, verb: str
) -> Response | Wait:
    """Take an action in a game.

    A wrong key, from an old page or a planted link, changes nothing, and the game's page says so.
    """
    visitor = identity.signed_in(context, request)
    # The most frequent action needs no position here: the move is judged where it is stored.
    if verb == MOVE and request.typed:
        link = MoveLink(game_id, key, f"/play/{game_id}", _your_move)
        return _typed_move(context, visitor, link, request.typed)
    game = reading.find_game(context, game_id)
    if game is None:
        raise errors.NotFound
    action = _allowed(context, visitor, game, key, verb)
    try:
        if action is not None:
            return action(context, visitor, game, request.typed)
    except TooManyGames as error:
        return too_many_games(visitor, error, f"/play/{game_id}")
    except Refused as error:
        return not_possible(visitor, error, f"/play/{game_id}")
    except OutdatedAction:
        pass
    if verb == PLAN:
        return late_plan(context, visitor, game_id, key, request.typed)
    return late_action(context, visitor, game_id, key, verb)


def move_at_desk(context: AppContext, request: Request, game_id: str, key: str) -> Response | Wait:
    """Take a move from the page of all games that wait, with a prompt that says in which game.

    A wrong key changes nothing, as in `act`.
    """
    visitor = identity.signed_in(context, request)
    if request.typed:
        # Some browsers keep pages by their addresses, so it leads to one that is new.
        desk = fresh(DESK, context.clock())
        link = MoveLink(game_id, key, desk, _your_move_at_desk)
        return _typed_move(context, visitor, link, request.typed)
    game = reading.find_game(context, game_id)
    if game is None:
        raise errors.NotFound
    fitting = visitor.game_key(context, game.id, game.stored.turn_counter)
    view = view_of(game, visitor.player)
    if not (view.is_turn and action_keys.fits(key, fitting)):
        return late_action(context, visitor, game_id, key, MOVE)
    which = message("{game}.", game=_name(game.stored))
    return responses.prompt(which, *_instruction(game), _your_move(game.stored))


def move_at_live(context: AppContext, request: Request, game_id: str, key: str) -> Response | Wait:
    """Take a move from the live page of a game, which it leads back to.

    A wrong key changes nothing, as in `act`.
    """
    if not request.typed:
        return act(context, request, game_id, key, MOVE)
    visitor = identity.signed_in(context, request)
    link = MoveLink(game_id, key, f"/play/{game_id}/live", _your_move)
    return _typed_move(context, visitor, link, request.typed)


def _allowed(
    context: AppContext, visitor: Visitor, game: Game, key: str, verb: str
) -> Action | None:
    """Return the action that a key allows, None if it allows none.

    Each kind of offer has keys of its own to be answered with, so that no answer is mistaken.
    """
    turn = game.id, game.stored.turn_counter
    if action_keys.fits(key, visitor.game_key(context, *turn)):
        return VERBS[verb]
    if action_keys.fits(key, visitor.draw_key(context, *turn)):
        return DRAW_ANSWERS.get(verb)
    if action_keys.fits(key, visitor.takeback_key(context, *turn)):
        return TAKEBACK_ANSWERS.get(verb)
    return None


def _typed_move(
    context: AppContext, visitor: Visitor, link: MoveLink, typed: str
) -> Response | Wait:
    player, game_id = visitor.player, link.game_id
    if player is None:
        return late_move(context, visitor, game_id, link.key, typed)
    presented = visitor.presented_game_key(context, game_id, link.key)
    try:
        game = moves.move(context, player, game_id, presented, typed)
    except MoveError as error:
        return responses.prompt_again(error.message, link.ask(_existing(context, game_id)))
    except OutdatedAction:
        late = late_move(context, visitor, game_id, link.key, typed)
        return late if late.preface else responses.redirect(link.page)
    # The move is saved; if a bot answers in time, the next page shows both moves.
    return waiting.for_bot(context, player, game.stored, link.page)


def _existing(context: AppContext, game_id: str) -> StoredGame:
    stored = reading.find_stored(context, game_id)
    if stored is None:
        raise errors.NotFound
    return stored


def _ask_for_move(
    _context: AppContext, visitor: Visitor, game: Game, _typed: str | None
) -> Response:
    if not reading.require_view(game, visitor.player).is_turn:
        raise OutdatedAction
    return responses.prompt(*_instruction(game), _your_move(game.stored))


def _instruction(game: Game) -> tuple[Message, Message]:
    example = message("For example {move}.", move=game.position.example())
    return game.position.instruction(), example


def _your_move(game: StoredGame) -> Message:
    return message("Your move, {side}", side=game.variant.side_name(game.turn))


def _your_move_at_desk(game: StoredGame) -> Message:
    side = game.variant.side_name(game.turn)
    return message("{game}: your move, {side}", game=_name(game), side=side)


def _name(game: StoredGame) -> Message:
    opponent = game.seat(game.turn.other).name
    return message("{variant} with {opponent}", variant=game.variant.name, opponent=opponent)


def listing_in(query: str | None) -> Listing | None:
    """Return the listing that the query of a link spells out, None if it says nothing.

    Raises `TermsRefused` for what no page has written.
    """
    choices = read_choices(query, {"listed": (Listing.ALL, Listing.NONE)})
    return Listing(choices["listed"]) if choices else None


def _listing(query: str | None) -> Listing | None:
    try:
        return listing_in(query)
    except TermsRefused as error:
        raise OutdatedAction from error


def _join(context: AppContext, visitor: Visitor, game: Game, query: str | None) -> Response:
    # Checked first, so that nobody becomes a player for a seat that is not open.
    if game.stored.open_side is None:
        raise OutdatedAction
    listing = _listing(query)
    player = identity.player_of(context, visitor)
    starting.join(context, player, game.stored.id, game.stored.turn_counter, listing)
    return _redirect_to(game)


def _hint(context: AppContext, visitor: Visitor, game: Game, _typed: str | None) -> Wait:
    if not reading.require_view(game, visitor.player).may_ask_hint:
        raise OutdatedAction
    player = identity.player_of(context, visitor)
    key = visitor.game_key(context, game.id, game.stored.turn_counter)

    def hint() -> Response:
        try:
            bot_turns.count_hint(context, player, game.stored.id, game.stored.turn_counter)
        except OutdatedAction:
            return late_action(context, visitor, game.id, key, "hint")
        moves = [each.move for each in reading.all_moves(context, game)]
        return responses.page(
            visitor.preferences,
            "bots/hint.gmi",
            game=game,
            hint=context.bots.hint(game.variant.key, moves, player.id),
            key=key,
        )

    return Wait(player.id, hint, otherwise=waiting.too_many_hints())


def _rematch(
    context: AppContext, visitor: Visitor, game: Game, query: str | None
) -> Response | Wait:
    listing = _listing(query)
    player = _seated_player(context, visitor, game)
    next_id = rematches.offer_rematch(
        context, player, game.stored.id, game.stored.turn_counter, listing
    )
    if game.stored.bot_level is not None:
        # If the bot is X now, the next page may already show its first move.
        return waiting.for_bot(context, player, _existing(context, next_id))
    return responses.redirect(f"/play/{next_id}")


def _draw(context: AppContext, visitor: Visitor, game: Game, _typed: str | None) -> Response | Wait:
    player = _seated_player(context, visitor, game)
    offered = offers.offer_draw(context, player, game.stored.id, game.stored.turn_counter)
    # If a bot answers in time, the next page shows its answer.
    return waiting.for_bot(context, player, offered)


def _accept(context: AppContext, visitor: Visitor, game: Game, query: str | None) -> Response:
    listing = _listing(query)
    player = _signed_in_player(context, visitor)
    action = (context, player, game.stored.id, game.stored.turn_counter, listing)
    if not game.is_running:
        return responses.redirect(f"/play/{rematches.accept_rematch(*action)}")
    if game.may_answer_challenge(player):
        challenges.accept(*action)
    return _redirect_to(game)


def _decline(context: AppContext, visitor: Visitor, game: Game, _typed: str | None) -> Response:
    player = _signed_in_player(context, visitor)
    action = (context, player, game.stored.id, game.stored.turn_counter)
    if not game.is_running:
        rematches.decline_rematch(*action)
    elif game.may_answer_challenge(player):
        challenges.decline(*action)
    return _redirect_to(game)


def _plan(context: AppContext, visitor: Visitor, game: Game, typed: str | None) -> Response:
    player = _seated_player(context, visitor, game)
    if not reading.require_view(game, player).may_plan:
        raise OutdatedAction
    ask = (
        message("If … then …, up to five answers. A comma divides two moves in a row by one player")
        if game.position.may_move_twice
        else message("If … then …, with up to five answers")
    )
    if not typed:
        move = game.position.example()
        after = game.position.play(move)
        if after.outcome is not None or after.turn is game.position.turn:
            return responses.prompt(ask)
        example = message(
            "For example: if {move} then {answer}.", move=move, answer=after.example()
        )
        return responses.prompt(example, ask)
    try:
        conditional_moves.add_line(context, player, game.stored.id, game.stored.turn_counter, typed)
    except conditional_moves.PlanRefused as error:
        return responses.prompt_again(error.message, ask)
    return _redirect_to(game)


def _signed_in_player(context: AppContext, visitor: Visitor) -> Player:
    # Nobody becomes a player by answering an offer that was not made to them.
    if visitor.player is None:
        raise OutdatedAction
    return identity.player_of(context, visitor)


def _seated_player(context: AppContext, visitor: Visitor, game: Game) -> Player:
    reading.require_view(game, visitor.player)
    return _signed_in_player(context, visitor)


def _confirmed_by(word: Message, ask: Message, use_case: Callable[..., None]) -> Action:
    def action(context: AppContext, visitor: Visitor, game: Game, typed: str | None) -> Response:
        reading.require_view(game, visitor.player)
        if not is_typed(typed, word):
            return responses.prompt(naming(ask, word))
        _apply(use_case, context, visitor, game)
        return _redirect_to(game)

    return action


def _immediate(use_case: Callable[..., None]) -> Action:
    def action(context: AppContext, visitor: Visitor, game: Game, _typed: str | None) -> Response:
        reading.require_view(game, visitor.player)
        _apply(use_case, context, visitor, game)
        return _redirect_to(game)

    return action


def _apply(
    use_case: Callable[..., None], context: AppContext, visitor: Visitor, game: Game
) -> None:
    player = identity.player_of(context, visitor)
    use_case(context, player, game.stored.id, game.stored.turn_counter)


def _redirect_to(game: Game) -> Response:
    return responses.redirect(f"/play/{game.stored.id}")


VERBS: Mapping[str, Action] = {
    MOVE: _ask_for_move,
    "join": _join,
    "resign": _confirmed_by(
        RESIGN, message("Type {word} to give up this game"), early_endings.resign
    ),
    "abort": _confirmed_by(ABORT, message("Type {word} to abort this game"), early_endings.abort),
    "hint": _hint,
    "draw": _draw,
    "takeback": _immediate(offers.take_back),
    "rematch": _rematch,
    "accept": _accept,
    "decline": _decline,
    "claim": _confirmed_by(
        CLAIM, message("Type {word} to win this game on time"), early_endings.claim
    ),
    PLAN: _plan,
    "forget": _immediate(conditional_moves.clear_plan),
}
"""The actions in a game, by the last segment of the URL."""

DRAW_ANSWERS: Mapping[str, Action] = {
    "accept": _immediate(offers.accept_draw),
    "decline": _immediate(offers.decline_draw),
}
TAKEBACK_ANSWERS: Mapping[str, Action] = {
    "accept": _immediate(offers.accept_takeback),
    "decline": _immediate(offers.decline_takeback),
}


ROUTES: Routes = (
    (f"{DESK}/{GAME}/{KEY}/{MOVE}", move_at_desk, ANY),
    (f"/play/{GAME}/live/{KEY}/{MOVE}", move_at_live, ANY),
    (f"/play/{GAME}/{KEY}/{one_of('verb', VERBS)}", act, ANY),
)
