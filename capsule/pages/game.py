"""A game's pages: as it stands, after any of its moves, and in words."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from capsule import answers, bot_games, examples, games, identity, manners, tournaments
from capsule.pages import rated
from capsule.pages.between import between_players
from capsule.pages.devices import link_path
from capsule.pages.manners import under_game

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.game import Game
    from capsule.reader import Reader
    from capsule.render import Block
    from capsule.site import Site

MOST_MOVE_LINKS = 12
"""Where no more moves than this are legal, each has a link of its own."""


MOVES_A_PAGE = 100
"""Moves on a page of the list of all."""


def as_it_stands(site: Site, request: Request, game_id: str) -> Response:
    """Return the page that people share: for the players, and for anyone who comes by."""
    certificate = identity.valid_certificate(site, request)
    visit = manners.visit(site, certificate, game_id)
    if visit is None:
        raise answers.NotThere
    game = visit.game
    visitor = identity.visitor_with(site, certificate, visit.player)
    seats = game.seats_of(visitor.player)
    few_moves = tuple(islice(game.position.legal_moves(), MOST_MOVE_LINKS + 1))
    return answers.page(
        visitor.reader,
        "game.gmi",
        **shown(site, game),
        view=game.position.view(request.query, visitor.reader.style),
        # Whoever plays needs the board as it is now, and their move link, more than the last move.
        boards=None if game.is_running and seats else last_move(game, visitor.reader),
        visitor=visitor,
        key=visitor.game_key(site, game_id, game.stored.turn_counter),
        seats=seats,
        is_your_turn=game.is_turn_of(visitor.player),
        acting_side=game.side_acting_for(visitor.player),
        move_links=few_moves if len(few_moves) <= MOST_MOVE_LINKS else (),
        may_ask_hint=bot_games.may_ask_hint(game, visitor.player),
        may_offer_draw=game.may_offer_draw(visitor.player),
        may_answer_draw=game.may_answer_draw(visitor.player),
        link=link_path(site, visitor, game_id),
        **between_players(site, game, visitor.player),
        **under_game(site, game, visitor, visit.beside),
        **rated.in_game(site, game),
    )


def earlier(site: Site, request: Request, game_id: str, ply: str) -> Response:
    """Return the position after a number of moves.

    Once the next move is made this page stays as it is, but for the name of a player who takes
    another or comes later.
    """
    game = _game(site, game_id, int(ply))
    reader = identity.reader_of(site, request)
    return answers.page(
        reader,
        "position.gmi",
        **shown(site, game),
        view=game.position.view(request.query, reader.style),
        boards=last_move(game, reader),
        first_listed=_first_of_page(game.ply),
    )


def history(site: Site, request: Request, game_id: str) -> Response:
    """Return the list of all moves, each with a link to the position after it, page by page.

    The query is the number of a move that the page should have.
    """
    game = _game(site, game_id)
    wanted = request.query or ""
    number = int(wanted) if re.fullmatch("[1-9][0-9]{0,6}", wanted) else 1
    first = _first_of_page(number if number <= game.ply else 1)
    last = min(first + MOVES_A_PAGE - 1, game.ply)
    return answers.page(
        identity.reader_of(site, request),
        "history.gmi",
        **shown(site, game),
        moves=games.some_moves(site, game, first, last),
        pages=[
            (start, min(start + MOVES_A_PAGE - 1, game.ply))
            for start in (first - MOVES_A_PAGE, first + MOVES_A_PAGE)
            if 0 < start <= game.ply
        ],
    )


def in_words(site: Site, request: Request, game_id: str) -> Response:
    """Return the position in words, for people who listen to their screen."""
    game = _game(site, game_id)
    return answers.page(
        identity.reader_of(site, request),
        "words.gmi",
        **shown(site, game),
        moves=games.all_moves(site, game),
    )


def _game(site: Site, game_id: str, ply: int | None = None) -> Game:
    game = games.look_at(site, game_id, ply)
    if game is None:
        raise answers.NotThere
    return game


def _first_of_page(number: int) -> int:
    return max(number - 1, 0) // MOVES_A_PAGE * MOVES_A_PAGE + 1


def last_move(game: Game, reader: Reader) -> Block | None:
    """Return what the last move did, None where there is none."""
    if game.before is None or not game.recent:
        return None
    return examples.last_move(game.before, game.recent[-1].move, reader.style)


def shown(site: Site, game: Game) -> dict[str, object]:
    """Return what the templates of a game's pages all show."""
    stored = game.stored
    return {
        "game": game,
        "stored": stored,
        "variant": game.variant,
        "position": game.position,
        "names": {"X": stored.x_name, "O": stored.o_name},
        "turn": game.position.turn.value,
        "open_side": game.open_side and game.open_side.value,
        "last": game.recent[-1] if game.recent else None,
        "address": f"{site.origin}/play/{stored.id}",
        "tournament": tournaments.of_game(site, stored),
    }
