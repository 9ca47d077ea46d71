"""Positions of a game, its record, and the text to share it."""

import re
from dataclasses import replace

from capsule.accounts import identity
from capsule.accounts.model import Player
from capsule.context import Transaction, reading
from capsule.errors import NotFound
from capsule.games import deadlines, point_of_view
from capsule.games.game import Game
from capsule.games.reading import all_moves, game_at, moves_between, records_of
from capsule.gemini.types import Request, Response, Wait
from capsule.social import line_queries
from capsule.tournaments import queries as tournament_queries
from capsule.ui import boards, columns, render, responses, routes
from capsule.ui.preferences import Preferences
from engine import message, record

MOVES_PER_PAGE = 100
"""Moves on one page of the list of moves."""


@routes.cacheable
@routes.narrowable
@reading
def position(transaction: Transaction, request: Request, game_id: str, ply: str) -> Response:
    """Return the page of the position after the first `ply` moves.

    It says whether later moves follow, and lets the player to move in this position move from here.
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
        is_wide=columns.is_wide_drawing(board.drawing, board.overview, last_move_boards),
        visitor=visitor,
        published=line_queries.published_notes(connection, game_id, visitor.player, game.ply),
        first_listed=_first_of_page(game.ply),
        view=point_of_view.view_of(game, visitor.player),
        key=visitor.game_key(transaction.context, game_id, game.stored.turn_counter),
    )
    return replace(page, ignores_query=not board.ways)


@routes.narrowable
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
        own_side=point_of_view.view_of(game, visitor.player).own_side,
        moves=moves_between(transaction, game, first, last),
        pages=[
            (start, min(start + MOVES_PER_PAGE - 1, game.ply))
            for start in (first - MOVES_PER_PAGE, first + MOVES_PER_PAGE)
            if 0 < start <= game.ply
        ],
    )


@routes.narrowable
@reading
def in_words(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the page of the position in words, for people who use a screen reader."""
    game = _game(transaction, game_id)
    visitor = identity.visitor_of(transaction, request)
    return responses.page(
        visitor.preferences,
        "play/words.gmi",
        game=game,
        own_side=point_of_view.view_of(game, visitor.player).own_side,
        moves=all_moves(transaction, game),
    )


def _game(transaction: Transaction, game_id: str, ply: int | None = None) -> Game:
    game = game_at(transaction, game_id, ply)
    if game is None:
        raise NotFound
    return game


def _last_move_boards(game: Game, preferences: Preferences) -> render.Block | None:
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


@reading
def as_text(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return a game's record in the text form, for people."""
    del request
    return responses.text(record.to_text(_record(transaction, game_id)))


@reading
def as_json(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return a game's record as JSON, for programs."""
    del request
    return responses.text(
        record.to_json(_record(transaction, game_id)), "application/json; charset=utf-8"
    )


@reading
def all_as_text(transaction: Transaction, request: Request) -> Response | Wait:
    """Return the records of all of the player's games, which only the player may fetch."""
    player, context = identity.signed_in(transaction, request).player, transaction.context
    if player is None:
        return responses.redirect("/play/me/")
    records = reading(_records_as_text)
    return context.exclusive.wait(request, lambda: responses.text(records(context, player)))


def _records_as_text(transaction: Transaction, player: Player) -> str:
    """Return the records of all of a player's games, separated by blank lines."""
    games = deadlines.all_games_of_player(transaction, player)
    return "\n\n".join(map(record.to_text, records_of(transaction.connection, games)))


def _record(transaction: Transaction, game_id: str) -> record.Record:
    (found,) = records_of(transaction.connection, [_game(transaction, game_id).stored])
    return found


@routes.narrowable
@reading
def share(transaction: Transaction, request: Request, game_id: str, form: str | None) -> Response:
    """Return a game as a text to paste; of a game in progress, the position so far."""
    preferences = identity.visitor_of(transaction, request).preferences
    here = f"/play/{game_id}"
    found = responses.Share(_text(transaction, preferences, game_id), f"{here}/share", here)
    return responses.share_response(preferences, form, found)


def _text(transaction: Transaction, preferences: Preferences, game_id: str) -> str:
    game = _game(transaction, game_id)
    # The position of a game in progress has an address that never shows another one.
    is_moving = game.is_running and game.ply > 0
    path = f"/play/{game_id}{f'/{game.ply}' if is_moving else ''}"
    played = all_moves(transaction, game)
    return responses.shared_text(
        preferences,
        "play/share.gmi",
        transaction.context.origin,
        [(path, message("This game, move by move")), *responses.links_to_game(game.variant)],
        game=game,
        board=game.position.view(style=preferences.style, latest=game.latest),
        moves=" ".join(f"{each.ply}.{responses.TIE}{each.move}" for each in played),
    )


ROUTES: routes.Routes = (
    *(
        (f"/play/{routes.GAME}/(?P<ply>0|[1-9][0-9]{{0,6}})", position, routes.CELL),
        (f"/play/{routes.GAME}/history", history, _NUMBER),
        (f"/play/{routes.GAME}/words", in_words),
    ),
    *routes.named(
        "play.pages.records",
        (
            (r"/play/me/records\.txt", all_as_text),
            (rf"/play/{routes.GAME}/record\.txt", as_text),
            (rf"/play/{routes.GAME}/record\.json", as_json),
        ),
    ),
    *routes.named("play.pages.share", ((f"/play/{routes.GAME}/{responses.FORM}", share),)),
)
