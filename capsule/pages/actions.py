"""Actions in a game: each needs its reader's key, changes something once, and leads to the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import (
    answers,
    bot_games,
    challenges,
    conditional,
    games,
    identity,
    keys,
    offers,
)
from capsule.game import OutdatedAction
from capsule.pages.game import shown
from capsule.seating import TooManyGames
from capsule.typed import is_word
from engine import MoveError
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.exchange import Request, Response
    from capsule.game import Game
    from capsule.identity import Visitor
    from capsule.site import Site
    from capsule.store.players import Player
    from engine import Message

    Action = Callable[[Site, Visitor, Game, str | None], Response]


def act(site: Site, request: Request, game_id: str, key: str, verb: str) -> Response:
    """Take an action in a game.

    A key that does not fit, of an old page or a planted link, changes nothing.
    """
    visitor = identity.signed_in(site, request)
    game = games.look_at(site, game_id)
    if game is None:
        raise answers.NotThere
    if not keys.fits(key, visitor.game_key(site, game_id, game.stored.turn_counter)):
        return _to(game)
    try:
        return VERBS[verb](site, visitor, game, request.query)
    except OutdatedAction:
        return _to(game)


def _move(site: Site, visitor: Visitor, game: Game, typed: str | None) -> Response:
    if not game.is_turn_of(visitor.player):
        raise OutdatedAction
    your_move = message("Your move, {side}:", side=game.position.turn)
    if not typed:
        example = message("For example {move}.", move=game.position.example())
        return answers.question(game.position.instruction(), example, your_move)
    player = identity.player_of(site, visitor)
    try:
        games.move(site, player, game.stored.id, game.stored.turn_counter, typed)
    except MoveError as error:
        return answers.question_again(error.message, your_move)
    if game.bot_level is not None:
        # The move is saved; if the bot answers in time, the page that follows shows both.
        site.mind.expect_move(game.stored.id, game.stored.turn_counter + 1, player.id)
    return _to(game)


def _join(site: Site, visitor: Visitor, game: Game, _typed: str | None) -> Response:
    # Asked first, so that nobody becomes a player by a seat that they cannot have.
    if game.open_side is None:
        raise OutdatedAction
    player = identity.player_of(site, visitor)
    games.join(site, player, game.stored.id, game.stored.turn_counter)
    return _to(game)


def _hint(site: Site, visitor: Visitor, game: Game, _typed: str | None) -> Response:
    if not bot_games.may_ask_hint(game, visitor.player):
        raise OutdatedAction
    player = identity.player_of(site, visitor)
    bot_games.count_hint(site, player, game.stored.id, game.stored.turn_counter)
    moves = [each.move for each in games.all_moves(site, game)]
    return answers.page(
        visitor.reader,
        "hint.gmi",
        **shown(site, game),
        hint=site.mind.hint(game.stored.variant, moves, player.id),
        key=visitor.game_key(site, game.stored.id, game.stored.turn_counter),
    )


def _rematch(site: Site, visitor: Visitor, game: Game, _typed: str | None) -> Response:
    player = _seated(site, visitor, game)
    try:
        next_id = challenges.offer_rematch(site, player, game.stored.id, game.stored.turn_counter)
    except TooManyGames as error:
        return answers.page(visitor.reader, "too_many_games.gmi", most=error.most)
    return answers.way_on(f"/play/{next_id}")


def _accept(site: Site, visitor: Visitor, game: Game, _typed: str | None) -> Response:
    player = _known(site, visitor)
    which = (site, player, game.stored.id, game.stored.turn_counter)
    if not game.is_running:
        return answers.way_on(f"/play/{challenges.accept_rematch(*which)}")
    if game.may_answer_challenge(player):
        challenges.accept(*which)
    elif game.may_answer_takeback(player):
        offers.accept_takeback(*which)
    else:
        offers.accept_draw(*which)
    return _to(game)


def _decline(site: Site, visitor: Visitor, game: Game, _typed: str | None) -> Response:
    player = _known(site, visitor)
    which = (site, player, game.stored.id, game.stored.turn_counter)
    if not game.is_running:
        challenges.decline_rematch(*which)
    elif game.may_answer_challenge(player):
        challenges.decline(*which)
    elif game.may_answer_takeback(player):
        offers.decline_takeback(*which)
    else:
        offers.decline_draw(*which)
    return _to(game)


def _plan(site: Site, visitor: Visitor, game: Game, typed: str | None) -> Response:
    player = _seated(site, visitor, game)
    if not conditional.may_plan(game, player):
        raise OutdatedAction
    ask = message("If … then …, up to five answers deep:")
    if not typed:
        move = game.position.example()
        after = game.position.play(move)
        if after.outcome is not None or after.turn is game.position.turn:
            return answers.question(ask)
        example = message(
            "For example: if {move} then {answer}.", move=move, answer=after.example()
        )
        return answers.question(example, ask)
    try:
        conditional.add_line(site, player, game.stored.id, game.stored.turn_counter, typed)
    except conditional.PlanRefused as error:
        return answers.question_again(error.message, ask)
    return _to(game)


def _known(site: Site, visitor: Visitor) -> Player:
    # Nobody becomes a player by an answer to what they were not asked.
    if visitor.player is None:
        raise OutdatedAction
    return identity.player_of(site, visitor)


def _seated(site: Site, visitor: Visitor, game: Game) -> Player:
    if not game.seats_of(visitor.player):
        raise OutdatedAction
    return _known(site, visitor)


def _after_typing(word: str, ask: Message, use_case: Callable[..., None]) -> Action:
    def action(site: Site, visitor: Visitor, game: Game, typed: str | None) -> Response:
        if not game.seats_of(visitor.player):
            raise OutdatedAction
        if not is_word(typed, word):
            return answers.question(ask)
        _apply(use_case, site, visitor, game)
        return _to(game)

    return action


def _at_once(use_case: Callable[..., None]) -> Action:
    def action(site: Site, visitor: Visitor, game: Game, _typed: str | None) -> Response:
        if not game.seats_of(visitor.player):
            raise OutdatedAction
        _apply(use_case, site, visitor, game)
        return _to(game)

    return action


def _apply(use_case: Callable[..., None], site: Site, visitor: Visitor, game: Game) -> None:
    player = identity.player_of(site, visitor)
    use_case(site, player, game.stored.id, game.stored.turn_counter)


def _to(game: Game) -> Response:
    return answers.way_on(f"/play/{game.stored.id}")


VERBS: Mapping[str, Action] = {
    "move": _move,
    "join": _join,
    "resign": _after_typing("resign", message("Type resign to give up this game:"), games.resign),
    "abort": _after_typing("abort", message("Type abort to call this game off:"), games.abort),
    "hint": _hint,
    "draw": _at_once(offers.offer_draw),
    "takeback": _at_once(offers.take_back),
    "rematch": _rematch,
    "accept": _accept,
    "decline": _decline,
    "claim": _after_typing("claim", message("Type claim to win this game on time:"), games.claim),
    "plan": _plan,
    "forget": _at_once(conditional.forget),
}
"""What a player can do in a game, by the last part of the URL."""
