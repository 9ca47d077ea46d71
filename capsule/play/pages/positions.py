"""A game at any of its moves: each position, the list of moves, and the position in words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.context import reading
from capsule.errors import NotFound
from capsule.games.point_of_view import view_of
from capsule.games.reading import all_moves, game_at, moves_between
from capsule.social import annotating
from capsule.tournaments import queries as tournament_queries
from capsule.ui import boards, responses
from capsule.ui.narrow_pages import is_wide
from capsule.ui.routes import CELL, GAME, cacheable, narrowable

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.games.game import Game
    from capsule.gemini.types import Request, Response
    from capsule.ui.preferences import Preferences
    from capsule.ui.render import Block
    from capsule.ui.routes import Routes

MOVES_PER_PAGE = 100
"""Moves on one page of the list of moves."""


@cacheable
@narrowable
@reading
def position(transaction: Transaction, request: Request, game_id: str, ply: str) -> Response:
    """Return the page of the position after the first `ply` moves.

    It says whether the game goes on; a player whose turn it is in this position can move from here.
    """
    game = _game(transaction, game_id, int(ply))
    visitor, connection = identity.visitor_of(transaction, request), transaction.connection
    preferences = visitor.preferences
    board = game.position.view(request.query, preferences.style, game.latest)
    last_move_boards = _last_move_boards(game, preferences)
    page = responses.page(
        preferences,
        "play/position.gmi",
        game=game,
        tournament=tournament_queries.tournament_of_game(connection, game.stored),
        board=board,
        last_move_boards=last_move_boards,
        is_wide=is_wide(board.drawing, board.overview, last_move_boards),
        visitor=visitor,
        published=annotating.notes_at(connection, game_id, game.ply, visitor.player),
        first_listed=_first_of_page(game.ply),
        view=view_of(game, visitor.player),
        key=visitor.game_key(transaction.context, game_id, game.stored.turn_counter),
    )
    return replace(page, ignores_query=not board.ways)


@narrowable
@reading
def history(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return a page of the list of all moves, each with a link to the position after it.

    The query is the number of a move that the page should include.
    """
    game = _game(transaction, game_id)
    wanted = request.query or ""
    number = int(wanted) if re.fullmatch(_NUMBER, wanted) else 1
    first = _first_of_page(number if number <= game.ply else 1)
    last = min(first + MOVES_PER_PAGE - 1, game.ply)
    visitor = identity.visitor_of(transaction, request)
    return responses.page(
        visitor.preferences,
        "play/history.gmi",
        game=game,
        own_side=view_of(game, visitor.player).own_side,
        moves=moves_between(transaction, game, first, last),
        pages=[
            (start, min(start + MOVES_PER_PAGE - 1, game.ply))
            for start in (first - MOVES_PER_PAGE, first + MOVES_PER_PAGE)
            if 0 < start <= game.ply
        ],
    )


@narrowable
@reading
def in_words(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the page of the position in words, for people who use a screen reader."""
    game = _game(transaction, game_id)
    visitor = identity.visitor_of(transaction, request)
    return responses.page(
        visitor.preferences,
        "play/words.gmi",
        game=game,
        own_side=view_of(game, visitor.player).own_side,
        moves=all_moves(transaction, game),
    )


def _game(transaction: Transaction, game_id: str, ply: int | None = None) -> Game:
    game = game_at(transaction, game_id, ply)
    if game is None:
        raise NotFound
    return game


def _last_move_boards(game: Game, preferences: Preferences) -> Block | None:
    """Return the boards before and after the last move, None if there is none.

    It is also None on a screen too narrow to show them side by side.
    """
    if game.before is None or game.last_move is None:
        return None
    show = boards.last_move_beside if preferences.narrow else boards.last_move
    return show(game.before, game.last_move.move, preferences.style)


def _first_of_page(number: int) -> int:
    return max(number - 1, 0) // MOVES_PER_PAGE * MOVES_PER_PAGE + 1


_NUMBER = "[1-9][0-9]{0,6}"

ROUTES: Routes = (
    (f"/play/{GAME}/(?P<ply>0|[1-9][0-9]{{0,6}})", position, CELL),
    (f"/play/{GAME}/history", history, _NUMBER),
    (f"/play/{GAME}/words", in_words),
)
