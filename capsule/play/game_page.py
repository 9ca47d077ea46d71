"""A game's pages: as it stands, after any of its moves, and in words."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from capsule import errors
from capsule.accounts import identity
from capsule.accounts.pages.devices import link_path
from capsule.bots import turns as bot_turns
from capsule.games import conditional_moves, reading
from capsule.games.clock import OFFER_LIFETIME, ClockState
from capsule.games.page_context import shown
from capsule.games.status import CHALLENGED, WAITING
from capsule.play import challenges, rematches
from capsule.ratings import panel as rating_panel
from capsule.social import panel as social_panel
from capsule.social.pages.panel import panel_context
from capsule.ui import boards, responses
from engine import Side

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game
    from capsule.gemini.types import Request, Response
    from capsule.ui.preferences import Preferences
    from capsule.ui.render import Block


MAX_MOVE_LINKS = 12
"""Where no more moves than this are legal, each has a link of its own."""


MOVES_PER_PAGE = 100
"""Moves on a page of the list of all."""


def show(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the page that people share: for the players, and for anyone who comes by."""
    certificate = identity.valid_certificate(context, request)
    visit = social_panel.visit(context, certificate, game_id)
    if visit is None:
        raise errors.NotFound
    game = visit.game
    visitor = identity.visitor_with(context, certificate, visit.player)
    seats = game.seats_of(visitor.player)
    few_moves = tuple(islice(game.position.legal_moves(), MAX_MOVE_LINKS + 1))
    return responses.page(
        visitor.reader,
        "play/game.gmi",
        **shown(context, game),
        view=game.position.view(request.query, visitor.reader.style),
        # Whoever plays needs the board as it is now, and their move link, more than the last move.
        boards=None if game.is_running and seats else last_move(game, visitor.reader),
        visitor=visitor,
        key=visitor.game_key(context, game_id, game.stored.turn_counter),
        seats=seats,
        is_your_turn=game.is_turn_of(visitor.player),
        acting_side=game.side_acting_for(visitor.player),
        move_links=few_moves if len(few_moves) <= MAX_MOVE_LINKS else (),
        may_ask_hint=bot_turns.may_ask_hint(game, visitor.player),
        may_offer_draw=game.may_offer_draw(visitor.player),
        may_answer_draw=game.may_answer_draw(visitor.player),
        link=link_path(context, visitor, game_id),
        **between_players(context, game, visitor.player),
        **panel_context(context, game, visitor, visit.panel),
        **rating_panel.panel(context, game),
    )


def position_page(context: AppContext, request: Request, game_id: str, ply: str) -> Response:
    """Return the position after a number of moves.

    Once the next move is made this page stays as it is, but for the name of a player who takes
    another or comes later.
    """
    game = _game(context, game_id, int(ply))
    reader = identity.reader_of(context, request)
    return responses.page(
        reader,
        "play/position.gmi",
        **shown(context, game),
        view=game.position.view(request.query, reader.style),
        boards=last_move(game, reader),
        first_listed=_first_of_page(game.ply),
    )


def history_page(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the list of all moves, each with a link to the position after it, page by page.

    The query is the number of a move that the page should have.
    """
    game = _game(context, game_id)
    wanted = request.query or ""
    number = int(wanted) if re.fullmatch("[1-9][0-9]{0,6}", wanted) else 1
    first = _first_of_page(number if number <= game.ply else 1)
    last = min(first + MOVES_PER_PAGE - 1, game.ply)
    return responses.page(
        identity.reader_of(context, request),
        "play/history.gmi",
        **shown(context, game),
        moves=reading.some_moves(context, game, first, last),
        pages=[
            (start, min(start + MOVES_PER_PAGE - 1, game.ply))
            for start in (first - MOVES_PER_PAGE, first + MOVES_PER_PAGE)
            if 0 < start <= game.ply
        ],
    )


def words_page(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the position in words, for people who listen to their screen."""
    game = _game(context, game_id)
    return responses.page(
        identity.reader_of(context, request),
        "play/words.gmi",
        **shown(context, game),
        moves=reading.all_moves(context, game),
    )


def _game(context: AppContext, game_id: str, ply: int | None = None) -> Game:
    game = reading.find_game(context, game_id, ply)
    if game is None:
        raise errors.NotFound
    return game


def _first_of_page(number: int) -> int:
    return max(number - 1, 0) // MOVES_PER_PAGE * MOVES_PER_PAGE + 1


def last_move(game: Game, reader: Preferences) -> Block | None:
    """Return what the last move did, None where there is none."""
    if game.before is None or not game.recent:
        return None
    return boards.last_move(game.before, game.recent[-1].move, reader.style)


def between_players(context: AppContext, game: Game, player: Player | None) -> dict[str, object]:
    """Return what the templates show of it to this player, or to a stranger."""
    stored = game.stored
    clock = game.clock
    rematch = rematches.rematch_of(context, game)
    plan = conditional_moves.plan_of(context, game, player)
    waits = stored.status == CHALLENGED or (stored.status == WAITING and stored.listed)
    return {
        "clock": clock,
        "is_time_up": clock is not None and clock.stand(game.now) is ClockState.CLAIMABLE,
        "may_claim": game.may_claim(player),
        "vacations": [
            (side.value, vacation.ends)
            for side in Side
            if (vacation := game.vacation_of(side)) is not None
        ],
        "lapses": stored.created_at + OFFER_LIFETIME if waits else None,
        "challenged": challenges.challenged_names(context, [stored]).get(stored.id),
        "kept_side": game.kept_side and game.kept_side.value,
        "may_answer_challenge": game.may_answer_challenge(player),
        "may_take_back": game.may_take_back(player),
        "may_answer_takeback": game.may_answer_takeback(player),
        "taken_back": _taken_back(game, player),
        "may_plan": conditional_moves.may_plan(game, player),
        "plan": conditional_moves.in_words(game.position, plan),
        "rematch": rematch,
        "rematch_side": rematch and ("X" if rematch.x_player_id is None else "O"),
        "may_offer_rematch": rematches.may_offer_rematch(game, rematch, player),
        "may_answer_rematch": rematches.may_answer_rematch(rematch, player),
        "is_rematch_on": rematches.is_on(rematch),
    }


def _taken_back(game: Game, player: Player | None) -> str:
    """Return the moves that a takeback would remove: the one asked for, or the player's own."""
    side = game.side_acting_for(player)
    asker = game.stored.takeback_asked_by or (side and side.value)
    if game.is_solo and game.recent:
        asker = game.recent[-1].side
    ply = game.ply_of_takeback(asker)
    if ply is None:
        return ""
    return ", ".join(move.move for move in game.recent if move.ply > ply)
